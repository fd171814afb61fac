import type { PiPhase, PiStatus, PiTask } from "./pi-phases.js";

/** Where tasks go that stand before any heading, and the heading of a list that has no phases. */
export const NO_PHASE = "Todos";

const BOXES: Readonly<Record<PiStatus, string>> = {
  pending: " ",
  in_progress: "/",
  completed: "x",
  abandoned: "-",
};

/** The list as a person edits it. Nothing is escaped, so not every list comes back as it was. */
export function toMarkdown(phases: readonly PiPhase[]): string {
  if (phases.length === 0) return `# ${NO_PHASE}\n`;
  return phases.map(({ name, tasks }) => `${[`# ${name}`, ...tasks.flatMap(taskLines)].join("\n")}\n`).join("\n");
}

function taskLines({ content, status, notes = [] }: PiTask): readonly string[] {
  const quotes = notes.flatMap((note, at) => [...(at === 0 ? [] : [""]), ...note.split("\n")]);
  return [`- [${BOXES[status]}] ${content}`, ...quotes.map((line) => (line === "" ? "  >" : `  > ${line}`))];
}

export interface ReadMarkdown {
  readonly phases: readonly PiPhase[];
  /** One for each line that says nothing to us. Who reads a whole list refuses it when there is one. */
  readonly errors: readonly string[];
}

/** Line by line and without backtracking: a file may be long, and hostile. */
export function fromMarkdown(text: string): ReadMarkdown {
  const reading: Reading = { phases: [], errors: [], task: undefined, note: [] };
  text.split(/\r?\n/).forEach((line, at) => {
    readLine(reading, line, at + 1);
  });
  endNote(reading);
  return { phases: withOneActive(reading.phases), errors: reading.errors };
}

interface Reading {
  readonly phases: { readonly name: string; readonly tasks: ReadTask[] }[];
  readonly errors: string[];
  /** Which task a quote belongs to. */
  task: ReadTask | undefined;
  note: string[];
}

interface ReadTask {
  readonly content: string;
  readonly status: PiStatus;
  readonly notes: string[];
}

function readLine(reading: Reading, line: string, number: number): void {
  const quote = reading.task && quoteIn(line);
  if (quote !== undefined) {
    if (quote === "") endNote(reading);
    else reading.note.push(quote);
    return;
  }
  const trimmed = line.trim();
  // A blank line ends nothing: notes go on behind it.
  if (trimmed === "") return;
  endNote(reading);
  reading.task = undefined;
  const heading = headingIn(trimmed);
  const box = heading === undefined ? boxIn(trimmed) : undefined;
  if (heading !== undefined) reading.phases.push({ name: heading, tasks: [] });
  else if (box) readTask(reading, box, number);
  else reading.errors.push(`Line ${number}: unrecognized syntax "${trimmed}"`);
}

function readTask(reading: Reading, { marker, content }: Box, number: number): void {
  // Also for a box that is not understood: its phase is there.
  if (reading.phases.length === 0) reading.phases.push({ name: NO_PHASE, tasks: [] });
  const status = MARKERS.get(marker);
  if (!status) {
    reading.errors.push(`Line ${number}: unknown status marker "[${marker}]" (use [ ], [x], [/], [-])`);
    return;
  }
  reading.task = { content, status, notes: [] };
  reading.phases.at(-1)?.tasks.push(reading.task);
}

const MARKERS: ReadonlyMap<string, PiStatus> = new Map([
  ["", "pending"],
  [" ", "pending"],
  ["x", "completed"],
  ["X", "completed"],
  ["/", "in_progress"],
  [">", "in_progress"],
  ["-", "abandoned"],
  ["~", "abandoned"],
]);

function endNote(reading: Reading): void {
  if (reading.note.length > 0) reading.task?.notes.push(reading.note.join("\n"));
  reading.note = [];
}

/** What ends a line elsewhere is in no text: lines are cut at line feeds alone. */
const LINE_END = /[\r\u2028\u2029]/;

/** One blank behind the `>` is not part of it. */
function quoteIn(line: string): string | undefined {
  const start = line.trimStart();
  if (!start.startsWith(">")) return undefined;
  const quote = /\s/.test(start.charAt(1)) ? start.slice(2) : start.slice(1);
  return LINE_END.test(quote) ? undefined : quote;
}

const DEEPEST_HEADING = 6;

export function headingIn(trimmed: string): string | undefined {
  let level = 0;
  while (level <= DEEPEST_HEADING && trimmed.charAt(level) === "#") level += 1;
  return level === 0 || level > DEEPEST_HEADING ? undefined : wordsBehind(trimmed, level);
}

export interface Box {
  readonly marker: string;
  readonly content: string;
}

/** `mayEscape`: some editors put a backslash before the brackets. */
export function boxIn(trimmed: string, mayEscape = false): Box | undefined {
  if (!/^[-*+]/.test(trimmed)) return undefined;
  const start = trimmed.slice(1).trimStart();
  const box = mayEscape && start.startsWith("\\") ? start.slice(1) : start;
  if (!box.startsWith("[")) return undefined;
  // One UTF-16 unit, as the original counts: two of them are no box.
  for (const marker of [box.charAt(1), ""]) {
    const end = ["]", ...(mayEscape ? ["\\]"] : [])].find((closer) => box.startsWith(closer, marker.length + 1));
    if (end === undefined) continue;
    const content = LINE_END.test(marker) ? undefined : wordsBehind(box, marker.length + 1 + end.length);
    return content === undefined ? undefined : { marker, content };
  }
  return undefined;
}

/** What stands behind at least one blank. */
function wordsBehind(trimmed: string, at: number): string | undefined {
  const rest = trimmed.slice(at);
  const words = rest.trimStart();
  return words === rest || words === "" || LINE_END.test(words) ? undefined : words;
}

/** The first one in progress stays so, else the first pending one becomes it. */
function withOneActive(phases: Reading["phases"]): readonly PiPhase[] {
  const tasks = phases.flatMap((phase) => phase.tasks);
  const active =
    tasks.find(({ status }) => status === "in_progress") ?? tasks.find(({ status }) => status === "pending");
  const settle = (task: ReadTask): PiTask => {
    const { content, notes } = task;
    const status = task === active ? "in_progress" : task.status === "in_progress" ? "pending" : task.status;
    return notes.length === 0 ? { content, status } : { content, status, notes };
  };
  return phases.map(({ name, tasks: own }) => ({ name, tasks: own.map(settle) }));
}
