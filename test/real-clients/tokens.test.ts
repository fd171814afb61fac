import { describe, expect, test } from "vitest";
import { ourShare, tokens } from "./model/our-share.js";
import { turns } from "./model/requests.js";
import { say, todo } from "./model/script.js";
import { given, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { MODELS, openStage } from "./stage.js";

// What every request of a session costs because we are wired.
const MOST = 350;

describe.runIf(isAsked).each(MODELS)("$model, hooks by $hooks", ({ model, ...wiring }) => {
  const stage = openStage("test");

  test(`reads at most ${MOST} tokens of ours in a request`, { timeout: SCENARIO_MS }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const client = stage.client(wiring.agent, model);
    const script = [todo({ show: true }), say("Hello.")]; // a run in which the tool came too late is tried again
    const { requests } = await runTurn(client, { sandbox, prompt: "Hello.", script });
    const request = given(turns(requests)[0]);
    const { definitions, instructions, byClient } = ourShare(request);
    print(`${model}, instructions`, instructions);
    const counts = {
      definitions: tokens(definitions),
      instructions: tokens(instructions),
      "added by the client itself": tokens(byClient),
      "whole request": tokens([JSON.stringify(request.body)]),
    };
    print(`${model}, tokens in the first request`, [JSON.stringify(counts)]);
    expect(counts.definitions).toBeGreaterThan(0);
    expect(counts.definitions + counts.instructions).toBeLessThanOrEqual(MOST);
  });
});
