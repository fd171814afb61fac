import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AnswerWay, askedSession, waysToAnswer } from "../../src/app/answers/ways-to-answer.js";
import { openMilepost } from "../../src/app/milepost.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { KEYS } from "./drivers/terminal.js";
import { openTmux, tmuxEnv } from "./drivers/tmux.js";
import { turns } from "./model/requests.js";
import { type ModelStep, own, say, shell } from "./model/script.js";
import { given, isAsked, print, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// Both clients in a pane of tmux: a number key that is pressed here answers there, and the model reads that choice.

const SOON_MS = 15_000;
/** More than a row of the screen. */
const TEXT =
  `Drop the old column "größe" now, or keep it for one more release, so that all the readers in both regions, and the
nightly job, have time to move?`.replaceAll("\n", " ");
const LABELS = ["Now", "Later", "Never"];
const QUESTION = {
  question: TEXT,
  header: "Column",
  options: LABELS.map((label) => ({ label, description: `${label}, as the owner of the table said` })),
};

const question = (agent: string) =>
  agent === "codex"
    ? own("request_user_input", { questions: [{ id: "column", ...QUESTION }] })
    : own("AskUserQuestion", { questions: [{ ...QUESTION, multiSelect: false }] });

/** A command that has to be asked for, and takes more than one row of the dialog. */
const COMMAND = `touch made && echo ${"written ".repeat(20)}> made`;
const elevated = (agent: string) =>
  agent === "codex"
    ? own("exec_command", { cmd: COMMAND, sandbox_permissions: "require_escalated", justification: "A file?" })
    : shell(COMMAND);

describe.runIf(isAsked).each(CLIENTS)("an answer to $name in tmux, hooks by $hooks", (wiring) => {
  const stage = openStage("test");
  const { agent } = wiring;

  /** A client in whose dialog this step has ended. */
  const asking = async (step: ModelStep, { mode, args = [] }: { mode?: string; args?: readonly string[] } = {}) => {
    const sandbox = await stage.sandbox(wiring);
    const session = await stage.person({ ...wiring, sandbox, args, terminal: openTmux });
    if (mode) await session.command(mode);
    session.model.play([step, say("Understood.")]);
    session.app.type("Ask me.");
    await session.app.quiet(500);
    session.app.type(KEYS.enter);
    await session.app.see(/1\. (?:Now|Yes)/);
    return { sandbox, session };
  };
  const answered = async ({ session }: Awaited<ReturnType<typeof asking>>) => {
    await session.app.see(() => session.model.left() === 0);
    await session.app.quiet();
    return given(turns(session.model.requests).at(-1)).texts.map(({ text }) => text);
  };
  const plan = agent === "codex" ? { mode: "/plan" } : {}; // Codex asks nothing outside plan mode

  test("the second of three choices", { timeout: SCENARIO_MS }, async () => {
    const scene = await asking(question(agent), plan);
    const way = await keysFor(scene.sandbox, LABELS);
    expect(way.choices).toEqual(LABELS);
    expect(await way.answer(4)).toMatchObject({ error: { code: "no-choice" } });
    expect(await way.answer(2)).toEqual({ ok: true, value: { choice: 2, label: "Later" } });
    const texts = await answered(scene);
    print("what the model read", texts.slice(-1));
    expect(texts.at(-1)).toMatch(agent === "codex" ? /"answers":\["Later"\]/ : /="Later"/);
    expect(await way.answer(2)).toMatchObject({ error: { code: "not-on-screen" } });
  });

  test("no key for other labels, or another question, than those on the screen", { timeout: SCENARIO_MS }, async () => {
    const { sandbox } = await asking(question(agent), plan);
    await keysFor(sandbox, LABELS);
    expect(await wayFor(sandbox, ["Now", "Never", "Later"])).toMatchObject({ type: "how" });
    const other = await wayFor(sandbox, LABELS, "Drop the old column now?");
    print("how to get there", ["text" in other ? other.text : ""]);
    expect(other).toEqual({ type: "how", text: "It waits in a pane of tmux: tmux attach -t client:0.0" });
  });

  test("a permission for a command", { timeout: SCENARIO_MS }, async () => {
    const args = agent === "codex" ? ["-s", "read-only", "-a", "on-request"] : [];
    const scene = await asking(elevated(agent), { args });
    const way = await keysFor(scene.sandbox);
    print("choices", way.choices);
    expect(way.choices[0]).toMatch(/^Yes/);
    expect(await way.answer(1)).toMatchObject({ error: { code: "choices-unseen" } });
    expect(await way.answer(1, way.choices[0])).toMatchObject({ ok: true, value: { choice: 1 } });
    print("what the model read", (await answered(scene)).slice(-1));
    expect(existsSync(join(scene.sandbox.project, "made"))).toBe(true);
  });

  test("a permission that is refused", { timeout: SCENARIO_MS }, async () => {
    const args = agent === "codex" ? ["-s", "read-only", "-a", "on-request"] : [];
    const { sandbox, session } = await asking(elevated(agent), { args });
    const way = await keysFor(sandbox);
    const last = way.choices.length;
    expect(way.choices[last - 1]).toMatch(/^No/);
    expect(await way.answer(last, way.choices[last - 1])).toMatchObject({ ok: true, value: { choice: last } });
    await session.app.quiet();
    print("the screen", [session.app.screen()]);
    expect(existsSync(join(sandbox.project, "made"))).toBe(false);
  });
});

/** As the live view asks: the report of the newest session, and the process that the store knows. */
async function wayFor(sandbox: Sandbox, choices?: readonly string[], text?: string): Promise<AnswerWay> {
  const [report] = JSON.parse((await sandbox.milepost(["sessions", "--json"])).out).sessions;
  const milepost = await openMilepost({ environment: sandbox.env, folder: sandbox.project });
  const waitingFor = report.waitingFor && { ...report.waitingFor, ...(choices && { choices }), ...(text && { text }) };
  const session = await askedSession(milepost.store, { ...report, waitingFor });
  await milepost.close();
  const environment = { ...sandbox.env, ...tmuxEnv(sandbox.home) };
  return waysToAnswer(session, { environment, userFolder: sandbox.home });
}

async function keysFor(sandbox: Sandbox, choices?: readonly string[]) {
  const ways: AnswerWay[] = [];
  const found = async () => ways[ways.push(await wayFor(sandbox, choices)) - 1];
  await expect.poll(found, { timeout: SOON_MS, interval: 500 }).toMatchObject({ type: "keys" });
  const way = ways.at(-1);
  if (way?.type !== "keys") throw new Error("There is no way by keys.");
  return way;
}
