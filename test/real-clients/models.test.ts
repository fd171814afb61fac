import { describe, expect, test } from "vitest";
import { afterCompaction, answers, injected, turns } from "./model/requests.js";
import { type ModelRequest, say, shell } from "./model/script.js";
import { begin, DONE, digests, given, isAsked, itemTexts, OPEN, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { MODELS, openStage } from "./stage.js";

// The scripted model calls our tool only if the request told it how: see codex-wire.ts and fake-messages.ts.
describe.runIf(isAsked).each(MODELS)("$model after setup, hooks by $hooks", ({ model, ...wiring }) => {
  const stage = openStage("test");

  test("is told of our tool, calls it, and reads its open todos after compaction", {
    timeout: SCENARIO_MS,
  }, async () => {
    const script = [...begin, { ...shell("ls"), contextFull: true }, say("The bug is found.")];
    const sandbox = await stage.sandbox(wiring);
    const client = stage.client(wiring.agent, model);
    const { requests } = await runTurn(client, { sandbox, prompt: "Plan the work.", script });
    const asked = turns(requests);
    const first = given(asked[0]);
    print(`${model}, tools in the first request`, [first.tools.map(({ name }) => name).join(" ")]);
    print(`${model}, what it says of ours`, oursIn(first));
    expect(oursIn(first)).not.toEqual([]);
    const [added, done] = asked.map(answers).filter((text) => /\d\/3/.test(text));
    print(`${model}, our answers`, [added, done]);
    expect(added).toContain(`Added 1-3. 0/3 now #1 ${DONE}`);
    expect(done).toContain(`1/3 now #2 ${OPEN[0]}`);

    const after = given(afterCompaction(requests));
    print(`${model}, after the compaction`, digests(after));
    expect(digests(after)).toHaveLength(1);
    expect(itemTexts(injected(after.texts))).toEqual(digests(after));
    for (const item of OPEN) expect(digests(after)[0]).toContain(item);
    expect(after.texts.filter(({ text }) => text.includes(DONE))).toEqual([]);
  });
});

/** Our tool as it is offered, else the words by which the model can find it. */
function oursIn(request: ModelRequest): string[] {
  const tools = request.tools.filter(({ name }) => name.startsWith("mcp__milepost"));
  if (tools.length > 0) return tools.map(({ name, definition }) => `${name}: ${JSON.stringify(definition)}`);
  const search = request.tools.filter(({ definition }) => JSON.stringify(definition).includes("milepost"));
  const texts = request.texts.filter(({ text }) => text.includes("mcp__milepost__todo"));
  return [...search.map(({ definition }) => JSON.stringify(definition)), ...texts.map(({ text }) => text)];
}
