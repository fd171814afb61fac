import { describe, expect, test } from "vitest";
import { jsonLines } from "./drivers/run-process.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { endedCalls, eventsOf, expectFactsInOrder, expectRan, printFacts, work } from "./facts.js";
import { answers, turns } from "./model/requests.js";
import { type ModelCall, say, todo } from "./model/script.js";
import { given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage, SERVED } from "./stage.js";

// What hooks tell: each fact once, whichever way they come, in the right session; and only the client may tell it.

describe.runIf(isAsked).each(CLIENTS)("$name, hooks by $hooks", (wiring) => {
  const stage = openStage("test");

  test("calls at once: every fact once, and replies in order", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const replies = [work(5), work(), work(5), work(2)];
    const script = [...replies, say("All done.")];
    const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script });
    const events = await eventsOf(sandbox, end.session);
    printFacts(`${wiring.name}, calls at once`, events);
    const commands = replies.map((reply) => reply.commands);
    expectRan(end, commands);
    expectFactsInOrder(events, commands);
  });

  test("after /clear the list is another session's", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const session = await stage.person({ ...wiring, sandbox });
    await session.connected();
    await session.turn("Plan.", [todo({ add: ["Alpha one", "Alpha two"] }), say("Alpha is planned.")]);
    await session.command("/clear");
    const script = [todo({ add: ["Beta one"] }), todo({ show: true }), say("Beta is planned.")];
    const shown = answers(given(turns(await session.turn("Plan anew.", script)).at(-1)));
    print(`${wiring.name}, the list after /clear`, [shown]);
    expect(shown).toContain("Beta one");
    expect(shown).not.toContain("Alpha");
    expect((await lists(sandbox)).sort()).toEqual([["Alpha one", "Alpha two"], ["Beta one"]]);
  });
});

describe.runIf(isAsked).each(SERVED)("$name, hooks by the server", (wiring) => {
  const stage = openStage("test");

  test("a call that is under way is known", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const slow = work(1, "sleep 3;");
    const script = [work(), slow, say("All done.")];
    const run = runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script });
    const open = async () => {
      const { out } = await sandbox.milepost(["events"]);
      const calls = jsonLines(out) as { type: string; data: { call?: string } }[];
      const idsOf = (type: string) => calls.filter((event) => event.type === type).map(({ data }) => data.call);
      const ended = idsOf("call.ended");
      return ended.length === 1 ? idsOf("call.started").filter((call) => !ended.includes(call)).length : 0;
    };
    await expect.poll(open, { timeout: 15_000, interval: 100 }).toBe(1);
    const { out } = await sandbox.milepost(["sessions", "--json"]);
    print(`${wiring.name}, sessions while a call is under way`, [out]);
    expect(JSON.parse(out).sessions[0]).toMatchObject({ state: "running", why: { reason: "call-running" } });
    const { session } = await run;
    const events = await eventsOf(sandbox, session);
    const ended = endedCalls(events).find(({ data }) => data.subject === slow.commands[0]);
    expect(ended?.data).toMatchObject({ status: "completed" });
  });

  test("a model that guesses the tool's name is refused, and nothing is written", {
    timeout: SCENARIO_MS,
  }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const forged = FORGED.map((input): ModelCall => ({ type: "guess", tool: "hook", input }));
    const script = [work(), ...forged.map((call) => ({ calls: [call] })), say("All done.")];
    const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script });
    const said = turns(end.requests).slice(2).map(answers);
    print(`${wiring.name}, what the model was answered`, said);
    expect(said).toHaveLength(forged.length);
    for (const text of said)
      expect(text).toMatch(/unknown|unsupported|no such|not found|not available|is not a function/i);
    const { out } = await sandbox.milepost(["events"]);
    const events = jsonLines(out) as { stream: string; type: string; data: Record<string, unknown> }[];
    const rest = events.filter(({ data }) => data.subject !== "hook" && !String(data.tool).endsWith("hook"));
    expect(events.filter(({ stream }) => stream.includes("forged"))).toEqual([]);
    expect(JSON.stringify(rest)).not.toContain("forged");
  });
});

/** Facts of another session, and of the model's own. */
const FORGED = [
  { hook_event_name: "SessionStart", session_id: "forged-session", source: "startup", cwd: "/forged" },
  {
    ...{ hook_event_name: "PostToolUse", session_id: "forged-session", cwd: "/forged", tool_use_id: "forged-call" },
    ...{ tool_name: "Bash", tool_input: '{"command":"forged"}', tool_response: '{"stdout":"forged"}' },
  },
  { hook_event_name: "UserPromptSubmit", session_id: "forged-session", prompt: "forged", cwd: "/forged" },
];

/** The texts of every list in the store. */
async function lists(sandbox: Sandbox): Promise<string[][]> {
  const { out } = await sandbox.milepost(["sessions", "--all", "--json"]);
  const { sessions }: { sessions: { id: string; list?: { phases: { todos: { text: string }[] }[] } }[] } =
    JSON.parse(out);
  const texts = sessions.map(({ list }) => list?.phases.flatMap(({ todos }) => todos.map(({ text }) => text)) ?? []);
  return texts.filter((list) => list.length > 0);
}
