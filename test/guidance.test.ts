import { describe, expect, test } from "vitest";
import { tokens } from "../bench/token-cost.js";
import { findNamedDialect } from "../src/app/calls/dialect-names.js";
import { guidance } from "../src/app/commands/guidance.js";
import { offeredTools } from "../src/dialects/dialect.js";
import { DIALECTS } from "../src/dialects/registry.js";

const MOST_TOKENS = 300;

/** What an agent may tell its model, and the words by which our text says it. */
const RULES = {
  "three or more steps": /three or more steps/i,
  "work that needs planning": /needs planning/,
  "several tasks at once": /several (?:tasks|requests)|a set of tasks/,
  "the person asks for it": /person asks|on request|when asked/,
  "new instructions": /new instructions/i,
  "not one plain task": /single plain task/,
  "not what is trivial": /trivial/,
  "not fewer than three steps": /fewer than three/,
  "not a question": /question|informational/,
  "in doubt": /in doubt, keep one/i,
  states: /pending is not begun; in_progress is being worked on; completed is done/,
  "exactly one in progress": /exactly one (?:is\b|step|todo)/i,
  "one in progress": /one (?:todo|item|task) is in_progress|at most one|one focus/i,
  "marked before it begins": /before you begin it/,
  "finished before the next": /finished before the next begins/,
  "complete at once": /at once|the moment it is done|right after it is finished/,
  "no batches": /never several later|do not complete several afterwards/,
  "follow-up work": /work you discover/,
  "only when done": /all of it is done|only when fully done|only when you have checked/,
  "not while tests fail": /failing tests|tests pass/,
  "not half done": /half an implementation|fully done/,
  "not with errors": /open errors|no error is open/,
  "not without its files": /not found/,
  "blocked: stays open": /stays in_progress|leave it open/i,
  "blocked: a new todo": /todo (?:says|for) what must be resolved|append a task/,
  "what no longer matters": /no longer matters/,
  "break it down": /into (?:small|steps)/,
  "specific todos": /specific/,
  "can be acted on": /acted on/,
  "clear names": /clearly named/,
  "two forms": /activeForm, what is being done|activeForm:"Running tests"/,
  "for the model": /you plan|memory|for you\b|how far you are/,
  "for the person": /the person|people see|somebody who does not read/,
  // Codex
  "phases and order": /phases or an order/,
  ambiguity: /unclear work/,
  checkpoints: /checkpoints/,
  "steps found on the way": /find on the way/,
  "the easiest quarter": /easiest quarter/,
  "no plan of one step": /never make a plan of one step/,
  "short steps": /at most seven words/,
  "checkable steps": /can be checked/,
  "no filler": /No filler/,
  "nothing impossible": /nothing that you cannot do/,
  "through in_progress": /pending through in_progress/,
  "before the next": /before you go on to the next/,
  "why it changed": /explanation says why/,
  "before going on": /before you continue/,
  "not stale": /stale/,
  "do not repeat": /do not repeat it, say what changed and what is next/,
  "nothing left at the end": /At the end every step is completed/,
  "a plan is no result": /plan alone is no result/,
  "not in Plan mode": /Not in Plan mode/,
  // oh-my-pi
  "exact texts": /exact text/,
  "no ids": /no ids/,
  "unique and stable": /unique and stay/,
  "five to ten words": /five to ten words/,
  "what, not how": /not how/,
  "phase names": /short noun/,
  "no numbers before phases": /without a number/,
  "the next starts by itself": /starts by itself/,
  "pending is no op": /no op for pending/,
  "phases in order": /phases in order/,
  "blocked: or drop": /or drop the blocked one/,
  notes: /reminder for yourself/,
  "before going on with it": /before you go on\./,
  // oh-my-pi 18
  "all that was listed": /a task of its own before you begin/,
  "look it up": /view shows it/,
  "wait for others": /somebody else must act first/,
  "not alone": /beside other work of the same turn/,
  // Hermes
  "each of N": /list each of them/,
  priority: /order is the priority/,
  verified: /checked the work, never because you mean to/,
  "failed: cancel and revise": /cancelled, and a revised item added/,
  "split with parent": /as their parent/,
  reading: /without parameters to read/,
  "all of it is returned": /returns all of it/,
  // nexo
  proactive: /without being asked/,
  "a finished list is emptied": /emptied/,
  // OpenClaw
  "two real steps": /two or more real steps/,
  "not a greeting": /greeting/,
  "not a single step": /single step/,
  "no made-up steps": /make up no steps/,
  "changed or cleared": /may always be changed or cleared/,
  "the form that fits": /shows the work best/,
  "nothing twice": /no fact in both parts/,
  table: /a table for comparisons/,
  "bold line": /one bold line/,
  bar: /<progress aria-label="[^"]+" value="\d+" max="\d+"><\/progress>/,
  "bar first, labelled": /first in the note.*label with purpose and count/,
  "no other HTML": /Other HTML is removed/,
  links: /Link what has an address/,
  "only sequential work": /truly sequential/,
  "no plan where another form says more": /says more/,
  "on change only": /not with every message/,
  "open work stays": /Unfinished and blocked work stays/,
  "clear at the end": /clear it with \{\} before your last reply/,
  "sum up in the reply": /sum up there, not on the card/,
  // Gemini CLI
  "several steps": /several steps/,
  "with the first step": /with the first step/,
  "complex after all": /half-way/,
  "not less than two steps": /less than two steps/,
  "not one answer": /one answer settles/,
  "not a loop of mending": /single loop/,
  "divide first": /Divide the work first/,
  "clear and distinct": /clear, and each is another one/,
  "blocked: a status": /blocked: it cannot be finished for now/,
  "not static": /follows the work/,
  "every subtask": /keep track of every one/,
  // Qwen Code
  "several outcomes": /several outcomes/,
  "few todos": /Few todos/,
  "none for each file": /not one for every file, command or error/,
  "not stuck work": /not for work that is stuck/,
  "revised with the plan": /when the plan changes/,
  "only real dependencies": /only where that is really so/,
  "dependencies stay": /stays as it was while anything is open; \[\] takes it away/,
  // opencode
  "without being asked": /also unasked/,
  cancelled: /cancelled is not needed any more/,
  "commands as they were given": /stay word for word/,
  // GitHub Copilot CLI
  "ids in words": /kebab-case/,
  "a title says what is being done": /a title says what is being done/,
  "descriptions stand alone": /description stands by itself/,
  "four states": /pending is not begun; in_progress .*; done is .*; blocked cannot go on/s,
  "set before it begins": /set before you begin/,
  "blocked: say why": /its description says why/,
  "tables are there": /do not create them/,
  "every real prerequisite": /really needs first is a row in todo_deps/,
  "todos before dependencies": /written after both todos/,
  "order says nothing": /order of the list says nothing/,
  "independent todos": /needs nothing has no row/,
  "what is ready": /Ready is what is pending/,
} satisfies Readonly<Record<string, RegExp>>;

