import { readdirSync, readFileSync } from "node:fs";

// The commands that documents show: in blocks of code, and as code within a sentence or a table.

/** What a person types, and what the document shows below it. */
export interface Step {
  readonly command: string;
  /** Undefined where the document shows nothing. */
  readonly output?: string;
}

/** Steps that follow each other. */
export interface Section {
  readonly document: string;
  readonly heading: string;
  readonly steps: readonly Step[];
}

export const root = new URL("../../", import.meta.url);
export const textOf = (document: string): string => readFileSync(new URL(document, root), "utf8");

/** What people read who use it. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  ...readdirSync(new URL("docs", root))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`),
];

const FENCE = /^```(\w*)$/;
/** What a line that is typed begins with; other blocks show files, answers and diagrams. */
const TYPED = /^(?:milepost|npm|npx|claude|codex|node|echo|printf|mkdir|mv)(?: |$)/;

/** Blocks of commands, joined under their heading: what stands under one heading is done one after the other. */
export function sectionsIn(document: string): readonly Section[] {
  const sections = new Map<string, Step[]>();
  for (const { heading, language, lines } of blocksIn(textOf(document))) {
    const steps = stepsIn(language, lines);
    if (steps.length > 0) sections.set(heading, [...(sections.get(heading) ?? []), ...steps]);
  }
  return [...sections].map(([heading, steps]) => ({ document, heading, steps }));
}

export interface CodeBlock {
  readonly heading: string;
  readonly language: string;
  readonly lines: readonly string[];
}

export function blocksIn(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  let open: { language: string; lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) {
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
      const [, language] = FENCE.exec(line) ?? [];
      if (language !== undefined) open = { language, lines: [] };
    } else if (line === "```") {
      blocks.push({ heading, ...open });
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

function stepsIn(language: string, lines: readonly string[]): readonly Step[] {
  if (lines.some((line) => line.startsWith("$ "))) return screenSteps(lines);
  if (language === "sh") return scriptSteps(lines);
  return language === "" && lines.every((line) => TYPED.test(line)) ? scriptSteps(lines) : [];
}

/** `$ command`, then what it prints. */
function screenSteps(lines: readonly string[]): readonly Step[] {
  const steps: { command: string; output: string }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), output: "" });
    else if (last?.output === "" && isOpen(last.command)) last.command += `\n${line.replace(/^> /, "")}`;
    else if (last) last.output += `${line}\n`;
  }
  return steps;
}

/** A line each; one that is not whole goes on in the next. */
function scriptSteps(lines: readonly string[]): readonly Step[] {
  const steps: { command: string }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (last && isOpen(last.command)) last.command += `\n${line}`;
    else if (line.trim() !== "" && !line.startsWith("#")) steps.push({ command: line });
  }
  return steps;
}

/** A loop or a quote that has not ended. */
function isOpen(command: string): boolean {
  const loops = (command.match(/\bwhile\b/g)?.length ?? 0) - (command.match(/^done$/gm)?.length ?? 0);
  return loops > 0 || quotesOpen(command) || command.endsWith("\\");
}

function quotesOpen(command: string): boolean {
  return /^(?:[^'"#\\]|\\.|\B#|'[^']*'|"[^"]*"|(?<!\s)#|\s#.*$)*$/ms.test(command) === false;
}

/** Code within sentences and tables that is a command line, such as `milepost sessions` or `task add "Write the docs"`. */
export function mentionsIn(document: string, names: ReadonlySet<string>): readonly string[] {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const verbs = [...prose.matchAll(VERBS)].flatMap(([table]) => verbsIn(table));
  const found = [...prose.replaceAll(VERBS, "").matchAll(SPAN)].map(([, code = ""]) => code.replaceAll("\n", " "));
  return [...new Set([...verbs, ...found.filter((code) => isCommand(code, names)).map(asTyped)])];
}

const VERBS = /^\| verb \|[\s\S]*?\n\n/gm;
const SPAN = /(?<!`)`([^`]+)`(?!`)/g;
/** Programs of which documents tell in a sentence. */
const PROGRAMS = new Set(["milepost", "npm", "npx", "node", "printf"]);

function isCommand(code: string, names: ReadonlySet<string>): boolean {
  const [first = "", second] = code.split(" ");
  return second !== undefined && (PROGRAMS.has(first) || names.has(first));
}

const asTyped = (code: string) => (PROGRAMS.has(code.split(" ")[0] ?? "") ? code : `milepost ${code}`);

/** The first column of a table of verbs of `milepost todo`. */
function verbsIn(table: string): readonly string[] {
  const cells = table.split("\n").map((row) => row.split("|")[1] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(SPAN)].map(([, code = ""]) => `milepost todo ${code}`));
}
