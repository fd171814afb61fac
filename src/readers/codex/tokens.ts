import { countAt, isObject, type JsonObject } from "../../core/json.js";
import { NO_TOKENS, type SeenContext, sumTokens, type Tokens } from "../../core/session/observation.js";
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

/** `last`: what the last request used. Its answer is in the context, too, as Codex itself counts. */
export function contextAt(last: unknown, window: unknown): SeenContext | undefined {
  const used = tokensAt(last)?.total ?? 0;
  return used > 0 ? { used, window: countAt(window) || null } : undefined;
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

  replace(thread: CodexThread, { total_token_usage: total, last_token_usage: last, ...told }: JsonObject): void {
    const tokens = tokensAt(total);
    if (!tokens) return;
    this.#sum = null;
    thread.tell({ type: "tokens.used", tokens, context: contextAt(last, told.model_context_window) });
  }
}
