import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAppServer } from "./drivers/app-server.js";
import { openClaudeHost } from "./drivers/claude-host.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { answers, turns } from "./model/requests.js";
import { type ModelScript, type ModelStep, say } from "./model/script.js";
import { expectPlans, FIRST, SECOND, serverTable, WORDS } from "./plan-checks.js";
import { expectGood, given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { openStage, type Stage } from "./stage.js";

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
