export interface JsonPart {
  /** Of a member of an object; undefined in an array. */
  readonly name?: string;
  /** Exactly as it was written: `2.0` is not `2`, and long numbers keep all their digits. */
  readonly text: string;
}

/** The members or elements of a JSON text, each as it was written. The text has been parsed before: it is sound. */
export function jsonParts(json: string): readonly JsonPart[] {
  const text = json.trim();
  const isArray = text.startsWith("[");
  if (!isArray && !text.startsWith("{")) return [];
  return piecesOf(text).map((piece) => (isArray ? { text: piece } : member(piece)));
}

/** Numbers that a reader of doubles changes: 2.0 becomes 2, and long ones lose digits. */
const LOSSY = /\d(?:[.eE]|\d{15})/;

/** The text of a member, by the names on the way to it; undefined where nothing was lost by parsing it. */
export function lossyMember(json: string, ...names: readonly string[]): string | undefined {
  if (!LOSSY.test(json)) return undefined;
  const found = names.reduce<string | undefined>((text, name) => text && jsonMember(text, name), json);
  return found !== undefined && LOSSY.test(found) ? found : undefined;
}

export function jsonMember(json: string, name: string): string | undefined {
  return jsonParts(json).findLast((part) => part.name === name)?.text;
}

/** What stands between the commas of the outermost level. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 1;
  let depth = 0;
  // Strings as a whole: what looks like a bracket in them is none.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    const isEnd = depth === 1 && (token === "," || index === text.length - 1);
    if (isEnd) {
      const piece = text.slice(start, index).trim();
      if (piece !== "") pieces.push(piece);
      start = index + 1;
    }
    if (token === "]" || token === "}") depth -= 1;
  }
  return pieces;
}

function member(piece: string): JsonPart {
  const name = /^"(?:[^"\\]|\\.)*"/s.exec(piece)?.[0] ?? '""';
  const text = piece.slice(name.length).trimStart().slice(1).trim();
  return { name: JSON.parse(name) as string, text };
}
