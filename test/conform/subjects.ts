import type { Check } from "./case.js";
import { hermesRestore, hermesTodo } from "./hermes.js";
import { replay } from "./replay.js";

/** Which system a vector file speaks for, and how its cases are checked. */
export const SUBJECTS: Readonly<Record<string, Check>> = {
  "claude/todo": replay("claude", (text) => text),
  // The position behind a parse error is optional; where it is given, it counts.
  "codex/plan": replay("codex", (text) => text.replace(/ at line \d+ column \d+$/, "")),
  "hermes/restore": hermesRestore,
  "hermes/todo": hermesTodo,
};
