import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClaude } from "./claude.js";
import type { Client, ClientEnd } from "./client.js";
import { ensureClients } from "./clients.js";
import { afterCompaction, turns } from "./model/requests.js";
import { own, say, shell } from "./model/script.js";
import type { Sandbox } from "./sandbox.js";
import {
  DONE,
  digests,
  given,
  INSTALL_MS,
  ITEMS,
  isAsked,
  OPEN,
  print,
  reminders,
  repeat,
  runTurn,
  SCENARIO_MS,
  wiredSandbox,
} from "./scenario.js";

// A person who wants no tool of ours: Claude Code's Task tools only, and never a call of ours.
const plan = [
  ...ITEMS.map((subject) => own("TaskCreate", { subject, description: `${subject}, all of it` })),
  own("TaskUpdate", { taskId: "1", status: "in_progress" }),
  own("TaskUpdate", { taskId: "1", status: "completed" }),
  own("TaskUpdate", { taskId: "2", status: "in_progress" }),
];
const LONG_WORK = 12; // more replies than the 10 after which reminders begin

describe.runIf(isAsked)("Claude Code's own Task tools", () => {
  let client: Client;
  let sandbox: Sandbox;
  let first: ClientEnd;

  beforeAll(async () => {
    client = createClaude((await ensureClients()).claude);
    sandbox = await wiredSandbox("claude-code", "--todo", "client");
    const work = repeat(LONG_WORK, (nth) => [shell(`ls ${"-a ".repeat(nth)}`)]);
    const script = [...plan, ...work, { ...shell("ls"), contextFull: true }, say("The bug is found.")];
    first = await client.run({ sandbox, prompt: "Fix the bug.", script });
    expect(first, first.err).toMatchObject({ exit: 0 });
  }, INSTALL_MS);
  afterAll(() => sandbox?.remove());

  test("nothing of ours is offered, and nothing of ours costs tokens", () => {
    const request = given(turns(first.requests)[0]);
    print("tools in the first request", [request.tools.map(({ name }) => name).join(" ")]);
    expect(request.tools.filter(({ name }) => /milepost/.test(name))).toEqual([]);
    expect(request.texts.filter(({ text }) => /mcp__milepost|## milepost/.test(text))).toEqual([]);
  });

  test("no reminder that there is no list; one that the list grows old, naming TaskUpdate", () => {
    const said = [...new Set(turns(first.requests).flatMap(reminders))];
    print("reminders", said);
    expect(said.filter((text) => /no todo list/i.test(text))).toEqual([]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("TaskUpdate");
    expect(said[0]).not.toMatch(/todo tool|mcp__milepost|`todo`/);
  });

  test("its open tasks are in the first request after compaction", () => {
    const after = given(afterCompaction(first.requests));
    print("digest after compaction", digests(after));
    expectOpen(digests(after));
  });

  test("and in the first request after a resume", { timeout: SCENARIO_MS }, async () => {
    const script = [...plan, say("I stop here.")];
    const { session } = await runTurn(client, { sandbox, prompt: "Fix the bug.", script });
    const run = { sandbox, prompt: "Go on.", script: [say("I go on.")], resume: session };
    const request = given(turns((await runTurn(client, run)).requests)[0]);
    print("digest after resume", digests(request));
    expectOpen(digests(request));
  });

  test("status line, digest, todo and sessions tell the same", { timeout: SCENARIO_MS }, async () => {
    const input = JSON.stringify({ session_id: first.session, cwd: sandbox.project });
    const [line, digest, todos, sessions, json] = await Promise.all([
      sandbox.milepost(["statusline"], input),
      sandbox.milepost(["digest", "--session", first.session]),
      sandbox.milepost(["todo", "--session", first.session]),
      sandbox.milepost(["sessions"]),
      sandbox.milepost(["sessions", first.session, "--json"]),
    ]);
    const outs = { line, digest, todos, sessions };
    for (const [name, { out, err }] of Object.entries(outs)) print(name, [out || err]);
    expect(line.out).toMatch(new RegExp(`1/3 .*${OPEN[0]}`));
    for (const item of OPEN) expect(digest.out).toContain(item);
    expect(digest.out).not.toContain(DONE);
    expect(todos.out).toMatch(/1\/3/);
    for (const item of ITEMS) expect(todos.out).toContain(item);
    expect(sessions.out).toMatch(new RegExp(`1/3 .*${OPEN[0]}`));
    // State stays apart: these are the client's tasks, not a todo list.
    const [session] = JSON.parse(json.out).sessions;
    expect(session.tasks).toHaveLength(ITEMS.length);
  });

  test("done on what the client owns is refused, with the command to use", { timeout: SCENARIO_MS }, async () => {
    const end = await sandbox.milepost(["todo", "done", "2", "--session", first.session]);
    print("todo done 2", [end.err]);
    expect(end.exit).not.toBe(0);
    expect(end.err).toMatch(/milepost tell/);
  });
});

function expectOpen(found: readonly string[]): void {
  expect(found).toHaveLength(1);
  for (const item of OPEN) expect(found[0]).toContain(item);
  expect(found[0]).not.toContain(DONE);
}
