import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "./databases.js";
import { clean, eventsOf, hook } from "./hook-process.js";

// Two wirings, or a server and its guard: two processes report the same event at the same time, on every engine.

const folder = mkdtempSync(join(tmpdir(), "milepost-at-once-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TURN = { prompt_id: "p1" };
const TODOS = [{ content: "Fix", status: "in_progress", activeForm: "Fixing" }];
const LIST = { tool_name: "TodoWrite", tool_use_id: "c1", tool_input: { todos: TODOS } };
const SHELL = { tool_name: "Bash", tool_use_id: "c2", tool_input: { command: "ls" } };

const RUN: readonly (readonly [event: string, fields: object])[] = [
  ["SessionStart", { source: "startup" }],
  ["UserPromptSubmit", { ...TURN, prompt: "go" }],
  ["PostToolUse", { ...TURN, ...LIST, tool_response: {} }],
  ["PermissionRequest", { ...TURN, ...SHELL, tool_use_id: undefined }],
  ["PostToolBatch", { ...TURN, tool_calls: [{ ...SHELL, tool_response: "ok" }] }],
  ["Stop", { ...TURN, last_assistant_message: "Done.", stop_hook_active: false }],
  ["Stop", { ...TURN, last_assistant_message: "Done.", stop_hook_active: true }],
  ["SessionStart", { source: "resume" }],
  ["SessionEnd", { reason: "other" }],
];

const FACTS = [
  "session.started",
  "turn.started",
  "phase.opened",
  "todo.added",
  "list-tool.changed",
  "call.ended",
  "person.awaited",
  "reply.ended",
  "call.ended",
  "stop",
  "stop",
  "session.started",
  "session.ended",
];

/** A hook of a busy machine gives its fact to the spool, and then nothing is said: whoever stops has then just stopped. */
const STOPS = ["turn.ended", "reminder.sent"];

test.each([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ MILEPOST_STORE: await freshDatabase("at_once") })],
])("%s: events and words of two hooks at the same time are those of one", async (name, store) => {
  const environment = clean({ MILEPOST_HOME: join(folder, name), HOME: folder, ...(await store()) });
  const said: string[] = [];
  for (const [event, fields] of RUN) {
    const told = { session_id: "s1", hook_event_name: event, cwd: folder, ...fields };
    const both = await Promise.all([hook(told, environment), hook(told, environment)]);
    expect(both).toMatchObject([
      { exit: 0, err: "" },
      { exit: 0, err: "" },
    ]);
    said.push(...both.map(({ out }) => out).filter(Boolean));
  }
  const logged = (await eventsOf(environment)).map(({ type }) => (STOPS.includes(type) ? "stop" : type));
  expect(logged.filter((type) => type !== "digest.sent")).toEqual(FACTS);
  for (const words of ["you stop", "open todos"])
    expect(said.filter((text) => text.includes(words)).length).toBeLessThanOrEqual(1);
});
