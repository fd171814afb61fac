import { redactStart } from "../secrets/redact.js";
import { cutCodePoints } from "../text/length.js";
import { visible } from "../text/visible.js";
import { STANDING_WORDS, type StandingWord } from "./standing.js";
import type { GraphTask, TaskGraph } from "./task-graph.js";

const LABEL_MAX = 60;

function labelOf({ number, subject }: GraphTask): string {
  return `#${number} ${cutCodePoints(visible(redactStart(subject, LABEL_MAX * 4).replace(/\s+/g, " ")), LABEL_MAX)}`;
}

/** By name: a `#` in a style would be read as the start of a character code. */
const FILLS: Readonly<Record<StandingWord, string>> = {
  ready: "palegreen",
  blocked: "khaki",
  waiting: "lightyellow",
  retrying: "lightyellow",
  stale: "lightsalmon",
  in_progress: "lightskyblue",
  completed: "lightgray",
  failed: "lightcoral",
  cancelled: "lightgray",
};

/** A dotted line leads from a parent to its subtasks. */
export function toMermaid({ tasks, edges }: TaskGraph): string {
  const used = new Set([...tasks.values()].map(({ standing }) => standing));
  return [
    "flowchart LR",
    ...[...tasks.values()].map((task) => `  t${task.number}["${mermaidText(labelOf(task))}"]:::${task.standing}`),
    ...edges.map(({ type, from, to }) => `  t${from} ${type === "blocks" ? "-->" : "-.->"} t${to}`),
    ...STANDING_WORDS.filter((word) => used.has(word)).map((word) => `  classDef ${word} fill:${FILLS[word]}`),
    "",
  ].join("\n");
}

/** Escapes all but an allow list of characters, so that no text can end its label. */
function mermaidText(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} .,-]/gu, (character) => `#${character.codePointAt(0)};`);
}

export function toDot({ tasks, edges }: TaskGraph): string {
  return [
    "digraph tasks {",
    "  rankdir=LR;",
    "  node [shape=box, style=filled];",
    ...[...tasks.values()].map(
      (task) => `  ${task.number} [label="${dotText(labelOf(task))}", fillcolor=${FILLS[task.standing]}];`,
    ),
    ...edges.map(({ type, from, to }) => `  ${from} -> ${to}${type === "blocks" ? "" : " [style=dotted]"};`),
    "}",
    "",
  ].join("\n");
}

/** A backslash starts an escape in a label, and `&` a character code. */
function dotText(text: string): string {
  return text.replace(/["\\]/g, "\\$&").replaceAll("&", "&amp;");
}
