import { beforeEach, describe, expect, test } from "vitest";
import type { InteractiveSession } from "./drivers/interactive.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { KEYS } from "./drivers/terminal.js";
import { news, turns } from "./model/requests.js";
import { type ModelRequest, own, say, shell } from "./model/script.js";
import { begin, DONE, digests, given, isAsked, OPEN, print, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// Both clients in a terminal, as a person uses them: /compact, resume, dialogs, Escape.
const SOON_MS = 15_000; // what only the transcript tells is read a little later

describe.runIf(isAsked).each(CLIENTS)("$name in a terminal, hooks by $hooks", ({ agent, hooks }) => {
  const stage = openStage("test");
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await stage.sandbox({ agent, hooks });
  });

  const open = (...args: readonly string[]): Promise<InteractiveSession> =>
    stage.person({ agent, hooks, sandbox, args });
  const resumeArgs = agent === "codex" ? ["resume", "--last"] : ["--continue"];

  test("after /compact and after a resume the model reads exactly one digest", { timeout: SCENARIO_MS }, async () => {
    const first = await open();
    await first.connected();
    await first.turn("Plan the work.", [...begin, say("Planned. Shall I go on?")]);
    expect((await first.command("/compact")).map(({ kind }) => kind)).toContain("summary");
    const compacted = turns(await first.turn("Go on.", [say("I go on.")])).at(0);
    print("after /compact", digestsOf(compacted));
    expectOneDigest(compacted);
    await first.command("/compact");
    print("the screen", [first.app.screen()]);
    expect(first.app.history()).not.toMatch(/hook (error|failed)/i);
    await first.close();

    const second = await open(...resumeArgs);
    const resumed = turns(await second.turn("Go on again.", [say("I go on again.")])).at(0);
    print("after /compact and a resume", digestsOf(resumed));
    expectOneDigest(resumed);
  });

  test("a permission dialog is waited for, and Escape ends that", { timeout: SCENARIO_MS }, async () => {
    const session = await open(...(agent === "codex" ? ["-s", "read-only", "-a", "on-request"] : []));
    await session.turn("Make a file.", [elevated(agent)]);
    await session.app.see(/Do you want to proceed|Would you like to run|Yes, proceed/);
    await expectState(sandbox, "a permission dialog", "waiting", /permission/);
    session.app.type(KEYS.escape);
    await expectState(sandbox, "Escape in it", "idle");
  });

  test("a question is waited for, with its text, and Escape ends that", { timeout: SCENARIO_MS }, async () => {
    const session = await open();
    if (agent === "codex") await session.command("/plan"); // it asks nothing outside plan mode
    await session.turn("Ask me.", [question(agent)]);
    await session.app.see(/Drop the old column now/);
    await expectState(sandbox, "a question", "waiting", /Drop the old column now\?/);
    session.app.type(KEYS.escape);
    await expectState(sandbox, "Escape in it", "idle");
  });

  test("a turn runs until Escape", { timeout: SCENARIO_MS }, async () => {
    const session = await open();
    session.model.play([() => new Promise(() => undefined)]); // the model never answers
    session.app.type("Wait.");
    await session.app.quiet(500);
    session.app.type(KEYS.enter);
    await session.app.see(() => session.model.left() === 0);
    await expectState(sandbox, "a running turn", "running");
    session.app.type(KEYS.escape);
    await expectState(sandbox, "Escape in it", "idle");
  });
});

const OPTIONS = [
  { label: "Now", description: "At once" },
  { label: "Later", description: "With the next release" },
];
const QUESTION = { question: "Drop the old column now?", header: "Column", options: OPTIONS };

const question = (agent: string) =>
  agent === "codex"
    ? own("request_user_input", { questions: [{ id: "column", ...QUESTION }] })
    : own("AskUserQuestion", { questions: [{ ...QUESTION, multiSelect: false }] });

/** A command that has to be asked for. */
const elevated = (agent: string) =>
  agent === "codex"
    ? own("exec_command", { cmd: "touch made", sandbox_permissions: "require_escalated", justification: "A file?" })
    : shell("touch made");

/** The state of the newest session in the JSON, and the reason for it in the view. */
async function expectState(sandbox: Sandbox, where: string, state: string, reason?: RegExp): Promise<void> {
  const newest = async () => JSON.parse((await sandbox.milepost(["sessions", "--json"])).out).sessions[0]?.state;
  await expect.poll(newest, { timeout: SOON_MS, interval: 500, message: `beside ${where}` }).toBe(state);
  const { out } = await sandbox.milepost(["sessions"]);
  const [head = "", ...lines] = out.split("\n");
  print(`sessions beside ${where}`, [[head, ...lines.slice(0, 3)].join("\n")]);
  if (reason) expect(lines.slice(0, 3).join("\n")).toMatch(reason);
}

const digestsOf = (request: ModelRequest | undefined) => digests(given(request));

function expectOneDigest(request: ModelRequest | undefined): void {
  const found = digestsOf(request);
  expect(found).toHaveLength(1);
  for (const item of OPEN) expect(found[0]).toContain(item);
  expect(found[0]).not.toContain(DONE);
  expect(news(given(request)).filter(({ text }) => /^Milepost reminder/.test(text))).toEqual([]);
}
