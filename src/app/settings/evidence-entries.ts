import { EVIDENCE_POLICIES } from "../../core/session/events.js";
import { OFF_THEN_ON, oneOf, onOff, type SettingEntry } from "./setting-entry.js";

/** Only a person sets these, in a terminal of their own: an agent would judge its own work by them. */
export const EVIDENCE = "evidence";
export const CHECK_PATTERNS = "checks.patterns";

/** What counts as a check, what is said where there was none, and what watches for loops. */
export const EVIDENCE_ENTRIES: readonly SettingEntry[] = [
  oneOf(
    {
      name: EVIDENCE,
      variable: "MILEPOST_EVIDENCE",
      summary: "todos completed with no check run: nothing is said, one reminder, or a stop is refused",
      words: EVIDENCE_POLICIES,
      tighter: EVIDENCE_POLICIES,
    },
    ({ evidence }) => evidence,
    (settings, evidence) => ({ ...settings, evidence }),
  ),
  {
    name: CHECK_PATTERNS,
    variable: "MILEPOST_CHECK_PATTERNS",
    summary: "more commands that count as checks, separated by commas, such as ./verify.sh,just test",
    takes: "use the beginnings of commands, separated by commas, or none",
    read: ({ checkPatterns }) => checkPatterns.join(","),
    write: (settings, value) => {
      const checkPatterns = asCommands(value);
      return checkPatterns && { ...settings, checkPatterns };
    },
  },
  onOff(
    {
      name: "detectors",
      variable: "MILEPOST_DETECTORS",
      summary: "watch for loops and work that stands still: on or off",
      tighter: OFF_THEN_ON,
    },
    ({ detectors }) => detectors.isOn,
    (settings, isOn) => ({ ...settings, detectors: { ...settings.detectors, isOn } }),
  ),
  // A project may set neither: it must not stop a call, nor let one through that its person wants stopped.
  onOff(
    {
      name: "detectors.block",
      variable: "MILEPOST_DETECTORS_BLOCK",
      summary: "refuse a call that goes on with a loop after its warnings: on or off",
    },
    ({ detectors }) => detectors.blocks,
    (settings, blocks) => ({ ...settings, detectors: { ...settings.detectors, blocks } }),
  ),
  onOff(
    {
      name: "detectors.openclaw",
      variable: "MILEPOST_DETECTORS_OPENCLAW",
      summary: "OpenClaw's loop detectors beside ours, with its limits and messages: on or off",
    },
    ({ detectors }) => detectors.openclaw,
    (settings, openclaw) => ({ ...settings, detectors: { ...settings.detectors, openclaw } }),
  ),
];

const MOST_COMMANDS = 50;
/** Separated by commas or lines; `none` or nothing for none. */
function asCommands(value: unknown): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const commands = value
    .split(/[,\n]/)
    .map((command) => command.trim().replace(/\s+/g, " "))
    .filter((command) => command !== "");
  if (commands.length === 1 && commands[0] === "none") return [];
  const unique = [...new Set(commands)];
  return unique.length <= MOST_COMMANDS && unique.every(isCommand) ? unique : undefined;
}

/** Begins as a command does, and is one line without anything that a terminal obeys. */
function isCommand(text: string): boolean {
  return /^[\w./~@][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,199}$/u.test(text);
}
