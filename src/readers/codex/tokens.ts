import { countAt, isObject } from "../../core/json.js";
import { NO_TOKENS, sumTokens, type Tokens } from "../../core/session/observation.js";
import type { CodexThread } from "./thread.js";

/** Undefined for what says nothing of tokens. Rollouts and `codex exec` use snake_case, the app-server camelCase. */
export function tokensAt(usage: unknown): Tokens | undefined {
  if (!isObject(usage)) return undefined;
  const count = (snake: string, camel: string) => countAt(usage[snake] ?? usage[camel]);
  const input = count("input_tokens", "inputTokens");
  const output = count("output_tokens", "outputTokens");
  const total = usage.total_tokens ?? usage.totalTokens;
  return {
    input,
    output,
    cacheRead: count("cached_input_tokens", "cachedInputTokens"),
    cacheWrite: count("cache_write_input_tokens", "cacheWriteInputTokens"),
    reasoning: count("reasoning_output_tokens", "reasoningOutputTokens"),
    total: typeof total === "number" ? countAt(total) : input + output,
  };
}

/** Tokens of a rollout. Totals are better than what records add up to: those may have begun before the file. */
export class TokenSum {
  /** Null once there are totals. */
  #sum: Tokens | null;

  constructor(sum: Tokens | null = NO_TOKENS) {
    this.#sum = sum;
  }

  save(): Tokens | null {
    return this.#sum;
  }

  add(thread: CodexThread, usage: unknown): void {
    const tokens = tokensAt(usage);
    if (!tokens || !this.#sum) return;
    this.#sum = sumTokens(this.#sum, tokens);
    thread.tell({ type: "tokens.used", tokens: this.#sum });
  }

  replace(thread: CodexThread, usage: unknown): void {
    const tokens = tokensAt(usage);
    if (!tokens) return;
    this.#sum = null;
    thread.tell({ type: "tokens.used", tokens });
  }
}
