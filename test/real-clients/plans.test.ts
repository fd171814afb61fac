import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAppServer } from "./drivers/app-server.js";
import { openClaudeHost, type Person } from "./drivers/claude-host.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { KEYS, type TerminalApp } from "./drivers/terminal.js";
import { answers, turns } from "./model/requests.js";
import { type FakeModel, type ModelScript, own, say, shell } from "./model/script.js";
import { expectPlans, FIRST, plansLogged, plansOf, SECOND, serverTable, WORDS } from "./plan-checks.js";
import { expectGood, given, isAsked, print, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// Plans that the clients make in their plan modes: what a person said to them there, and what they say here.

const NOT_IN_PLAN_MODE = "update_plan is a TODO/checklist tool and is not allowed in Plan mode";

describe.runIf(isAsked).each(CLIENTS.filter(({ agent }) => agent === "claude-code"))(
  "plans of $name, hooks by $hooks",
  (wiring) => {
    const stage = openStage("test");

    test("one rejected with words and one approved, in its terminal", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const session = await stage.person({ ...wiring, sandbox, args: ["--permission-mode", "plan"] });
      session.model.play(proposals(session.model, FIRST, SECOND));
      await press(session.app, "Plan the rename.", KEYS.enter);
      await session.app.see(/Tell Claude what to change/);
      await session.app.quiet();
      await expectPlans(sandbox, [{ text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
      await press(session.app, KEYS.down, KEYS.down, WORDS, KEYS.enter);
      await session.app.see((screen) => /Tell Claude what to change/.test(screen) && /Ask who uses x/.test(screen));
      await session.app.quiet();
      await press(session.app, KEYS.down, KEYS.enter);
      await session.app.see(/I begin/);
      print("the screen", [session.app.screen()]);
      const decided = [
        { text: FIRST, status: "rejected", reason: WORDS, decidedVia: "client" },
        { text: SECOND, status: "approved", reason: null, decidedVia: "client" },
      ];
      await expectPlans(sandbox, decided);
      expect(await plansLogged(sandbox)).toEqual(["plan.proposed", "plan.rejected", "plan.proposed", "plan.approved"]);
      await expectPlans(unwired(sandbox), decided);
    });

    test("one rejected with words and one changed and approved, by its host", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const changed = `${SECOND}- Tell them\n`;
      const person: Person = {
        call: (tool, input) => {
          if (tool !== "ExitPlanMode") return undefined;
          if (input.plan === FIRST) return { behavior: "deny", message: WORDS };
          return { behavior: "allow", updatedInput: { ...input, plan: changed } };
        },
      };
      const host = await openClaudeHost({ binary: stage.binaries().claude, sandbox, mode: "plan", person });
      stage.keep(host.close);
      await host.turn("Plan the rename.", proposals(host.model, FIRST, SECOND));
      const decided = [
        { text: FIRST, status: "rejected", reason: WORDS, decidedVia: "client" },
        { text: changed, status: "approved", reason: null, decidedVia: "client" },
      ];
      await expectPlans(sandbox, decided);
      // Where the proposal is read from the transcript only after the decision, it has the changed text at once.
      const logged = (await plansLogged(sandbox)).filter((type) => type !== "plan.edited");
      expect(logged).toEqual(["plan.proposed", "plan.rejected", "plan.proposed", "plan.approved"]);
      await expectPlans(unwired(sandbox), decided);
    });

    test("it does not approve one by a command of its own", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const id = await proposed(sandbox);
      const { claude: binary } = stage.binaries();
      const host = await openClaudeHost({ binary, sandbox, mode: "default", person: {} });
      stage.keep(host.close);
      const requests = await host.turn("Approve it.", [shell(approval(sandbox, id)), say("It is refused.")]);
      expectRefused(answers(given(turns(requests).at(-1))));
      expect((await plansOf(sandbox))[0]).toMatchObject({ id, status: "proposed" });
    });
  },
);

describe.runIf(isAsked).each(CLIENTS.filter(({ agent }) => agent === "codex"))(
  "plans of $name, hooks by $hooks",
  (wiring) => {
    const stage = openStage("test");

    const open = async (sandbox: Sandbox) => {
      const server = await openAppServer({ binary: stage.binaries().codex, sandbox });
      stage.keep(server.close);
      return server;
    };

    test("one of plan mode is approved by a person, and not by itself", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const server = await open(sandbox);
      await server.turn("Plan the rename.", "plan", [say(`Here it is.\n${block(FIRST)}\nShall I?`)]);
      const asItIs = [{ agent: "codex", text: FIRST, status: "proposed", reason: null, decidedVia: null }];
      await expectPlans(sandbox, asItIs);
      await expectPlans(unwired(sandbox), asItIs);
      const id = given((await plansOf(sandbox))[0]).id;
      const script = [shell(approval(sandbox, id)), say("It is refused.")];
      const requests = await server.turn("Approve it yourself.", "default", script);
      expectRefused(answers(given(turns(requests).at(-1))));
      await expectPlans(sandbox, asItIs);

      const { out } = await expectGood(sandbox.milepost(["plan", "approve", id]));
      print("plan approve", [out]);
      await expectPlans(sandbox, [{ text: FIRST, status: "approved", reason: null, decidedVia: "command" }]);
      expect(await plansLogged(sandbox)).toEqual(["plan.proposed", "plan.approved"]);
      const told = await server.turn("Go on.", "default", [say("I go on.")]);
      expect(JSON.stringify(turns(told)[0]?.body)).toMatch(new RegExp(`${id}[^"]*approved|approved[^"]*${id}`));
    });

    test("one is approved in its own dialog", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const session = await stage.person({ ...wiring, sandbox });
      await session.command("/plan");
      session.model.play([say(block(FIRST)), say("I begin.")]);
      await press(session.app, "Plan the rename.", KEYS.enter);
      await session.app.see(/Yes, implement this plan/);
      await session.app.quiet();
      await expectPlans(sandbox, [{ text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
      session.app.type(KEYS.enter);
      await session.app.see(/I begin\./);
      const decided = [{ text: FIRST, status: "approved", reason: null, decidedVia: "client" }];
      await expectPlans(sandbox, decided);
      expect(await plansLogged(sandbox)).toEqual(["plan.proposed", "plan.approved"]);
      await expectPlans(unwired(sandbox), decided);
    });
  },
);

describe.runIf(isAsked)("lists in Codex's plan mode", () => {
  const stage = openStage("test");
  const list = { plan: [{ step: "Rename x to y", status: "in_progress" }] };

  test.each(["its own update_plan", "ours"])("%s is refused", { timeout: SCENARIO_MS }, async (whose) => {
    const sandbox = await openSandbox();
    stage.keep(sandbox.remove);
    const settings = join(sandbox.home, "codex", "config.toml");
    writeFileSync(settings, "[tools.update_plan]\nenabled = true\n"); // Codex offers its list on request only
    await expectGood(sandbox.milepost(["setup", "codex", "--todo", "client", "--yes"]));
    if (whose === "ours") writeFileSync(settings, serverTable([sandbox.command, "mcp", "--dialect", "codex"]));
    const server = await openAppServer({ binary: stage.binaries().codex, sandbox, name: "gpt-5.5" });
    stage.keep(server.close);
    const call: ModelScript[number] =
      whose === "ours" ? { calls: [{ type: "guess", tool: "update_plan", input: list }] } : own("update_plan", list);
    const planned = await server.turn("Plan the rename.", "plan", [call, say(block(FIRST))]);
    expect(answers(given(turns(planned).at(-1)))).toContain(NOT_IN_PLAN_MODE);
    await expectPlans(sandbox, [{ text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
    expect(await sandbox.milepost(["todo", "list", "--json"])).toMatchObject({ out: expect.stringContaining("[]") });
    const begun = await server.turn("Begin.", "default", [call, say("I begin.")]);
    expect(answers(given(turns(begun).at(-1)))).toContain("Plan updated");
  });
});

/** What makes Claude Code's model propose: it writes its plan into a file, and says that it is done. */
function proposals(model: FakeModel, ...texts: readonly string[]): ModelScript {
  let file: string | undefined;
  const written = (content: string) => async () => {
    const told = JSON.stringify(model.requests.at(-1)?.body);
    file ??= given(/create your plan at (\S+?\.md)/.exec(told)?.[1]);
    return own("Write", { file_path: file, content });
  };
  return [...texts.flatMap((text) => [written(text), own("ExitPlanMode", {})]), say("I begin.")];
}

async function press(app: TerminalApp, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    app.type(key);
    await app.quiet(500);
  }
}

const block = (text: string) => `<proposed_plan>\n${text}</proposed_plan>\n`;

const approval = ({ command }: Sandbox, id: string) =>
  `'${process.execPath}' '${command}' plan approve ${id}; echo exit $?`;

function expectRefused(answer: string): void {
  print("what the agent reads", [answer]);
  expect(answer).toContain("exit 1");
  expect(answer).toMatch(/agent/);
}

/** A plan of nobody's session, by a person's command. */
async function proposed(sandbox: Sandbox): Promise<string> {
  await expectGood(sandbox.milepost(["plan", "propose", "-"], FIRST));
  return given((await plansOf(sandbox))[0]).id;
}

/** The same person with a store that knows nothing: what is left is the client's own transcripts. */
const unwired = (sandbox: Sandbox): Sandbox => {
  const folder = join(sandbox.home, "another-store");
  mkdirSync(folder, { recursive: true });
  const env = { ...sandbox.env, MILEPOST_HOME: folder };
  const milepost = (args: readonly string[], input = "") =>
    runProcess({ command: process.execPath, args: [sandbox.command, ...args], cwd: sandbox.project, env, input });
  return { ...sandbox, env, milepost };
};
