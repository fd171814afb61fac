import { describe, expect, test } from "vitest";
import { asRead, asRecorded, BEGIN, type Ending, STEP } from "../../../test/grounding/made-up-session.js";
import { type Evidence, todosOf } from "../todo/list.js";
import { judgeList, judgeTasks } from "./judged.js";

/** `todo:verdict` of all that are on the list, then of all tasks. */
function verdictsOf({ list, tasks, work }: Ending): string {
  const judge = judgeList(list, work);
  const judgeTask = judgeTasks(tasks, work);
  const word = (verdict: string | undefined) => (verdict === undefined ? "-" : verdict);
  return [
    ...todosOf(list).map((todo) => `${todo.number}:${word(judge?.(todo).judgement?.verdict)}`),
    ...tasks.map((task) => `${task.id}:${word(judgeTask?.(task).judgement?.verdict)}`),
  ].join(" ");
}

/** The letters are those of the made-up session. `only`: a transcript cannot tell it. */
const ROWS: readonly { name: string; steps: string; then: string; only?: "recorded" }[] = [
  { name: "nothing ran", steps: "1> 1.", then: "1:unbacked" },
  { name: "something ran", steps: "1> c 1.", then: "1:worked" },
  { name: "something that failed ran", steps: "1> f 1.", then: "1:worked" },
  { name: "an edit without a check", steps: "1> e 1.", then: "1:worked" },
  { name: "a green check after the last edit", steps: "1> e g 1.", then: "1:verified" },
  { name: "any kind of check", steps: "1> e l 1.", then: "1:verified" },
  { name: "calls after the check change nothing", steps: "1> e g c c 1.", then: "1:verified" },
  { name: "a red check after the last edit", steps: "1> e r 1.", then: "1:contradicted" },
  { name: "a check whose result is lost", steps: "1> e u 1.", then: "1:worked" },
  { name: "a lost result does not take a green one back", steps: "1> e g u 1.", then: "1:verified" },
  { name: "a lost result does not take a red one back", steps: "1> e r u 1.", then: "1:contradicted" },
  { name: "a check before the edit", steps: "1> g e 1.", then: "1:worked" },
  { name: "edits, red, green", steps: "1> e r e g 1.", then: "1:verified" },
  { name: "edits, red, green, edits again", steps: "1> e r e g e 1.", then: "1:worked" },
  { name: "edits, green, edits again", steps: "1> e g e 1.", then: "1:worked" },
  { name: "edits, green, red", steps: "1> e g r 1.", then: "1:contradicted" },
  { name: "red, then edits that nobody checked", steps: "1> e r e 1.", then: "1:contradicted" },
  { name: "green, edits, red, edits", steps: "1> e g e r e 1.", then: "1:contradicted" },
  { name: "an edit that changed nothing is none", steps: "1> e g n 1.", then: "1:verified" },
  { name: "prose is an edit too", steps: "1> e g p 1.", then: "1:worked" },
  { name: "no edit, a green check of its own", steps: "1> g 1.", then: "1:verified" },
  { name: "no edit, a red check of its own", steps: "1> r 1.", then: "1:contradicted" },
  { name: "no edit, red and then green", steps: "1> r g 1.", then: "1:verified" },
  { name: "no edit, green and then red", steps: "1> g r 1.", then: "1:contradicted" },
  { name: "the next todo runs the tests", steps: "1> e 1. 2> g 2.", then: "1:verified 2:verified" },
  { name: "tests of a later todo, after its own edit", steps: "1> e 1. 2> e g 2.", then: "1:verified 2:verified" },
  {
    name: "a green check tells nothing of a todo without edits",
    steps: "1> c 1. 2> g 2.",
    then: "1:worked 2:verified",
  },
  { name: "nor of one for which nothing ran", steps: "1> 1. 2> e g 2.", then: "1:unbacked 2:verified" },
  { name: "the next todo finds it red", steps: "1> e g 1. 2> r", then: "1:contradicted 2:-" },
  { name: "red after completion, and nothing was checked before", steps: "1> e 1. 2> r", then: "1:contradicted 2:-" },
  { name: "red because of the next todo's edit", steps: "1> e g 1. 2> e r", then: "1:verified 2:-" },
  { name: "the same, and nothing was checked before", steps: "1> e 1. 2> e r", then: "1:worked 2:-" },
  { name: "the next todo ends red", steps: "1> e g 1. 2> e r 2.", then: "1:verified 2:contradicted" },
  {
    name: "red first, then the next todo's edit and green",
    steps: "1> e g 1. 2> r e g 2.",
    then: "1:verified 2:verified",
  },
  { name: "red first, then the next todo's edit and red", steps: "1> e g 1. 2> r e r", then: "1:contradicted 2:-" },
  { name: "a failing test is written, then mended", steps: "1> e r 1. 2> e g 2.", then: "1:verified 2:verified" },
  { name: "a failing test is written, and not mended yet", steps: "1> e r 1. 2> e", then: "1:contradicted 2:-" },
  { name: "looking is not held against a red check", steps: "1> c 1. 2> r", then: "1:worked 2:-" },
  { name: "green once, red on the same files", steps: "1> g 1. 2> r", then: "1:contradicted 2:-" },
  { name: "green once, red after another's edit", steps: "1> g 1. 2> e r", then: "1:verified 2:-" },
  { name: "red, no edit, and another's green", steps: "1> r 1. 2> e g 2.", then: "1:worked 2:verified" },
  { name: "tests after everything is ticked off", steps: "1> e 1. g", then: "1:verified" },
  { name: "red tests after everything is ticked off", steps: "1> e g 1. r", then: "1:contradicted" },
  { name: "edits of nobody excuse", steps: "1> e g 1. e r", then: "1:verified" },
  { name: "what is not completed has no verdict", steps: "1> e r 2- 3x", then: "1:- 2:- 3:-" },
  { name: "opened again", steps: "1> e g 1. 1>", then: "1:-" },
  { name: "opened again, edited and completed", steps: "1> e g 1. 1> e 1.", then: "1:worked" },
  { name: "put down and taken up again", steps: "1> e 1- 2> c 2. 1> g 1.", then: "1:verified 2:worked" },
  { name: "work before the list", steps: "c 1. 2>", then: "1:worked 2:-" },
  { name: "edits and a check before the list", steps: "e g 1. 2>", then: "1:verified 2:-" },
  { name: "nothing before the list", steps: "1. 2>", then: "1:unbacked 2:-" },
  {
    name: "no todo is in progress: it is the first that is open",
    steps: "1- 2- e g 1. 2.",
    then: "1:verified 2:unbacked",
  },
  { name: "two are in progress: it is for both", steps: "1> 2> e g 1. 2.", then: "1:verified 2:verified" },
  { name: "a call that began before the list was written", steps: "1> L 1. 2> c c 2.", then: "1:worked 2:worked" },
  { name: "and nothing else ran for the next one", steps: "1> L 1. 2> 3- 2.", then: "1:worked 2:unbacked 3:-" },
  { name: "a sub-agent did it", steps: "1> ae 1.", then: "1:worked" },
  { name: "a sub-agent did it, and checked it", steps: "1> ae ag 1.", then: "1:verified" },
  { name: "a sub-agent did it, and its session checked it", steps: "1> ae g 1.", then: "1:verified" },
  { name: "a sub-agent found it red", steps: "1> e ar 1.", then: "1:contradicted" },
  { name: "a sub-agent edits after the check", steps: "1> e g ae 1.", then: "1:worked" },
  { name: "waived", steps: "1> e waive 1.", then: "1:waived" },
  { name: "waived, and nothing ran", steps: "1> waive 1.", then: "1:waived" },
  { name: "a waiver does not replace a green check", steps: "1> e g waive 1.", then: "1:verified" },
  { name: "a waiver does not hide a red one", steps: "1> e r waive 1.", then: "1:contradicted" },
  { name: "a waiver is for what was on the list then", steps: "1> waive 1. 2> c 2.", then: "1:waived 2:worked" },
  { name: "of one todo", steps: "1> 2- c 1. c 2. waive2", then: "1:worked 2:waived", only: "recorded" },
  { name: "a list that was cleared", steps: "1> e g 1. clear 2> c 2.", then: "2:worked" },
  { name: "checks of an earlier list", steps: "1> r 1. clear 2> e 2.", then: "2:worked" },
  { name: "a task of the client: nothing ran", steps: "A> A.", then: "A:unbacked" },
  { name: "a task of the client: edited and checked", steps: "A- B- A> e g A. B> c B.", then: "A:verified B:worked" },
  { name: "a task of the client: red", steps: "A> e r A. B>", then: "A:contradicted B:-" },
  { name: "a task of the client: by a sub-agent", steps: "A> ae ag A.", then: "A:verified" },
  { name: "tasks at the same time", steps: "A> B> c A. B.", then: "A:worked B:worked" },
  { name: "a task of the client: waived", steps: "A> c A. waive", then: "A:waived" },
];

