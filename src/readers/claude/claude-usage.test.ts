import { describe, expect, test } from "vitest";
import { answers, calls, type Line, readOne, says, user } from "../../../test/readers/claude-lines.js";

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
