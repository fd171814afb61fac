import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { InteractiveSession } from "./drivers/interactive.js";
import { jsonLines } from "./drivers/run-process.js";
import { news, turns } from "./model/requests.js";
import { type ModelRequest, say, shell, todo } from "./model/script.js";
import { begin, isAsked, OPEN, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage, type Wiring } from "./stage.js";

// The question at the end of a turn: it helps, or it is not asked.
const ANSWER = "The bug is in the parser.";

describe.runIf(isAsked)("the question at the stop", () => {
  const stage = openStage("test");

  const person = async (wiring: Wiring): Promise<InteractiveSession> => {
    const session = await stage.person({ ...wiring, sandbox: await stage.sandbox(wiring) });
    await session.connected();
    return session;
  };

  test.each(CLIENTS)(
    "$name without a terminal, hooks by $hooks: an open list ends with the model's own answer",
    {
      timeout: SCENARIO_MS,
    },
    async (wiring) => {
      const last = wiring.agent === "codex" ? lastOfCodex : lastOfClaude;
      const client = stage.client(wiring.agent);
      const sandbox = await stage.sandbox(wiring);
      const script = [...begin, shell("ls"), say(ANSWER)];
      const end = await runTurn(client, { sandbox, prompt: "Find the bug.", script });
      print("the last message", [last(end.out)]);
      print("the last request", texts(end.requests.at(-1)));
      expect(last(end.out)).toBe(ANSWER);
      expect(turns(end.requests)).toHaveLength(script.length);
    },
  );

  test.each(CLIENTS)(
    "five turns about one item each and one unrelated question: $name, hooks by $hooks, asks nothing",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const session = await person(wiring);
      const items = [1, 2, 3, 4, 5, 6, 7].map((nth) => `Item ${nth}`);
      const spoken = await session.turn("Plan seven items.", [todo({ add: items }), say("Seven items are planned.")]);
      expectSilence(spoken, 2);
      for (const nth of [1, 2, 3, 4, 5]) {
        const script = [shell("ls"), todo({ done: nth }), say(`Item ${nth} is done.`)];
        expectSilence(await session.turn(`Do item ${nth}, only that one.`, script), script.length);
      }
      const script = [shell("ls -l"), say("The last commit is of Monday.")];
      const aside = await session.turn("What is the last commit?", script);
      print("the end of the screen", [session.app.screen().slice(-1500)]);
      print("the last request", texts(turns(aside).at(-1)));
      expectSilence(aside, script.length);
      expect(session.app.history()).not.toMatch(/Milepost reminder|hook error|hook feedback|Blocked by hook/i);
    },
  );

  test.each(CLIENTS.filter(({ agent }) => agent === "claude-code"))(
    "a turn that worked on a todo and stopped is asked once, as feedback: $name, hooks by $hooks",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const session = await person(wiring);
      const script = [...begin, shell("ls"), say("I stop."), say("I stop all the same.")];
      const spoken = turns(await session.turn("Fix the bug.", script));
      print("the request with the question", texts(spoken.at(-1)));
      print("the screen", [session.app.screen()]);
      expect(spoken).toHaveLength(script.length);
      expect(questions(spoken.at(-1))).toHaveLength(1);
      for (const item of OPEN) expect(questions(spoken.at(-1))[0]).toContain(item);
      expect(session.app.history()).toMatch(/Stop hook feedback/);
      expect(session.app.history()).not.toMatch(/hook error/i);

      const later = turns(await session.turn("And now?", [say("Nothing is new.")]));
      expect(later).toHaveLength(1);
    },
  );
});

/** The client made no request that the script did not foresee, and nothing of ours was in the last one's news. */
function expectSilence(requests: readonly ModelRequest[], expected: number): void {
  const asked = turns(requests);
  expect(asked.flatMap(questions)).toEqual([]);
  expect(asked).toHaveLength(expected);
}

/** Texts behind the model's last word that ask it to go on. */
const questions = (request: ModelRequest | undefined) =>
  (request ? news(request) : [])
    .map(({ text }) => text)
    .filter((text) => /Milepost reminder: you stop with/.test(text));

const texts = (request: ModelRequest | undefined) =>
  (request ? news(request) : []).map(({ from, text }) => `${from}: ${text.slice(-400)}`);

const resultSchema = z.looseObject({ type: z.literal("result"), result: z.string() });
const messageSchema = z.looseObject({ item: z.looseObject({ type: z.literal("agent_message"), text: z.string() }) });

const lastOfClaude = (out: string) =>
  jsonLines(out)
    .flatMap((line) => resultSchema.safeParse(line).data?.result ?? [])
    .at(-1);

const lastOfCodex = (out: string) =>
  jsonLines(out)
    .flatMap((line) => messageSchema.safeParse(line).data?.item.text ?? [])
    .at(-1);