type Rule = keyof typeof RULES;

const TODO_WRITE: readonly Rule[] = [
  ...(["three or more steps", "work that needs planning", "several tasks at once", "new instructions"] as const),
  ...(["not one plain task", "not what is trivial", "not fewer than three steps", "not a question", "states"] as const),
  ...(["exactly one in progress", "marked before it begins", "finished before the next", "complete at once"] as const),
  ...(["no batches", "follow-up work", "only when done", "not while tests fail", "not half done"] as const),
  ...(["not with errors", "not without its files", "blocked: a new todo", "what no longer matters"] as const),
  ...(["break it down", "two forms", "for the model", "for the person"] as const),
];
const NEXO: readonly Rule[] = [
  ...(["three or more steps", "proactive", "exactly one in progress", "complete at once", "no batches"] as const),
  ...(["a finished list is emptied", "two forms", "for the model", "for the person"] as const),
];

/** The rules of each original, read in its own prompt. */
const RULES_OF: Readonly<Record<string, readonly Rule[]>> = {
  milepost: [
    ...([
      "three or more steps",
      "work that needs planning",
      "several tasks at once",
      "the person asks for it",
    ] as const),
    ...(["new instructions", "not what is trivial", "not a question", "in doubt", "one in progress"] as const),
    ...(["complete at once", "only when done", "not while tests fail", "not half done", "not with errors"] as const),
    ...(["blocked: stays open", "blocked: a new todo", "what no longer matters", "break it down"] as const),
    ...(["specific todos", "two forms", "for the model", "for the person"] as const),
  ],
  claude: [
    ...TODO_WRITE,
    ...(["the person asks for it", "in doubt", "blocked: stays open", "specific todos"] as const),
    ...(["can be acted on", "clear names"] as const),
  ],
  codex: [
    ...(["phases and order", "ambiguity", "checkpoints", "several tasks at once", "the person asks for it"] as const),
    ...(["steps found on the way", "the easiest quarter", "no plan of one step", "short steps"] as const),
    ...(["checkable steps", "no filler", "nothing impossible", "exactly one in progress"] as const),
    ...([
      "through in_progress",
      "no batches",
      "before the next",
      "why it changed",
      "before going on",
      "not stale",
    ] as const),
    ...(["do not repeat", "nothing left at the end", "a plan is no result", "not in Plan mode"] as const),
    ...(["for the person"] as const),
  ],
  "oh-my-pi": [
    ...(["three or more steps", "several tasks at once", "the person asks for it", "new instructions"] as const),
    ...(["before going on with it", "exact texts", "no ids", "unique and stable", "five to ten words"] as const),
    ...(["what, not how", "phase names", "no numbers before phases", "one in progress"] as const),
    ...(["the next starts by itself", "pending is no op", "complete at once", "phases in order"] as const),
    ...(["blocked: a new todo", "blocked: or drop", "notes"] as const),
  ],
  "oh-my-pi/18": [
    ...(["three or more steps", "several tasks at once", "the person asks for it", "new instructions"] as const),
    ...(["before going on with it", "all that was listed", "exact texts", "no ids", "unique and stable"] as const),
    ...(["five to ten words", "what, not how", "look it up", "phase names", "no numbers before phases"] as const),
    ...(["phases in order", "one in progress", "the next starts by itself", "complete at once"] as const),
    ...(["wait for others", "blocked: a new todo", "not alone", "for the person"] as const),
  ],
  hermes: [
    ...(["three or more steps", "several tasks at once", "each of N", "priority", "one in progress"] as const),
    ...(["only when done", "verified", "failed: cancel and revise", "split with parent", "reading"] as const),
    ...(["all of it is returned"] as const),
  ],
  nexo: NEXO,
  "nexo/strict": NEXO,
  gencode: [
    ...(["three or more steps", "several tasks at once", "work that needs planning", "not one plain task"] as const),
    ...(["not what is trivial", "not a question", "one in progress", "complete at once", "two forms"] as const),
    ...(["for the model", "for the person"] as const),
  ],
  "gencode/node-0.5": TODO_WRITE,
  openclaw: [
    ...(["for the person", "two real steps", "not a greeting", "not a question", "not a single step"] as const),
    ...([
      "no made-up steps",
      "changed or cleared",
      "the form that fits",
      "nothing twice",
      "table",
      "bold line",
    ] as const),
    ...(["bar", "bar first, labelled", "no other HTML", "links", "only sequential work", "one in progress"] as const),
    ...(["no plan where another form says more", "on change only", "open work stays", "clear at the end"] as const),
    ...(["sum up in the reply"] as const),
  ],
  gemini: [
    ...(["several steps", "work that needs planning", "with the first step", "complex after all"] as const),
    ...(["not less than two steps", "not one answer", "not a loop of mending", "divide first"] as const),
    ...(["clear and distinct", "marked before it begins", "one in progress", "not with errors"] as const),
    ...(["what no longer matters", "blocked: a status", "complete at once", "no batches", "not static"] as const),
    ...(["every subtask", "for the model", "for the person"] as const),
  ],
  qwen: [
    ...(["for the person", "the person asks for it", "phases and order", "ambiguity", "several outcomes"] as const),
    ...(["checkpoints", "not a single step", "not a question", "few todos", "checkable steps"] as const),
    ...(["none for each file", "one in progress", "not stale", "only when done", "not stuck work"] as const),
    ...(["revised with the plan", "what no longer matters", "only real dependencies", "dependencies stay"] as const),
  ],
  opencode: [
    ...(["three or more steps", "work that needs planning", "several tasks at once", "new instructions"] as const),
    ...(["the person asks for it", "without being asked", "not one plain task", "not fewer than three steps"] as const),
    ...(["not a question", "in doubt", "states", "cancelled", "exactly one in progress", "complete at once"] as const),
    ...(["marked before it begins", "no batches", "follow-up work", "verified", "blocked: stays open"] as const),
    ...(["blocked: a new todo", "break it down", "specific todos", "can be acted on", "for the person"] as const),
    ...(["commands as they were given"] as const),
  ],
  copilot: [
    ...(["tables are there", "ids in words", "a title says what is being done", "descriptions stand alone"] as const),
    ...(["four states", "set before it begins", "blocked: say why", "every real prerequisite"] as const),
    ...(["todos before dependencies", "order says nothing", "independent todos", "what is ready"] as const),
  ],
};

