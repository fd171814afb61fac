import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openAppServer } from "./drivers/app-server.js";
import { openClaudeHost, type Person } from "./drivers/claude-host.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { KEYS } from "./drivers/terminal.js";
import { answers, turns } from "./model/requests.js";
import { type FakeModel, type ModelScript, type ModelStep, own, say, shell } from "./model/script.js";
import { expectGood, given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage, type Stage } from "./stage.js";

// Plans that the clients make in their plan modes: what a person said to them there, and what they say here.

const FIRST = "# Rename the helper\n\n- Rename x to y\n- Run the tests\n";
const SECOND = "# Rename the helper, with care\n\n- Ask who uses x\n- Rename x to y\n- Run the tests\n";
const WORDS = "Ask first who uses it.";
const NOT_IN_PLAN_MODE = "update_plan is a TODO/checklist tool and is not allowed in Plan mode";
const SOON_MS = 15_000; // what only the transcript tells is read a little later

const planSchema = z.object({
  plans: z.array(
    z.looseObject({
      id: z.string(),
      agent: z.string(),
      text: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      decidedVia: z.string().nullable(),
    }),
  ),
});
type Plans = z.infer<typeof planSchema>["plans"];

describe.runIf(isAsked).each(CLIENTS.filter(({ agent }) => agent === "claude-code"))(
  "plans of $name, hooks by $hooks",
  (wiring) => {
    const stage = openStage("test");

    test("one rejected with words and one approved, in its terminal", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const session = await stage.person({ ...wiring, sandbox, args: ["--permission-mode", "plan"] });
      session.model.play(proposals(session.model, FIRST, SECOND));
      session.app.type("Plan the rename.");
      await session.app.quiet(500);
      for (const key of [KEYS.enter]) session.app.type(key);
      await session.app.see(/Tell Claude what to change/);
      await session.app.quiet();
      await expectPlans(sandbox, [{ text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
      for (const key of [KEYS.down, KEYS.down, WORDS, KEYS.enter]) {
        session.app.type(key);
        await session.app.quiet(500);
      }
      await session.app.see((screen) => /Tell Claude what to change/.test(screen) && /Ask who uses x/.test(screen));
      await session.app.quiet();
      for (const key of [KEYS.down, KEYS.enter]) {
        session.app.type(key);
        await session.app.quiet(500);
      }
      await session.app.see(/I begin/);
      print("the screen", [session.app.screen()]);
      const decided = [
        { text: FIRST, status: "rejected", reason: WORDS, decidedVia: "client" },
        { text: SECOND, status: "approved", reason: null, decidedVia: "client" },
      ];
      await expectPlans(sandbox, decided);
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
      const told = await server.turn("Go on.", "default", [say("I go on.")]);
      expect(JSON.stringify(turns(told)[0]?.body)).toMatch(new RegExp(`${id}[^"]*approved|approved[^"]*${id}`));
    });

    test("one is approved in its own dialog", { timeout: SCENARIO_MS }, async () => {
      const sandbox = await stage.sandbox(wiring);
      const session = await stage.person({ ...wiring, sandbox });
      await session.command("/plan");
      session.model.play([say(block(FIRST)), say("I begin.")]);
      session.app.type("Plan the rename.");
      await session.app.quiet(500);
      session.app.type(KEYS.enter);
      await session.app.see(/Yes, implement this plan/);
      await session.app.quiet();
      await expectPlans(sandbox, [{ text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
      session.app.type(KEYS.enter);
      await session.app.see(/I begin\./);
      const decided = [{ text: FIRST, status: "approved", reason: null, decidedVia: "client" }];
      await expectPlans(sandbox, decided);
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

describe.runIf(isAsked)("our plan tool, for agents without a plan mode", () => {
  const stage = openStage("test");
  const plan = (text?: string): ModelStep => ({
    calls: [{ type: "guess", tool: "plan", input: text === undefined ? {} : { text } }],
  });

  /** Rejects a plan with words, and approves the next one. */
  const form = (message: string) => ({
    action: "accept",
    content: message.includes("with care") ? { decision: "approve" } : { decision: "reject", comment: WORDS },
  });

  const open = {
    "claude-code": (sandbox: Sandbox) =>
      openClaudeHost({ binary: stage.binaries().claude, sandbox, mode: "default", person: { form } }),
    codex: async (sandbox: Sandbox) => {
      const server = await openAppServer({ binary: stage.binaries().codex, sandbox, name: "gpt-5.5", form });
      return { ...server, turn: (prompt: string, script: ModelScript) => server.turn(prompt, "default", script) };
    },
  };

  test.each(["claude-code", "codex"] as const)("%s asks by a form", { timeout: SCENARIO_MS }, async (agent) => {
    const sandbox = await withPlanTool(stage);
    const client = await open[agent](sandbox);
    stage.keep(client.close);
    const requests = turns(await client.turn("Plan it.", [plan(FIRST), plan(SECOND), say("I begin.")]));
    const [, rejected = "", approved = ""] = requests.map(answers);
    print("what the model reads", [rejected, approved]);
    expect(rejected).toContain(WORDS);
    expect(approved).toMatch(/approved/);
    await expectPlans(sandbox, [
      { text: FIRST, status: "rejected", reason: WORDS, decidedVia: "elicitation" },
      { text: SECOND, status: "approved", decidedVia: "elicitation" },
    ]);
  });

  test.each(["claude-code", "codex"] as const)(
    "%s without a person asks nobody: a command decides",
    { timeout: SCENARIO_MS },
    async (agent) => {
      const sandbox = await withPlanTool(stage);
      const client = stage.client(agent, agent === "codex" ? "gpt-5.5" : undefined);
      const first = await runTurn(client, { sandbox, prompt: "Plan.", script: [plan(FIRST), say("I wait.")] });
      const waits = answers(given(turns(first.requests).at(-1)));
      print("what the model reads", [waits]);
      const [, id = ""] = given(/milepost plan approve (\S+)/.exec(waits) ?? undefined);
      await expectPlans(sandbox, [{ id, text: FIRST, status: "proposed", reason: null, decidedVia: null }]);
      await expectGood(sandbox.milepost(["plan", "approve", id]));
      const script = [plan(), say("I begin.")];
      const later = await runTurn(client, { sandbox, prompt: "And now?", script, resume: first.session });
      expect(answers(given(turns(later.requests).at(-1)))).toMatch(/approved/);
    },
  );
});

/** Both clients with our server alone: no hooks. */
async function withPlanTool(stage: Stage): Promise<Sandbox> {
  const sandbox = await openSandbox();
  stage.keep(sandbox.remove);
  const args = [sandbox.command, "mcp", "--plans"];
  writeFileSync(join(sandbox.home, "codex", "config.toml"), serverTable(args));
  const state = join(sandbox.home, "claude", ".claude.json");
  const mcpServers = { milepost: { type: "stdio", command: process.execPath, args, env: {} } };
  writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), mcpServers }));
  const permissions = { allow: ["mcp__milepost"] };
  writeFileSync(join(sandbox.home, "claude", "settings.json"), JSON.stringify({ permissions }));
  return sandbox;
}

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

/** Our server in Codex's settings. */
const serverTable = (args: readonly string[]) => `[mcp_servers.milepost]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
`;

async function plansOf(sandbox: Sandbox): Promise<Plans> {
  const { out } = await expectGood(sandbox.milepost(["plan", "list", "--json"]));
  return planSchema.parse(JSON.parse(out)).plans;
}

/** Oldest first. */
async function expectPlans(sandbox: Sandbox, wanted: readonly object[]): Promise<void> {
  const found = async () => (await plansOf(sandbox)).reverse();
  await expect.poll(found, { timeout: SOON_MS, interval: 500 }).toMatchObject(wanted);
}
