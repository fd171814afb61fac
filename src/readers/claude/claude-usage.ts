import { countAt, type JsonObject, objectAt } from "../../core/json.js";
import { NO_TOKENS, type SeenContext, sumTokens, type Tokens } from "../../core/session/observation.js";
import { addBounded } from "../memory.js";

export interface SavedUsage {
  readonly total: Tokens;
  readonly replies: readonly (readonly [string, Tokens])[];
}

const REPLIES_KEPT = 8;

/** Each line of a reply repeats what the whole reply used; the last one is the best. */
export class ClaudeUsage {
  #total: Tokens;
  readonly #replies: Map<string, Tokens>;

  constructor({ total, replies }: SavedUsage = { total: NO_TOKENS, replies: [] }) {
    this.#total = total;
    this.#replies = new Map(replies);
  }

  save(): SavedUsage {
    return { total: this.#total, replies: [...this.#replies] };
  }

  /** The new total, or undefined when nothing has changed. */
  count(reply: string, usage: unknown): Tokens | undefined {
    const used = tokensAt(objectAt(usage));
    const before = this.#replies.get(reply) ?? NO_TOKENS;
    if (used.total === 0 || (used.total === before.total && used.output === before.output)) return undefined;
    addBounded(this.#replies, reply, used, REPLIES_KEPT);
    this.#total = sumTokens(sumTokens(this.#total, used), before, -1);
    return this.#total;
  }

  /** The usage of a whole run replaces what its replies said while they were still coming. */
  settle(before: Tokens, usage: unknown): Tokens {
    this.#total = sumTokens(before, tokensAt(objectAt(usage)));
    this.#replies.clear();
    return this.#total;
  }
}

const WINDOW = 200_000;
const LONG_WINDOW = 1_000_000;

/** Transcripts do not tell how many tokens a model can hold: the names of models do, and what was sent to them. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]$/i, LONG_WINDOW],
  [/^(?:[\w.-]+[./])?claude-/, WINDOW],
];

/** What a reply was given to read. What it answers is in the context of the next one. */
export function contextAt(usage: unknown, model: unknown): SeenContext | undefined {
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = objectAt(usage);
  const used = countAt(input) + countAt(read) + countAt(written);
  return used > 0 && Number.isSafeInteger(used) ? { used, window: windowOf(model, used) } : undefined;
}

function windowOf(model: unknown, used: number): number | null {
  const name = typeof model === "string" ? model.slice(0, NAME_MAX) : "";
  const [, size] = WINDOWS.find(([pattern]) => pattern.test(name)) ?? [];
  if (size === undefined) return null;
  // Replies name the model without the mark of its long window; what does not fit into the short one shows it.
  return used <= size ? size : used <= LONG_WINDOW ? LONG_WINDOW : null;
}

const NAME_MAX = 200;

function tokensAt(usage: JsonObject): Tokens {
  const input = countAt(usage.input_tokens);
  const output = countAt(usage.output_tokens);
  const cacheRead = countAt(usage.cache_read_input_tokens);
  const cacheWrite = countAt(usage.cache_creation_input_tokens);
  const reasoning = countAt(objectAt(usage.output_tokens_details).thinking_tokens);
  return { input, output, cacheRead, cacheWrite, reasoning, total: input + output + cacheRead + cacheWrite };
}
