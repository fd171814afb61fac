// npm run bench:engine: a TodoWrite of 20 items through parse, decide, evolve and render, as a multiple of
// JSON.parse + JSON.stringify of the same payload. Both run in turn inside one process: machines are noisy.
import { EMPTY_LIST, type TodoList, todosOf } from "../src/core/todo/list.js";
import { claude } from "../src/dialects/claude/claude.js";
import { codex } from "../src/dialects/codex/codex.js";
import type { Dialect } from "../src/dialects/dialect.js";
import { milepost } from "../src/dialects/milepost/todo-tool.js";
import { speak } from "../src/dialects/speak.js";
import { report } from "./report.js";
import { median } from "./rounds.js";
import { eightWordSteps } from "./token-cost.js";

const ITEMS = 20;
const ROUNDS = 41;
const REPEATS = 400;

/** The 20 states of a list that is worked off, so that every write changes something, as real ones do. */
const texts = eightWordSteps(ITEMS);
const status = (index: number, done: number) =>
  index < done ? "completed" : index === done ? "in_progress" : "pending";
const writes = texts.map((_, done) =>
  JSON.stringify({
    todos: texts.map((content, index) => ({ content, status: status(index, done), activeForm: content })),
  }),
);
const plans = texts.map((_, done) =>
  JSON.stringify({ plan: texts.map((step, index) => ({ step, status: status(index, done) })) }),
);

function jsonOnly(payloads: readonly string[]): () => void {
  let turn = 0;
  return () => {
    JSON.stringify(JSON.parse(payloads[turn++ % payloads.length] ?? ""));
  };
}

function spoken(dialect: Dialect, tool: string, payloads: readonly string[]): () => void {
  let list: TodoList = EMPTY_LIST;
  let turn = 0;
  return () => {
    const { list: next, answer } = speak(dialect, list, {
      tool,
      input: { text: payloads[turn++ % payloads.length] ?? "" },
    });
    if (answer.isError) throw new Error(answer.text);
    // The answer leaves as JSON, so it is part of the way.
    JSON.stringify(answer);
    list = next;
  };
}

function doneByNumber(): () => void {
  const begin = speak(milepost, EMPTY_LIST, { tool: "todo", input: { value: { add: texts } } }).list;
  let list = begin;
  return () => {
    const open = todosOf(list).find((todo) => todo.status === "in_progress");
    if (!open) list = begin;
    const text = JSON.stringify({ done: open?.number ?? 1 });
    list = speak(milepost, list, { tool: "todo", input: { text } }).list;
  };
}

function microseconds(run: () => void): number {
  const start = process.hrtime.bigint();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) run();
  return Number(process.hrtime.bigint() - start) / 1000 / REPEATS;
}

/** Median of the ratios of neighbouring rounds, after a warm-up. */
function compare(
  baseline: () => void,
  run: () => void,
): { readonly base: number; readonly time: number; readonly ratio: number } {
  microseconds(baseline);
  microseconds(run);
  const rounds = Array.from({ length: ROUNDS }, () => ({ base: microseconds(baseline), time: microseconds(run) }));
  return {
    base: median(rounds.map(({ base }) => base)),
    time: median(rounds.map(({ time }) => time)),
    ratio: median(rounds.map(({ base, time }) => time / base)),
  };
}

const results = {
  "claude TodoWrite": compare(jsonOnly(writes), spoken(claude, "TodoWrite", writes)),
  "codex update_plan": compare(jsonOnly(plans), spoken(codex, "update_plan", plans)),
  "milepost done": compare(jsonOnly(writes), doneByNumber()),
};

report(
  "engine",
  Object.entries(results).map(([call, { base, time, ratio }]) => ({
    call,
    "JSON only, µs": base.toFixed(1),
    "engine, µs": time.toFixed(1),
    ratio: ratio.toFixed(2),
  })),
  [
    {
      name: "TodoWrite of 20 items over JSON.parse + JSON.stringify",
      actual: results["claude TodoWrite"].ratio,
      most: 10,
    },
  ],
);
