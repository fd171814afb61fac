import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sized } from "../sizes.js";
import { type FileLock, holdFile, type Release } from "../store-lockers.js";
import type { ClientEnd } from "./drivers/client.js";
import { eventsOf, expectFactsInOrder, printFacts, work } from "./facts.js";
import { answers, turns } from "./model/requests.js";
import { say, todo } from "./model/script.js";
import { given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// A store that somebody keeps locked during the work of a session: the agent hardly notices, and no fact is lost.
const CALLS = 30;
const LOCKED_MS = sized(0, 60_000); // and at least until the agent has ended
const LATER_MS = 2000;
const TODO_MS = 2000; // our answer comes within a second; the rest is the client's own

/** Others wait to write, or can do nothing at all with the file. */
const LOCKS: readonly FileLock[] = ["BEGIN EXCLUSIVE", "locking_mode=EXCLUSIVE"];

describe.runIf(isAsked).each(CLIENTS)("$name, hooks by $hooks", (wiring) => {
  const stage = openStage("test");

  // Another try where the machine was busy: two runs are compared.
  test.each(LOCKS.slice(0, sized(1, LOCKS.length)))(
    `a store that is locked by %s during ${CALLS} calls`,
    { timeout: SCENARIO_MS, retry: 2 },
    async (lock) => {
      const sandbox = await stage.sandbox(wiring);
      const run = (begin: () => Promise<void>) => {
        const replies = Array.from({ length: CALLS }, () => work());
        const first = async () => {
          await begin();
          return given(replies[0]);
        };
        const script = [first, ...replies.slice(1), todo({ add: ["Fix the bug"] }), say("All done.")];
        const commands = replies.map((reply) => reply.commands);
        return runTurn(stage.client(wiring.agent), { sandbox, prompt: "Do the work.", script }).then((end) => ({
          end,
          commands,
        }));
      };
      const free = await run(async () => undefined);
      let release: Release | undefined;
      let lockedAt = 0;
      const locked = await run(async () => {
        release ??= await holdFile(join(sandbox.home, ".local", "state", "milepost", "milepost.db"), lock);
        lockedAt = Date.now();
      });
      const [before, later] = [workTime(free.end), workTime(locked.end)];
      const { text, ms } = todoAnswer(locked.end);
      print(`${wiring.name}, hooks by ${wiring.hooks}, ${lock}`, [
        `free ${Math.round(before)} ms, locked ${Math.round(later)} ms; todo after ${Math.round(ms)} ms: ${text}`,
      ]);
      await setTimeout(Math.max(0, lockedAt + LOCKED_MS - Date.now()));
      await release?.();
      const events = await eventsOf(sandbox, locked.end.session);
      printFacts("the facts", events);
      expectFactsInOrder(events, locked.commands);
      const times = events.filter(({ type }) => type === "call.ended").map(({ at }) => at);
      expect(times).toEqual([...times].sort());
      expect(text).toMatch(/busy|try again/i);
      expect(ms).toBeLessThan(TODO_MS);
      expect(later - before).toBeLessThan(LATER_MS);
    },
  );
});

/** Milliseconds from the start of the client to its end, without our own tool's call. */
const workTime = (end: ClientEnd) => end.endedAt - end.startedAt - todoAnswer(end).ms;

function todoAnswer({ requests }: ClientEnd): { text: string; ms: number } {
  const [asked, answered] = turns(requests).slice(-2);
  return { text: answers(given(answered)), ms: given(answered).at - given(asked).at };
}
