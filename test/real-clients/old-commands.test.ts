import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import earlier from "../fixtures/wiring/command-hooks.json" with { type: "json" };
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { eventsOf, expectFactsInOrder, printFacts, work } from "./facts.js";
import { answers, injected, news, turns } from "./model/requests.js";
import { say, todo } from "./model/script.js";
import { begin, digests, given, ITEMS, isAsked, OPEN, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { openStage } from "./stage.js";

// What setup wrote when every hook was a command, with the server of today: nothing changes.

describe.runIf(isAsked).each(["claude-code", "codex"] as const)("%s as an earlier setup wired it", (agent) => {
  const stage = openStage("test");

  test("facts once, and the list is the session's, also after a resume", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await openSandbox();
    stage.keep(sandbox.remove);
    writeWiring(sandbox, agent);
    const client = stage.client(agent);
    const replies = [work(), work(3), work()];
    const script = [...begin, ...replies, say("I stop here.")];
    const first = await runTurn(client, { sandbox, prompt: "Plan the work.", script });
    const events = await eventsOf(sandbox, first.session);
    printFacts(`${agent}, the facts`, events);
    expectFactsInOrder(
      events,
      replies.map(({ commands }) => commands),
    );
    const run = { sandbox, prompt: "Go on.", script: [todo({ show: true }), say("I go on.")], resume: first.session };
    const [asked, shown] = turns((await runTurn(client, run)).requests);
    print(`${agent}, after the resume`, [...injected(news(given(asked))), answers(given(shown))]);
    expect(digests(given(asked))).toHaveLength(1);
    for (const item of OPEN) expect(digests(given(asked))[0]).toContain(item);
    for (const item of ITEMS) expect(answers(given(shown))).toContain(item);
  });
});

function writeWiring({ home, command }: Sandbox, agent: keyof typeof earlier): void {
  const words = { "{HOME}": home, "{NODE}": process.execPath, "{MILEPOST}": command };
  for (const [name, text] of Object.entries(earlier[agent])) {
    const filled = Object.entries(words).reduce((now, [word, value]) => now.replaceAll(word, value), text);
    writeFileSync(join(home, name), filled);
  }
}
