import { toMarkdown } from "./markdown.js";
import type { PiPhase } from "./pi-phases.js";

/** In the terminal, or as plain text to another program (an editor, a pipe). */
export type SlashMode = "tui" | "text";

/** How a text is shown. Text mode knows one way alone: "output". */
export type SlashLevel = "status" | "error" | "warning" | "output";

export interface SlashSay {
  readonly type: "say";
  readonly level: SlashLevel;
  readonly text: string;
  /** Nothing was done: text mode does not show it. */
  readonly isRefused: boolean;
}

export function say(mode: SlashMode, level: SlashLevel, text: string): SlashSay {
  return { type: "say", level: mode === "text" ? "output" : level, text, isRefused: level === "error" };
}

interface HelpLine {
  readonly usage: string;
  readonly tui: string;
  readonly text: string;
}

/** Rows that are the same in both modes have one text. */
function row(usage: string, tui: string, text: string = tui): HelpLine {
  return { usage, tui, text };
}

const HELP: readonly HelpLine[] = [
  row("", "Show current todos"),
  row("edit", "Open todos in $EDITOR", "(TUI only) open in $EDITOR"),
  row("copy", "Copy todos as Markdown to clipboard", "Print todos as Markdown"),
];

const FILE_HELP: Readonly<Record<SlashMode, readonly HelpLine[]>> = {
  tui: [
    row("export <path>", "Write todos as Markdown to <path>"),
    row("import <path>", "Replace todos from Markdown at <path>"),
  ],
  text: [
    row("export [<path>]", "Write todos to file (default: TODO.md)"),
    row("import [<path>]", "Replace todos from file (default: TODO.md)"),
  ],
};

const CHANGE_HELP: readonly HelpLine[] = [
  row("append [<phase>] <task...>", "Append a task; phase fuzzy-matched or auto-created", "Append a task"),
  row("start  <task>", "Mark task in_progress (fuzzy content match)", "Mark task in_progress (fuzzy match)"),
  row("done   [<task|phase>]", "Mark task/phase/all completed"),
  row("drop   [<task|phase>]", "Mark task/phase/all abandoned"),
  row("rm     [<task|phase>]", "Remove task/phase/all"),
];

const USAGE_COLUMN = 29;

export function helpText(name: string, mode: SlashMode): string {
  const rows = [...HELP, ...FILE_HELP[mode], ...CHANGE_HELP];
  const lines = rows.map((line) => `  ${name} ${line.usage.padEnd(USAGE_COLUMN)}${line[mode]}`);
  return [`Usage: ${name} <verb> [args]`, ...lines].join("\n");
}

/** What the model is told of a change that a person made. */
export function manualEditReminder(action: string, phases: readonly PiPhase[]): string {
  return [
    "<system-reminder>",
    `The user manually modified the todo list (${action}).`,
    "Current todo list:",
    "",
    phases.length === 0 ? "(empty)" : toMarkdown(phases).trimEnd(),
    "</system-reminder>",
  ].join("\n");
}

export function exported(path: string, mode: SlashMode): SlashSay {
  return say(mode, "status", `Wrote todos to ${path}`);
}

export function exportFailed(path: string, problem: string, mode: SlashMode): SlashSay {
  return say(mode, "error", `Failed to write ${path}: ${problem}`);
}

export function importFailed(path: string, problem: string, mode: SlashMode): SlashSay {
  return say(mode, "error", `Failed to read ${path}: ${problem}`);
}

export function copied(mode: SlashMode): SlashSay {
  return say(mode, "status", "Copied todos as Markdown to clipboard.");
}

/** The clipboard's own words. */
export function copyFailed(problem: string, mode: SlashMode): SlashSay {
  return say(mode, "error", problem);
}

export function noEditor(mode: SlashMode): SlashSay {
  return say(mode, "warning", "No editor configured. Set $VISUAL or $EDITOR environment variable.");
}

export function editorFailed(problem: string, mode: SlashMode): SlashSay {
  return say(mode, "warning", `Failed to open external editor: ${problem}`);
}

export function editUnsaved(mode: SlashMode): SlashSay {
  return say(mode, "warning", "Editor exited without saving; todos unchanged.");
}
