// npm run bench:tokens: what a plan of 20 eight-word steps costs, from creation to the last completion.

import { GUIDANCE } from "../src/core/text/guidance-text.js";
import { milepostPlan } from "../src/dialects/milepost/plan/plan-tool.js";
import { milepostTask } from "../src/dialects/milepost/task/task-tool.js";
import { milepost } from "../src/dialects/milepost/todo-tool.js";
import { type Goal, type Row, report } from "./report.js";
import {
  CODEX_RESOURCE_TOOLS,
  claudeCodeTokens,
  codexTokens,
  eightWordSteps,
  exponent,
  planCost,
} from "./token-cost.js";

const cost = planCost(eightWordSteps(20));
const small = planCost(eightWordSteps(10));
const large = planCost(eightWordSteps(50));

// Measured with the originals' own definitions; constants, because no vendor text is kept here.
const others: readonly Row[] = [
  { dialect: "TodoWrite", written: 12_100, "in context": 14_500 },
  { dialect: "Task tools", written: 2_150, "in context": 5_200 },
  { dialect: "update_plan", written: 6_850, "in context": 7_300 },
];
const own: readonly Row[] = [small, cost, large].map(({ steps, calls, written, read, definition }) => ({
  dialect: `milepost, ${steps} steps`,
  calls,
  written,
  "results read": read,
  definition,
  "in context": written + read + definition,
}));

// What every request holds of ours after `milepost setup`, beside what the client adds for a server by itself.
const offers = [
  { offered: "todo", tools: milepost.tools },
  { offered: "todo and task (--tasks)", tools: [...milepost.tools, ...milepostTask.tools] },
  { offered: "todo and plan (--plans)", tools: [...milepost.tools, milepostPlan] },
];
const requests: Row[] = offers.map(({ offered, tools }) => ({
  "in every request": offered,
  "Claude Code": claudeCodeTokens(tools, GUIDANCE),
  Codex: codexTokens(tools, GUIDANCE),
  "Codex adds, without code mode": CODEX_RESOURCE_TOOLS,
}));
requests.unshift({ "in every request": "nothing (--todo client)", "Claude Code": 0, Codex: 0 });
console.table(requests);

const goals: readonly Goal[] = [
  { name: "tokens in every request of Claude Code", actual: claudeCodeTokens(milepost.tools, GUIDANCE), most: 350 },
  { name: "tokens in every request of Codex", actual: codexTokens(milepost.tools, GUIDANCE), most: 350 },
  { name: "tokens written, 20 steps", actual: cost.written, most: 700 },
  { name: "tokens of results read, 20 steps", actual: cost.read, most: 550 },
  { name: "tokens of the definition", actual: cost.definition, most: 215 },
  { name: "calls for 20 completions, creation aside", actual: cost.calls - 1, most: 20 },
  { name: "growth of written, 10 to 50 steps", actual: exponent(small, large, ({ written }) => written), most: 1.05 },
  { name: "growth of read, 10 to 50 steps", actual: exponent(small, large, ({ read }) => read), most: 1.05 },
];

report("tokens", [...own, ...others], goals);