describe("verdicts", () => {
  test.each(ROWS)("$name", ({ steps, then, only }) => {
    const all = steps.split(" ");
    expect(verdictsOf(asRecorded(all))).toBe(then);
    if (only === undefined) expect(verdictsOf(asRead(all))).toBe(then);
  });
});

describe("what is said of a todo", () => {
  const said = (evidence: readonly Evidence[], steps: string, notes: readonly string[] = []) => {
    const { list, work } = asRecorded(steps.split(" "));
    const judge = judgeList(list, work);
    const [todo] = todosOf(list);
    return todo && judge?.({ ...todo, notes, evidence }).judgement;
  };

  test.each<[string, readonly Evidence[], string, string]>([
    ["a person's evidence verifies", [{ text: "Looked at it", by: "ann@desk" }], "1> e 1.", "verified"],
    ["also where nothing ran", [{ text: "Looked at it", by: "ann@desk" }], "1> 1.", "verified"],
    ["a person knows better than a red check", [{ text: "Flaky", by: "ann@desk" }], "1> e r 1.", "verified"],
    ["a model's evidence does not", [{ text: "All tests pass" }], "1> e 1.", "worked"],
    ["nor where nothing ran", [{ text: "All tests pass" }], "1> 1.", "unbacked"],
    ["nor against a red check", [{ text: "All tests pass" }], "1> e r 1.", "contradicted"],
    ["it names a check that passed", [{ text: "see call-0" }], "g 1- 1> 1.", "verified"],
    ["by its field", [{ text: "see there", call: "call-0" }], "g 1- 1> 1.", "verified"],
    ["it names a check that failed", [{ text: "see call-0" }], "r 1- 1> 1.", "unbacked"],
    ["it names a call that is no check", [{ text: "see call-0" }], "c 1- 1> 1.", "unbacked"],
    ["it names a check of the files before the edit", [{ text: "see call-0" }], "g 1> e 1.", "worked"],
    ["it waives", [{ text: "Cannot be checked here: no browser" }], "1> e 1.", "waived"],
    ["a person waives", [{ text: "cannot be tested here: no key", by: "ann@desk" }], "1> e 1.", "waived"],
  ])("%s", (_, evidence, steps, then) => {
    expect(said(evidence, steps)?.verdict).toBe(then);
  });

  test("a note waives, with its reason", () => {
    expect(said([], "1> 1.", ["This can't be verified here: needs the real printer"])).toEqual({
      verdict: "waived",
      because: { by: "waiver", reason: "needs the real printer" },
    });
  });
});

