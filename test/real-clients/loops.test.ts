import { describe, expect, test } from "vitest";
import { injected, turns } from "./model/requests.js";
import { type ModelRequest, say, shell } from "./model/script.js";
import { isAsked, print, repeat, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// A model that loops on purpose is told in its next request, once, with what to do differently.
const REPEATS = 6;

const alerts = (request: ModelRequest | undefined) =>
  injected(request?.texts ?? []).filter((text) => /^Milepost: .*(?:times|again)/s.test(text));

describe.runIf(isAsked)("a model that loops", () => {
  const stage = openStage("test");

  test.each(CLIENTS)(
    "the same call with the same error: $name, hooks by $hooks, is told once",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await stage.sandbox(wiring);
      const script = [...repeat(REPEATS, () => [shell("cat no-such-file.txt")]), say("I give up.")];
      const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Read the file.", script });
      const requests = turns(end.requests);
      const told = requests.map((request) => alerts(request).length);
      print("alerts in each request", [told.join(" "), ...alerts(requests.at(-1))]);
      expect(requests).toHaveLength(script.length);
      // The fourth request comes with three useless repeats behind it.
      expect(told.findIndex((count) => count > 0)).toBeLessThanOrEqual(3);
      expect(told.at(-1)).toBe(1);
    },
  );

  test.each(CLIENTS)(
    "the same call with the same answer: $name, hooks by $hooks",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await stage.sandbox(wiring);
      const script = [...repeat(REPEATS, () => [shell("echo same")]), say("That is all.")];
      const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Say it.", script });
      const requests = turns(end.requests);
      const told = requests.map((request) => alerts(request).length);
      print("alerts in each request", [told.join(" "), ...alerts(requests.at(-1))]);
      expect(told.findIndex((count) => count > 0)).toBeLessThanOrEqual(5);
      expect(told.at(-1)).toBe(1);
    },
  );

  test.each(CLIENTS)(
    "honest work that looks alike: $name, hooks by $hooks, is left alone",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await stage.sandbox(wiring);
      const script = [...repeat(REPEATS, (nth) => [shell(`echo file ${nth}`)]), say("All read.")];
      const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Read them.", script });
      expect(turns(end.requests).flatMap(alerts)).toEqual([]);
    },
  );
});
