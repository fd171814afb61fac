import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Client } from "./drivers/client.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { signalServer } from "./drivers/server-process.js";
import { eventsOf, expectFacts, expectRan, printFacts, work } from "./facts.js";
import { say } from "./model/script.js";
import { given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { openStage, SERVED } from "./stage.js";

// Hooks go through our server, and it is killed: every fact is there all the same, once.
const COMPLAINTS = /hook (error|failed)|non-blocking|tool call failed|not connected|MCP.*fail|fail.*MCP/i;

/** What happens beside a reply of the model, and the reply. Commands take a second where something happens meanwhile. */
interface Moment {
  readonly reply: ReturnType<typeof work>;
  readonly signals: readonly { readonly signal: "SIGSTOP" | "SIGKILL"; readonly afterMs: number }[];
}
const SLOW = "sleep 1;";
const kill = (afterMs: number) => ({ signal: "SIGKILL", afterMs }) as const;
const stop = (afterMs: number) => ({ signal: "SIGSTOP", afterMs }) as const;

/** A server that is stopped keeps the hook that calls it waiting, so that it is surely under way when the kill comes. */
const MOMENTS: Readonly<Record<string, () => Moment>> = {
  "between two calls": () => ({ reply: work(), signals: [kill(0)] }),
  "before calls at once": () => ({ reply: work(3), signals: [kill(0)] }),
  "while a call runs": () => ({ reply: work(1, SLOW), signals: [kill(500)] }),
  "while the hook before a call is under way": () => ({ reply: work(), signals: [stop(0), kill(700)] }),
  "while the hook after a call is under way": () => ({ reply: work(1, SLOW), signals: [stop(500), kill(1700)] }),
  "while the hooks after calls at once are under way": () => ({
    reply: work(3, SLOW),
    signals: [stop(500), kill(1700)],
  }),
};

describe.runIf(isAsked).each(SERVED)("$name", (wiring) => {
  const stage = openStage("test");

  test.each(Object.keys(MOMENTS))("server killed %s: none lost, none twice", { timeout: SCENARIO_MS }, async (when) => {
    const sandbox = await stage.sandbox(wiring);
    const [before, after, atOnce] = [[work(), work(2)], [work(), work()], work(3)];
    const { reply, signals } = given(MOMENTS[when])();
    const loss = async () => {
      for (const { signal, afterMs } of signals) {
        if (afterMs === 0) await signalServer(sandbox, signal);
        else void setTimeout(afterMs).then(() => signalServer(sandbox, signal));
      }
      return reply;
    };
    const script = [...before, loss, ...after, atOnce, say("All done.")];
    const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script });
    const replies = [...before, reply, ...after, atOnce].map(commandsOf);
    const events = await eventsOf(sandbox, end.session);
    printFacts(`${wiring.name}, server killed ${when}`, events);
    expectRan(end, replies);
    expectFacts(events, replies);
    expect(end.err).not.toMatch(COMPLAINTS);
  });

  test("server missing from the start: none lost, none twice, and no word of it", {
    timeout: SCENARIO_MS,
  }, async () => {
    const sandbox = await stage.sandbox(wiring);
    takeServerAway(sandbox, wiring.agent);
    const replies = [work(), work(3), work()];
    const script = [...replies, say("All done.")];
    const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script });
    const events = await eventsOf(sandbox, end.session);
    printFacts(`${wiring.name}, server missing`, events);
    expectFacts(events, replies.map(commandsOf));
    expect(end.err).not.toMatch(COMPLAINTS);
  });

  // Both clients show each hook whose server does not answer: docs/setup.md says so.
  test("a person whose server is killed works on", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const session = await stage.person({ ...wiring, sandbox });
    await session.connected();
    await session.turn("Look.", [list(1), say("Looked once.")]);
    await signalServer(sandbox, "SIGKILL");
    await session.turn("Look again.", [list(2), list(3), say("Looked again.")]);
    print(`${wiring.name}, the screen`, [session.app.history()]);
    expect(session.app.history()).toContain("Looked again.");
  });
});

const commandsOf = ({ commands }: { readonly commands: readonly string[] }) => commands;

/** A command that a person has allowed. */
const list = (nth: number) => ({ calls: [{ type: "shell" as const, command: `ls ${"-a ".repeat(nth)}.` }] });

/** The hooks stay: as after `claude mcp remove`, or where somebody has switched the server off. */
function takeServerAway({ home }: Sandbox, agent: Client["agent"]): void {
  const file = join(home, agent === "codex" ? "codex/config.toml" : "claude/.claude.json");
  const text = readFileSync(file, "utf8");
  if (agent === "codex") writeFileSync(file, text.replace(/^\[mcp_servers\.milepost\]\n(?:[^[\n].*\n|\n)*/m, ""));
  else writeFileSync(file, JSON.stringify({ ...JSON.parse(text), mcpServers: {} }));
  expect(readFileSync(file, "utf8")).not.toMatch(/mcp_servers\.milepost|"mcp"/);
}
