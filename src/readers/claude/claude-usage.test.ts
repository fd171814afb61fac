import { describe, expect, test } from "vitest";
import { answers, boundary, calls, type Line, readOne, says, user } from "../../../test/readers/claude-lines.js";
import { contextAt } from "./claude-usage.js";

describe("tokens and money", () => {
  const usage = (input: number, output: number) => ({ usage: { input_tokens: input, output_tokens: output } });
  const total = (lines: Line[]) => readOne([user("go"), ...lines]).tokens;
  const one = { id: "m", ...usage(100, 10) };

  test("each line of a reply repeats them, and they count once", () => {
    expect(
      total([says("Well.", one), calls("c", "Bash", {}, one), answers("c"), calls("d", "Bash", {}, one)]),
    ).toMatchObject({
      input: 100,
      output: 10,
      total: 110,
    });
  });

  test("the last line of a reply knows best", () => {
    expect(total([says("Well.", { id: "m", ...usage(100, 1) }), calls("c", "Bash", {}, one)]).total).toBe(110);
  });

  test("replies add up, all kinds of them", () => {
    const cached = {
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 5,
      output_tokens_details: { thinking_tokens: 3 },
    };
    expect(total([says("A", one), says("B", { id: "n", usage: { ...usage(1, 2).usage, ...cached } })])).toEqual({
      input: 101,
      output: 12,
      cacheRead: 7,
      cacheWrite: 5,
      reasoning: 3,
      total: 125,
    });
  });

  test.each([
    [undefined],
    [null],
    [{}],
    [{ input_tokens: "5" }],
    [{ input_tokens: -5 }],
    [{ input_tokens: Number.NaN }],
  ])("what is no count counts nothing: %j", (used) => expect(total([says("A", { usage: used })]).total).toBe(0));

  test("counts that no client could have stay numbers", () => {
    const huge = { input_tokens: 1.7e308, output_tokens: 1.7e308, cache_read_input_tokens: JSON.parse("1e400") };
    expect(JSON.stringify(total([says("A", { usage: huge }), says("B", one)]))).not.toMatch(/null|e\+/);
  });

  test("what the client says it has cost", () => {
    const costs = (dollars: unknown): Line => ({ type: "cost-state", totalCostUSD: dollars });
    expect(readOne([user("go")]).cost).toBe(null);
    expect(readOne([user("go"), costs(0.5), costs(0.75)]).cost).toBe(0.75);
    expect(readOne([user("go"), costs("free")]).cost).toBe(0);
  });
});

describe("the context", () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 900, cache_creation_input_tokens: 90, output_tokens: 500 };
  const sent = (input: unknown) => ({ input_tokens: input });
  const rows: readonly (readonly [string, unknown, unknown, object | undefined])[] = [
    ["what was read, not what was answered", usage, "claude-sonnet-4-5", { used: 1000, window: 200_000 }],
    ["a model with a long window", usage, "claude-sonnet-4-5[1m]", { used: 1000, window: 1_000_000 }],
    ["a region before its name", usage, "us.anthropic.claude-opus-4-1-v1:0", { used: 1000, window: 200_000 }],
    ["a provider before its name", usage, "anthropic/claude-opus-4-1", { used: 1000, window: 200_000 }],
    ["more than the short window holds", sent(250_000), "claude-opus-5", { used: 250_000, window: 1_000_000 }],
    ["more than any holds", sent(3_000_000), "claude-opus-5", { used: 3_000_000, window: null }],
    ["another model", usage, "glm-5", { used: 1000, window: null }],
    ["no name", usage, undefined, { used: 1000, window: null }],
    ["a name that is none", usage, { toString: 0 }, { used: 1000, window: null }],
    ["a very long name", usage, `${"x".repeat(100_000)}[1m]`, { used: 1000, window: null }],
    ["nothing used", { input_tokens: 0 }, "claude-sonnet-5", undefined],
    ["no usage", undefined, "claude-sonnet-5", undefined],
    ["texts", sent("5"), "claude-sonnet-5", undefined],
    ["below zero", sent(-5), "claude-sonnet-5", undefined],
    ["more than can be counted", sent(1.7e308), "claude-sonnet-5", undefined],
    ["a sum that cannot", { ...sent(2 ** 53 - 1), cache_read_input_tokens: 2 ** 53 - 1 }, "claude-x", undefined],
  ];
  test.each(rows)("%s", (_, used, model, then) => expect(contextAt(used, model)).toEqual(then));

  const reply = (id: string, input: number) => says("Well.", { id, usage: sent(input) });
  test("is that of the last reply, also after a compaction", () => {
    expect(readOne([user("go"), reply("a", 100), reply("b", 180)]).context?.used).toBe(180);
    const compacted = [user("go"), reply("a", 180_000), boundary()];
    expect(readOne(compacted).context?.used).toBe(180_000);
    expect(readOne([...compacted, reply("b", 9000)]).context?.used).toBe(9000);
  });
});

describe("the pull request", () => {
  const link = (fields: object): Line => ({ type: "pr-link", prNumber: 7, prRepository: "acme/shop", ...fields });
  const url = (number: number) => `https://github.com/acme/shop/pull/${number}`;
  const create = (output: string) => [
    calls("p", "Bash", { command: "git push && gh pr create --fill" }),
    answers("p", output),
  ];
  const rows: readonly (readonly [string, Line[], number | undefined])[] = [
    ["none", [], undefined],
    ["a record", [link({ prUrl: url(7) })], 7],
    ["the last one", [link({ prUrl: url(7) }), link({ prUrl: url(8), prNumber: 8 })], 8],
    ["a record that cannot be true says nothing", [link({ prUrl: url(7) }), link({ prUrl: "file:///etc" })], 7],
    ["a number in words", [link({ prUrl: url(7), prNumber: "7" })], undefined],
    ["gh prints it", create(`Creating pull request\n${url(9)}\n`), 9],
    ["gh prints something else", create("aborted"), undefined],
    ["another command prints one", [calls("p", "Bash", { command: "cat notes" }), answers("p", url(9))], undefined],
  ];
  test.each(rows)("%s", (_, lines, then) => expect(readOne([user("go"), ...lines]).pullRequest?.number).toBe(then));
});
