import { type Box, boxIn, headingIn, NO_PHASE } from "../markdown.js";
import type { BlockablePhase, BlockableStatus, BlockableTask } from "./blockable-tasks.js";
import { keepOneActive } from "./todo-op.js";

const BOXES: Readonly<Record<BlockableStatus, string>> = {
  pending: " ",
  in_progress: "/",
  completed: "x",
  abandoned: "-",
  blocked: "!",
};

/** The list as a person edits it. Nothing is escaped, so not every list comes back as it was. */
export function toChecklist(phases: readonly BlockablePhase[]): string {
  if (phases.length === 0) return `# ${NO_PHASE}\n`;
  return phases.map(({ name, tasks }) => `${[`# ${name}`, ...tasks.map(taskLine)].join("\n")}\n`).join("\n");
}

/** What a blocked task waits for is a comment: nobody sees it where markdown is shown. */
function taskLine({ content, status, blocker }: BlockableTask): string {
  const note = status === "blocked" && blocker ? ` <!-- blocker: ${blocker} -->` : "";
  return `- [${BOXES[status]}] ${content}${note}`;
}

interface ReadTask {
  readonly content: string;
  status: BlockableStatus;
  readonly blocker?: string;
}

interface Reading {
  readonly phases: { readonly name: string; readonly tasks: ReadTask[] }[];
  readonly errors: string[];
}

/** `errors`: one for each line that says nothing to us. Who reads a whole list refuses it when there is one. */
export function fromChecklist(text: string): {
  readonly phases: readonly BlockablePhase[];
  readonly errors: readonly string[];
} {
  const reading: Reading = { phases: [], errors: [] };
  for (const [at, line] of text.split(/\r?\n/).entries()) readLine(reading, line.trim(), at + 1);
  keepOneActive(reading.phases.flatMap(({ tasks }) => tasks));
  return reading;
}

function readLine({ phases, errors }: Reading, line: string, number: number): void {
  if (line === "") return;
  const heading = headingIn(line);
  const box = heading === undefined ? boxIn(line, true) : undefined;
  if (heading !== undefined) phases.push({ name: heading, tasks: [] });
  if (box && phases.length === 0) phases.push({ name: NO_PHASE, tasks: [] });
  const task = box && taskIn(box);
  if (task) phases.at(-1)?.tasks.push(task);
  else if (box) errors.push(`Line ${number}: unknown status marker "[${box.marker}]" (use [ ], [x], [/], [-], [!])`);
  else if (heading === undefined) errors.push(`Line ${number}: unrecognized syntax "${line}"`);
}

function taskIn({ marker, content }: Box): ReadTask | undefined {
  const status = MARKERS.get(marker);
  const blocked = status === "blocked" ? blockerIn(content) : undefined;
  return status && { content, status, ...blocked };
}

const MARKERS: ReadonlyMap<string, BlockableStatus> = new Map([
  ["", "pending"],
  [" ", "pending"],
  ["x", "completed"],
  ["X", "completed"],
  ["/", "in_progress"],
  [">", "in_progress"],
  ["-", "abandoned"],
  ["~", "abandoned"],
  ["!", "blocked"],
]);

const COMMENT_END = "-->";

/** The comment begins where the first one does, and reaches to the end of the line. */
function blockerIn(line: string): { readonly content: string; readonly blocker: string } | undefined {
  const comment = /<!--\s*blocker:/.exec(line);
  if (!comment || !line.endsWith(COMMENT_END)) return undefined;
  const content = line.slice(0, comment.index).trim();
  return { content, blocker: line.slice(comment.index + comment[0].length, -COMMENT_END.length).trim() };
}
