import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DIALECTS, TASK_DIALECTS } from "../src/dialects/registry.js";
import { clean, command } from "./hook-process.js";

// `milepost call` without a session: the session `default`, but for dialects whose original refuses such a call.

const NO_SESSION = "error: taskflow tool requires a session context; call was made without session_id";
const START = { action: "start", controller_id: "c", goal: "g" };
const REFUSING = ["nexo-taskflow"];

function call(args: readonly string[], line: object): { readonly text: string; readonly isError: boolean } {
  const environment = clean({ MILEPOST_HOME: mkdtempSync(join(tmpdir(), "milepost-call-")) });
  return JSON.parse(command(["call", ...args], JSON.stringify(line), environment).out);
}

test.each<[string, readonly string[], object, boolean]>([
  ["none", [], {}, true],
  ["null", [], { session: null }, true],
  ["named by the line", [], { session: "s" }, false],
  ["named by the flag", ["--session", "s"], {}, false],
  ["called like the default", ["--session", "default"], {}, false],
  ["none, but a list", ["--list", "l"], {}, true],
  ["none, but a sub-agent", [], { agent: "a" }, true],
])("nexo-taskflow, session: %s", (_, args, more, isRefused) => {
  const answer = call(["--dialect", "nexo-taskflow", ...args], { tool: "taskflow", input: START, ...more });
  expect([answer.isError, answer.text === NO_SESSION]).toEqual([isRefused, isRefused]);
  const mixed = call(args, { dialect: "nexo-taskflow", tool: "taskflow", input: { action: "x" }, ...more });
  expect([mixed.isError, mixed.text === NO_SESSION]).toEqual([true, isRefused]);
});

test.each(
  [...DIALECTS, ...TASK_DIALECTS].flatMap(({ name, tools }) => tools.map((tool) => [name, tool.name] as const)),
)("%s %s answers alike in no session and in the default one", (dialect, tool) => {
  const [nameless, named] = [[], ["--session", "default"]].map((session) =>
    call(["--dialect", dialect, ...session], { tool, input: {} }),
  );
  if (REFUSING.includes(dialect)) expect(nameless?.text).toBe(NO_SESSION);
  else expect(nameless).toEqual(named);
});