describe("the facts of a todo", () => {
  const facts = (steps: string, number = 1) => {
    const { list, work } = asRecorded(steps.split(" "));
    const todo = todosOf(list).find((one) => one.number === number);
    return todo && judgeList(list, work)?.(todo).facts;
  };

  test("calls, failures, files, lines, time, the last check and the last edit", () => {
    expect(facts("1> c e e p f r 1. 2> e")).toEqual({
      calls: 6,
      failures: 2,
      files: ["/w/a.ts", "/w/README.md"],
      moreFiles: 0,
      added: 7,
      removed: 2,
      milliseconds: 5 * STEP + 40,
      startedAt: BEGIN + STEP,
      endedAt: BEGIN + 6 * STEP + 40,
      editedAt: BEGIN + 4 * STEP + 40,
      check: { kind: "tests", result: "failed", at: BEGIN + 6 * STEP + 40, title: "run tests" },
    });
  });

  test("are there for a todo that is open", () => {
    expect(facts("1> c e")).toMatchObject({ calls: 2, added: 3, files: ["/w/a.ts"], check: null });
  });

  test("pauses between two times are not counted", () => {
    expect(facts("1> c 1- 2> c c c 2. 1> c 1.")).toMatchObject({ calls: 2, milliseconds: 80 });
  });
});