const GUIDED = DIALECTS.flatMap(({ guidance: given, ...dialect }) => (given ? [{ ...dialect, given }] : []));

describe("guidance", () => {
  test.each(GUIDED)("$name: has every rule of its original", ({ name, given, tools }) => {
    // Ours says the two forms where they are written: in the tool's own schema.
    const said =
      given.place === "instructions" ? given.text + JSON.stringify(tools).replaceAll('\\"', '"') : given.text;
    const missing = (RULES_OF[name] ?? []).filter((rule) => !RULES[rule].test(said));
    expect(missing).toEqual([]);
  });

  test.each(GUIDED)(`$name: takes at most ${MOST_TOKENS} tokens`, ({ given }) => {
    expect(tokens(given.text)).toBeLessThanOrEqual(MOST_TOKENS);
  });

  test.each(GUIDED)("$name: is told once, where its agent has it", (dialect) => {
    const { given } = dialect;
    const described = offeredTools(dialect).filter(({ description }) => description.includes(given.text));
    expect(described).toHaveLength(given.place === "description" ? 1 : 0);
    expect(findNamedDialect(dialect.name)?.instructions).toBe(given.place === "instructions" ? given.text : undefined);
  });

  test.each(GUIDED)("$name: milepost guidance prints it", async ({ name, given }) => {
    expect(guidance.input.dialect.choices).toContain(name);
    expect(await guidance.run(undefined as never, { dialect: name })).toEqual({
      ok: true,
      value: { text: given.text },
    });
  });

  test("every dialect that has some has its rules here, and every rule is some dialect's", () => {
    expect(GUIDED.map(({ name }) => name)).toEqual(Object.keys(RULES_OF));
    expect(
      Object.keys(RULES).filter(
        (rule) =>
          !Object.values(RULES_OF)
            .flat()
            .includes(rule as Rule),
      ),
    ).toEqual([]);
  });
});
