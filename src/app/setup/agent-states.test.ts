import { expect, test } from "vitest";
import { agentState } from "./agent-states.js";
import type { WiringCheck } from "./wiring-check.js";

const CODEX = { name: "codex", title: "Codex" } as const;
const found = (code: string): WiringCheck["findings"][number] => ({ code, level: "broken", message: "It fails." });
const check = (parts: Partial<WiringCheck>): WiringCheck => ({
  isOutdated: false,
  works: [],
  findings: [],
  notes: [],
  ...parts,
});
const SETUP = "milepost setup codex";

test.each<[string, WiringCheck | undefined, string | null, string, string | null]>([
  ["nothing of ours", undefined, null, "not-wired", SETUP],
  ["wiring that works", check({}), null, "wired", null],
  ["a plugin that works", check({}), "milepost@milepost", "plugin", null],
  ["wiring of an earlier version", check({ isOutdated: true }), null, "outdated", SETUP],
  ["wiring that fails", check({ isOutdated: true, findings: [found("hook-failed")] }), null, "broken", SETUP],
  ["a file that only a person can put right", check({ findings: [found("unread-file")] }), null, "broken", null],
  [
    "such a file, and something else",
    check({ findings: [found("unread-file"), found("stale-path")] }),
    null,
    "broken",
    null,
  ],
  ["a plugin that fails", check({ findings: [found("stale-path")] }), "milepost@milepost", "broken", null],
])("%s", (_name, wiring, plugin, state, command) => {
  expect(agentState(CODEX, wiring, plugin)).toMatchObject({ agent: "codex", title: "Codex", state, command, plugin });
});
