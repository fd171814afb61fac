/** Comments and texts in single quotes, whole or left open. The program's own splitting knows no other quotes. */
export const HIDDEN = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/g;

export const isComment = (part: string) => !part.startsWith("'");
const blank = (part: string) => " ".repeat(part.length);

/** The statements of a script as they are written. What is only comments is none. */
export function statementsOf(script: string): readonly string[] {
  const visible = script.replace(HIDDEN, (part) => "x".repeat(part.length));
  const ends = [...visible.matchAll(/;/g)].map(({ index }) => index);
  const parts = [...ends, script.length].map((end, at) => script.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end));
  return parts.map((part) => part.trim()).filter((part) => withoutComments(part).trim() !== "");
}

function withoutComments(text: string): string {
  return text.replace(HIDDEN, (part) => (isComment(part) ? " " : part));
}

/** The first word of a statement, in capitals: the program tells by it what kind of statement it is. */
export function keywordOf(statement: string): string {
  return withoutComments(statement).trim().split(/\s+/, 1)[0]?.toUpperCase() ?? "";
}

const BLOCKED = /\battach\b|\bload_extension\b|\bvacuum\s+into\b|\bpragma\s+database_list\b/i;

/** What the program refuses before it looks at anything else, as it is written. */
export function blockedWords(script: string): string | undefined {
  const found = BLOCKED.exec(script.replace(HIDDEN, blank));
  return found ? script.slice(found.index, found.index + found[0].length) : undefined;
}
