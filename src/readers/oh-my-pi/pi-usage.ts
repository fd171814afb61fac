import { countAt, isObject, type JsonObject, objectAt } from "../../core/json.js";
import { type Fact, NO_TOKENS, sumTokens, type Tokens } from "../../core/session/observation.js";

export interface SavedUsage {
  readonly tokens: Tokens;
  readonly dollars: number;
}

/** Each reply says what it used and what that cost. What was gone back on was used all the same. */
export class PiUsage {
  #tokens: Tokens;
  #dollars: number;

  constructor(saved: SavedUsage = { tokens: NO_TOKENS, dollars: 0 }) {
    this.#tokens = saved.tokens;
    this.#dollars = saved.dollars;
  }

  save(): SavedUsage {
    return { tokens: this.#tokens, dollars: this.#dollars };
  }

  /** `isReply`: of the model that is talked to, whose context it fills; others only cost. */
  add(usage: unknown, isReply: boolean): readonly Fact[] {
    if (!isObject(usage)) return [];
    const used = tokensAt(usage);
    // A model whose price is not known costs nothing, it says.
    const dollars = countAt(objectAt(usage.cost).total);
    this.#tokens = sumTokens(this.#tokens, used);
    this.#dollars += dollars;
    // The agent counts the answer as part of the context, and does not tell how much the model can hold.
    const context = isReply && used.total > 0 ? { used: used.total, window: null } : undefined;
    return [
      ...(used.total === 0 ? [] : [{ type: "tokens.used" as const, tokens: this.#tokens, context }]),
      ...(dollars === 0 ? [] : [{ type: "money.spent" as const, dollars: this.#dollars }]),
    ];
  }
}

function tokensAt(usage: JsonObject): Tokens {
  const input = countAt(usage.input);
  const output = countAt(usage.output);
  const cacheRead = countAt(usage.cacheRead);
  const cacheWrite = countAt(usage.cacheWrite);
  const total = countAt(usage.totalTokens) || input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, reasoning: countAt(usage.reasoningTokens), total };
}
