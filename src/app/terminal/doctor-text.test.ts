import { expect, test } from "vitest";
import type { AgentState } from "../setup/agent-states.js";
import { doctorText } from "./doctor-text.js";

type Row = readonly [title: string, state: AgentState["state"]];

function agent([title, state]: Row): AgentState {
  const name = title.toLowerCase() as AgentState["agent"];
  const command = state === "wired" ? null : `milepost setup ${name}`;
  return { agent: name, title, version: null, state, command, plugin: null, works: [], findings: [], notes: [] };
}

function lastRow(agents: readonly Row[]): string | undefined {
  const own = { trouble: undefined, spool: undefined, accepted: undefined, redacted: undefined };
  const settings = { file: "/s/config.json", project: null, set: [], listsOff: [], findings: [] };
  const report = { store: "/s/milepost.db", findings: [], isHealthy: true, retention: "", settings, ...own };
  const output = { write: async () => {}, isTerminal: false, hasColor: false, columns: 80 };
  return doctorText({ ...report, wiring: agents.map(agent) }, output, {})
    .split("\n\n")
    .at(-1)
    ?.trimEnd();
}

test.each<[string, readonly Row[], string]>([
  ["all is well", [["Codex", "wired"]], "No problems."],
  ["one to wire", [["Codex", "not-wired"]], "No problems. To wire Codex: milepost setup codex"],
  [
    "one to wire, one to update",
    [
      ["OpenClaw", "not-wired"],
      ["Codex", "outdated"],
    ],
    "No problems. To wire OpenClaw: milepost setup openclaw. To update Codex: milepost setup codex",
  ],
  [
    "three to wire",
    [
      ["pi", "not-wired"],
      ["Codex", "not-wired"],
      ["OpenClaw", "not-wired"],
    ],
    "No problems. To wire pi, Codex and OpenClaw: milepost setup",
  ],
])("what it comes to: %s", (_name, agents, text) => {
  expect(lastRow(agents)).toBe(text);
});
