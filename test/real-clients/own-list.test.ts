import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CLAUDE_MODELS } from "./drivers/claude.js";
import type { Client, ClientEnd } from "./drivers/client.js";
import { CODEX_MODELS } from "./drivers/codex.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { afterCompaction, turns } from "./model/requests.js";
import { type ModelScript, own, say, shell } from "./model/script.js";
import {
  DONE,
  digests,
  expectGood,
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
} from "./scenario.js";
import { openStage } from "./stage.js";

// A person who wants no tool of ours: the client's own list only, and never a call of ours. Without a server of ours,
// hooks are commands.
const LONG_WORK = 12; // more replies than the 10 after which reminders begin

const tasks = [
  ...ITEMS.map((subject) => own("TaskCreate", { subject, description: `${subject}, all of it` })),
  own("TaskUpdate", { taskId: "1", status: "in_progress" }),
  own("TaskUpdate", { taskId: "1", status: "completed" }),
  own("TaskUpdate", { taskId: "2", status: "in_progress" }),
];
const steps = (...statuses: readonly string[]) =>
  own("update_plan", { plan: ITEMS.map((step, nth) => ({ step, status: statuses[nth] })) });
const plan = [steps("in_progress", "pending", "pending"), steps("completed", "in_progress", "pending")];

interface OwnList {
  readonly agent: Client["agent"];
  readonly model: string;
  readonly script: ModelScript;
  readonly tool: string;
}
const OWN_LISTS: readonly OwnList[] = [
  { agent: "claude-code", model: CLAUDE_MODELS[0], script: tasks, tool: "TaskUpdate" },
  ...CODEX_MODELS.map((model) => ({ agent: "codex" as const, model, script: plan, tool: "update_plan" })),
];

describe.runIf(isAsked).each(OWN_LISTS)("$tool of $agent with $model", ({ agent, model, script: list, tool }) => {
  const stage = openStage("block");
  let client: Client;
  let sandbox: Sandbox;
  let first: ClientEnd;

  beforeAll(async () => {
    client = stage.client(agent, model);
    sandbox = await openSandbox();
    stage.keep(sandbox.remove);
    // Codex offers its list on request only.
    writeFileSync(join(sandbox.home, "codex", "config.toml"), "[tools.update_plan]\nenabled = true\n");
    await expectGood(sandbox.milepost(["setup", client.agent, "--todo", "client", "--yes"]));
    const work = repeat(LONG_WORK, (nth) => [shell(`ls ${"-a ".repeat(nth)}`)]);
    const script = [...list, ...work, { ...shell("ls"), contextFull: true }, say("The bug is found.")];
    first = await client.run({ sandbox, prompt: "Fix the bug.", script });
    expect(first, first.err).toMatchObject({ exit: 0 });
  }, INSTALL_MS);

  test("nothing of ours is offered, and nothing of ours costs tokens", () => {
    const request = given(turns(first.requests)[0]);
    print("tools in the first request", [request.tools.map(({ name }) => name).join(" ")]);
    expect(request.tools.filter(({ name }) => /milepost/.test(name))).toEqual([]);
    expect(request.texts.filter(({ text }) => /mcp__milepost|## milepost/.test(text))).toEqual([]);
  });

  test("no reminder that there is no list; one that the list grows old, naming the right tool", () => {
    const said = [...new Set(turns(first.requests).flatMap(reminders))];
    print("reminders", said);
    expect(said.filter((text) => /no todo list/i.test(text))).toEqual([]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(tool);
    expect(said[0]).not.toMatch(/todo tool|mcp__milepost|`todo`/);
  });

  test("what is open is in the first request after compaction", () => {
    const after = given(afterCompaction(first.requests));
    print("digest after compaction", digests(after));
    expectOpen(digests(after));
  });

  test("and in the first request after a resume", { timeout: SCENARIO_MS }, async () => {
    const script = [...list, say("I stop here.")];
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
    // State stays apart: tasks are the client's, a plan is the session's list.
    const [session] = JSON.parse(json.out).sessions;
    const texts = session.list?.phases.flatMap((phase: { todos: unknown[] }) => phase.todos) ?? [];
    expect([session.tasks.length, texts.length]).toEqual(tool === "TaskUpdate" ? [3, 0] : [0, 3]);
  });

  test("a person's done: tasks are refused, with the command to use; a plan is changed", {
    timeout: SCENARIO_MS,
  }, async () => {
    const end = await sandbox.milepost(["todo", "done", "2", "--session", first.session]);
    print("todo done 2", [end.err || end.out]);
    if (tool === "TaskUpdate") expect(end).toMatchObject({ exit: 1, err: expect.stringMatching(/milepost tell/) });
    else expect(end).toMatchObject({ exit: 0, out: expect.stringContaining(`Done: 2 ${OPEN[0]}`) });
  });
});

function expectOpen(found: readonly string[]): void {
  expect(found).toHaveLength(1);
  for (const item of OPEN) expect(found[0]).toContain(item);
  expect(found[0]).not.toContain(DONE);
}
