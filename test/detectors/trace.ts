import type { CallFacts, RoundCall } from "../../src/core/call/call-facts.js";
import { endFacts, startFacts } from "../../src/core/call/facts-of-call.js";
import type { Step } from "../../src/core/detectors/step.js";
import { type Random, randomFrom } from "../random.js";

/** One call as its client would tell of it. `reply`: calls with the same number were made by one answer of the model. */
interface TraceCall {
  readonly type: "call";
  readonly tool: string;
  readonly server?: string;
  readonly input: unknown;
  readonly output: string;
  readonly status: RoundCall["status"];
  readonly exit?: number;
  readonly milliseconds: number;
  readonly at: number;
  readonly reply: number;
  /** What the facts of the call should say, but for its hashes. `same`: the answer without times and numbers of processes. */
  readonly facts: CallFacts & { readonly same: string };
}

export type TraceItem = TraceCall | Exclude<Step, { type: "round" }>;

/** What an agent did, and which detector should find it; none for honest work. */
export interface Trace {
  readonly name: string;
  readonly detector: string | undefined;
  readonly items: readonly TraceItem[];
  /** It must be found before this item: the end of its fifth useless repeat. */
  readonly deadline: number;
}

/** Rounds as detectors see them. `facts`: as the corpus says they are, or as the product works them out. */
export function stepsOf(items: readonly TraceItem[], facts: "told" | "worked out"): readonly Step[] {
  const steps: Step[] = [];
  let reply: number | undefined;
  for (const item of items) {
    if (item.type !== "call") {
      reply = undefined;
      steps.push(item);
      continue;
    }
    const call = roundCall(item, facts);
    const last = steps.at(-1);
    if (item.reply === reply && last?.type === "round")
      steps[steps.length - 1] = { ...last, at: item.at, calls: [...last.calls, call] };
    else steps.push({ type: "round", at: item.at, calls: [call], isBatch: true });
    reply = item.reply;
  }
  return steps;
}

function roundCall(item: TraceCall, facts: "told" | "worked out"): RoundCall {
  const { tool, server, input, output, status, exit, milliseconds } = item;
  const name = server === undefined ? tool : `${server}/${tool}`;
  if (facts === "worked out") {
    const raw = { tool, server, input };
    const start = startFacts(raw);
    const end = endFacts(raw, start, { output, error: status === "failed" ? output : undefined, status, exit });
    return { tool: name, status, milliseconds, ...start, ...end };
  }
  const { same, ...told } = item.facts;
  const code = exit === undefined ? {} : { exit };
  const signature = `${name} ${JSON.stringify(input)}`;
  return {
    tool: name,
    status,
    milliseconds,
    signature,
    outcome: `${status} ${same}`,
    size: output.length,
    ...code,
    ...told,
  };
}

export interface CallOptions {
  readonly status?: RoundCall["status"];
  readonly exit?: number;
  readonly milliseconds?: number;
  readonly server?: string;
}

type PlainStep = Exclude<Step, { type: "round" }>;
type Told<One = PlainStep> = One extends PlainStep ? Omit<One, "at"> : never;

/** Writes a trace. Time goes on by itself; `{time}` in an answer is another one each time. */
export class Story {
  readonly items: TraceItem[] = [];
  readonly random: Random;
  at: number;
  #reply = 0;
  #isParallel = false;
  readonly #useless: number[] = [];

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.at = 1_790_000_000_000 + this.random.below(1_000_000_000);
  }

  wait(milliseconds: number): this {
    this.at += milliseconds;
    return this;
  }

  tell(step: Told): this {
    this.wait(500 + this.random.below(4000));
    this.items.push({ ...step, at: this.at } as TraceItem);
    return this;
  }

  call(tool: string, input: unknown, output: string, facts: CallFacts = {}, options: CallOptions = {}): this {
    const { status = "completed", milliseconds = 20 + this.random.below(3000), exit, server } = options;
    if (!this.#isParallel) this.#reply += 1;
    this.wait((this.#isParallel ? 0 : 2000 + this.random.below(9000)) + milliseconds);
    const time = `${this.random.below(60)}.${100 + this.random.below(900)}s`;
    this.items.push({
      type: "call",
      tool,
      ...(server === undefined ? {} : { server }),
      input,
      output: output.replaceAll("{time}", time),
      status,
      ...(exit === undefined ? {} : { exit }),
      milliseconds,
      at: this.at,
      reply: this.#reply,
      facts: { kind: "other", ...facts, same: output },
    });
    return this;
  }

  /** Calls of one reply. */
  together(calls: () => void): this {
    this.#reply += 1;
    this.#isParallel = true;
    calls();
    this.#isParallel = false;
    return this;
  }

  /** What was told last is a useless repeat, or the end of a lap of such. */
  useless(): this {
    this.#useless.push(this.items.length);
    return this;
  }

  end(name: string, detector?: string): Trace {
    return { name, detector, items: this.items, deadline: this.#useless[4] ?? this.items.length };
  }
}
