import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { decide } from "../../core/todo/decide.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { toMarkdown } from "./markdown.js";
import { newPhases, type PiPhase, type PiStatus, phasesOf } from "./pi-phases.js";
import { editStep, importStep, planSlash, type SlashChange, type SlashStep } from "./slash.js";
import {
  copied,
  copyFailed,
  editorFailed,
  editUnsaved,
  exported,
  exportFailed,
  importFailed,
  manualEditReminder,
  noEditor,
  type SlashMode,
} from "./slash-texts.js";

const STATUSES: Readonly<Record<string, PiStatus>> = {
  " ": "pending",
  "/": "in_progress",
  x: "completed",
  "-": "abandoned",
};

/** A phase from texts: "x a" is a completed "a". */
function phase(name: string, ...tasks: readonly string[]): PiPhase {
  return {
    name,
    tasks: tasks.map((text) => ({ content: text.slice(2), status: STATUSES[text.charAt(0)] ?? "pending" })),
  };
}

function listOf(...phases: readonly PiPhase[]): TodoList {
  return written(EMPTY_LIST, { command: { type: "replace", phases: newPhases(phases) }, policy: WHOLE_LIST });
}

function written(list: TodoList, { command, policy }: Pick<SlashChange, "command" | "policy">): TodoList {
  const decision = decide(list, command, policy);
  if (!decision.ok) throw new Error(decision.error.message);
  return evolveAll(list, decision.value.events);
}

const plan = (args: string, list: TodoList, mode: SlashMode = "tui") => planSlash(args, list, { mode, name: "/todo" });

/** What a step comes to, in one text: what was said, and the list where it changed. */
function outcome(step: SlashStep, list: TodoList): string {
  if (step.type === "say") return `${step.level}: ${step.text}`;
  if (step.type !== "change") return JSON.stringify(step);
  const lines = toMarkdown(phasesOf(written(list, step))).trimEnd();
  return `${step.said} | ${lines.replaceAll("\n", " ").replaceAll("- [", "[").replace(/ {2}/g, " ")}`;
}

const WORK = listOf(phase("Foundation", "x Scaffold", "/ Wire it"), phase("Auth", "  Port store", "  Wire OAuth"));

interface Row {
  name: string;
  args: string;
  list?: TodoList;
  mode?: SlashMode;
  is: string;
}

function rows(cases: readonly Row[]): void {
  test.each(cases)("$name: $args", ({ args, list = WORK, mode = "tui", is }) => {
    expect(outcome(plan(args, list, mode), list)).toBe(is);
  });
}

describe("verbs", () => {
  rows([
    {
      name: "in any case",
      args: "EDIT",
      list: EMPTY_LIST,
      mode: "text",
      is: outcome(plan("edit", WORK, "text"), WORK),
    },
    { name: "blanks of any kind around", args: "\u00a0 \t?\n", is: outcome(plan("help", WORK), WORK) },
    { name: "told in lower case", args: "WAT", mode: "tui", is: outcome(plan("wat x", WORK), WORK) },
    { name: "no names of objects", args: "__proto__", mode: "text", is: outcome(plan("wat", WORK, "text"), WORK) },
    {
      name: "an empty list",
      args: "",
      list: EMPTY_LIST,
      is: "status: No todos. Use /todo append <task> to start one.",
    },
    { name: "an empty phase is a list", args: "", list: listOf(phase("P")), is: "status: # P" },
    { name: "blanks at the end are cut", args: "", list: listOf(phase("P", "/ a  ")), is: "status: # P\n- [/] a" },
  ]);

  test("help is in line, whatever the command is called", () => {
    const help = (name: string) => JSON.stringify(planSlash("help", WORK, { mode: "tui", name }));
    expect(help("milepost todo")).toBe(help("/todo").replaceAll("/todo", "milepost todo"));
  });

  test("every text and action names the command as it was called", () => {
    for (const mode of ["tui", "text"] as const)
      for (const args of [
        "",
        "help",
        "wat",
        "append",
        "append x",
        "start",
        "start zz",
        "edit",
        "done",
        "rm",
        "rm auth",
      ])
        for (const list of [EMPTY_LIST, WORK])
          expect(JSON.stringify(planSlash(args, list, { mode, name: "tick" }))).not.toContain("/todo");
  });
});

describe("append", () => {
  const one = listOf(phase("Auth Two", "x a"));
  rows([
    {
      name: "one word, no list",
      args: "append ship",
      list: EMPTY_LIST,
      is: "Appended to Todos: Ship | # Todos [ ] Ship",
    },
    {
      name: "one word, last phase",
      args: "append b",
      list: one,
      is: "Appended to Auth Two: B | # Auth Two [x] a [ ] B",
    },
    {
      name: "the last of two phases with one name",
      args: "append b",
      list: listOf(phase("P", "/ a"), phase("P")),
      is: "Appended to P: B | # P [/] a # P [ ] B",
    },
    {
      name: "a backslash takes the next character",
      args: 'append a\\ b\\"c\\\\',
      list: one,
      is: 'Appended to Auth Two: A b"c\\ | # Auth Two [x] a [ ] A b"c\\',
    },
    {
      name: "also a last one",
      args: "append a\\",
      list: one,
      is: "Appended to Auth Two: A\\ | # Auth Two [x] a [ ] A\\",
    },
    {
      name: "quotes inside a word",
      args: 'append a" "b',
      list: one,
      is: "Appended to Auth Two: A b | # Auth Two [x] a [ ] A b",
    },
    {
      name: "an open quote goes to the end",
      args: 'append "a b',
      list: one,
      is: "Appended to Auth Two: A b | # Auth Two [x] a [ ] A b",
    },
    {
      name: "empty words are none",
      args: 'append "" b ""',
      list: one,
      is: "Appended to Auth Two: B | # Auth Two [x] a [ ] B",
    },
    {
      name: "nothing but empty words",
      args: 'append ""',
      list: one,
      is: "error: Usage: /todo append [<phase>] <task...>",
    },
    { name: "a blank is a word", args: 'append " "', list: one, is: "Appended to Auth Two:  | # Auth Two [x] a [ ]" },
    {
      name: "several words make one text",
      args: "append auth b\t c",
      list: one,
      is: "Appended to Auth Two: B c | # Auth Two [x] a [ ] B c",
    },
    {
      name: "capitals stay",
      args: "append rEST aPI docs",
      list: EMPTY_LIST,
      is: "Appended to REST: API docs | # REST [ ] API docs",
    },
    { name: "letters that grow", args: "append ßa ßb", list: EMPTY_LIST, is: "Appended to SSa: SSb | # SSa [ ] SSb" },
    {
      name: "letters beyond the first plane stay",
      args: "append 𐐨 𐐨",
      list: EMPTY_LIST,
      is: "Appended to 𐐨: 𐐨 | # 𐐨 [ ] 𐐨",
    },
    {
      name: "a new phase may be called like one that was not found",
      args: 'append "auth  two" b',
      list: listOf(phase("Auth Two", "x a", "/ B")),
      is: "Appended to Auth Two: B | # Auth Two [x] a [/] B # Auth Two [ ] B",
    },
    {
      name: "a phase without a name",
      args: 'append " " b',
      list: listOf(phase("", "/ a")),
      is: "Appended to : B | # [/] a # [ ] B",
    },
  ]);

  test("a second phase of one name leaves the first one as it is", () => {
    const before = { ...listOf(phase("Auth Two", "x a", "  B")), explanation: "why" };
    const after = written(before, plan('append "auth  two" b', before) as SlashChange);
    expect(after.explanation).toBe("why");
    expect(after.phases[0]).toEqual(before.phases[0]);
  });
});

describe("finding", () => {
  const fixes = listOf(phase("P", "x fix a", "- fix b", "/ other"));
  const miss = (query: string) => `error: No task or phase matched "${query}".`;
  rows([
    {
      name: "a todo before a phase",
      args: "done auth",
      is: "Marked completed: Wire OAuth | # Foundation [x] Scaffold [/] Wire it # Auth [ ] Port store [x] Wire OAuth",
    },
    {
      name: "the first of several equal ones",
      args: "rm A",
      list: listOf(phase("P", "/ a", "  A", "  ab")),
      is: "Removed: a | # P [/] A [ ] ab",
    },
    {
      name: "equal before contained",
      args: "rm a",
      list: listOf(phase("P", "/ ab", "  a")),
      is: "Removed: a | # P [/] ab",
    },
    { name: "closed ones only, and several", args: "drop fix", list: fixes, is: miss("fix") },
    {
      name: "the only closed one",
      args: "start FIX A",
      list: fixes,
      is: "Started: fix a | # P [/] fix a [-] fix b [ ] other",
    },
    {
      name: "quotes are part of the query",
      args: 'start "other"',
      list: fixes,
      is: 'error: No task matched ""other"". Use /todo to list current tasks.',
    },
    {
      name: "but not in text mode",
      args: 'start "other"',
      list: fixes,
      mode: "text",
      is: "Started: other | # P [x] fix a [-] fix b [/] other",
    },
    {
      name: "a miss is told as it was typed",
      args: 'start "no  such"',
      mode: "text",
      is: 'output: No task matched ""no  such"". Use /todo to list current tasks.',
    },
    {
      name: "nothing but quotes",
      args: 'start ""',
      mode: "text",
      is: 'output: No task matched """". Use /todo to list current tasks.',
    },
    {
      name: "a phase by its beginning",
      args: "done f",
      list: listOf(phase("Foo", "/ x"), phase("Of", "  y")),
      is: "Marked phase Foo completed. | # Foo [x] x # Of [/] y",
    },
    {
      name: "a phase by its middle",
      args: "drop oo",
      list: listOf(phase("Foo", "/ x"), phase("Bar", "  y")),
      is: "Marked phase Foo abandoned. | # Foo [-] x # Bar [/] y",
    },
    {
      name: "two phases by their beginning",
      args: "rm b",
      list: listOf(phase("Bar", "/ x"), phase("Baz")),
      is: miss("b"),
    },
    { name: "case beyond ASCII", args: "rm ÄRGER", list: listOf(phase("P", "/ ärger")), is: "Removed: ärger | # P" },
    {
      // The tool's edits go by text alone: the closed one comes first, and is done already.
      name: "of two with one text the first is meant",
      args: "done fix",
      list: listOf(phase("P", "x fix a", "/ fix a")),
      is: "Marked completed: fix a | # P [x] fix a [/] fix a",
    },
  ]);
});

describe("changes", () => {
  const action = (args: string, list = WORK) => (plan(args, list) as SlashChange).action;

  test.each([
    ["append x", "/todo append → Auth"],
    ["append new x", "/todo append → New"],
    ["start OAUTH", "/todo start Wire OAuth"],
    ["done", "/todo done (all)"],
    ["drop found", "/todo drop Foundation"],
    ["rm", "/todo rm (all)"],
    ["rm scaf", "/todo rm Scaffold"],
  ])("the model is told of %s", (args, expected) => {
    expect(action(args)).toBe(expected);
  });

  test("all of nothing is a change too", () => {
    expect(outcome(plan("drop", EMPTY_LIST), EMPTY_LIST)).toBe("Marked all tasks abandoned. | # Todos");
    expect(phasesOf(written(WORK, plan("rm", WORK) as SlashChange))).toEqual([]);
  });

  test("a removed phase stays, empty", () => {
    expect(phasesOf(written(WORK, plan("rm foundation", WORK) as SlashChange))).toEqual([
      phase("Foundation"),
      phase("Auth", "/ Port store", "  Wire OAuth"),
    ]);
  });
});

describe("files, editor, clipboard", () => {
  rows([
    {
      name: "a file of its own",
      args: 'export "my file".md ',
      is: JSON.stringify({ type: "export", path: '"my file".md', markdown: toMarkdown(phasesOf(WORK)) }),
    },
    { name: "the usual file", args: "import", list: EMPTY_LIST, is: '{"type":"import","path":"TODO.md"}' },
    { name: "the list to edit", args: "edit", list: listOf(phase("P")), is: '{"type":"edit","markdown":"# P\\n"}' },
    {
      name: "an example to edit",
      args: "edit",
      list: EMPTY_LIST,
      is: '{"type":"edit","markdown":"# Todos\\n- [ ] (replace this with your tasks)\\n"}',
    },
    { name: "the list to copy", args: "copy", list: listOf(phase("P")), is: '{"type":"copy","markdown":"# P\\n"}' },
    { name: "nothing to copy", args: "copy", list: EMPTY_LIST, is: "warning: No todos to copy." },
    { name: "nothing to export", args: "export a.md", list: EMPTY_LIST, is: "warning: No todos to export." },
  ]);

  test("what was read is taken whole, or not at all", () => {
    const options = { mode: "tui", name: "/todo" } as const;
    const good = "# P\n- [ ] a\n  > n\n# Q\n- [x] b";
    const imported = importStep(good, "/a/b.md", options) as SlashChange;
    expect(imported).toMatchObject({
      action: "/todo import /a/b.md",
      said: "Imported 2 phase(s), 2 task(s) from /a/b.md.",
    });
    expect(toMarkdown(phasesOf(written(WORK, imported)))).toBe("# P\n- [/] a\n  > n\n\n# Q\n- [x] b\n");
    expect(editStep(good, options)).toMatchObject({
      action: "/todo edit",
      said: "Todos updated from editor: 2 phase(s), 2 task(s).",
      command: imported.command,
    });
    expect(importStep("x\ny", "b.md", options)).toMatchObject({
      type: "say",
      level: "error",
      text: 'Could not parse b.md:\n  Line 1: unrecognized syntax "x"\n  Line 2: unrecognized syntax "y"',
    });
    expect(editStep("x", { ...options, mode: "text" })).toMatchObject({
      type: "say",
      level: "output",
      isRefused: true,
      text: 'Could not parse Markdown:\n  Line 1: unrecognized syntax "x"',
    });
  });

  test.each([
    [exported("p", "tui"), "status", "Wrote todos to p"],
    [exportFailed("p", "why", "tui"), "error", "Failed to write p: why"],
    [importFailed("p", "why", "tui"), "error", "Failed to read p: why"],
    [importFailed("p", "why", "text"), "output", "Failed to read p: why"],
    [copied("tui"), "status", "Copied todos as Markdown to clipboard."],
    [copyFailed("why", "tui"), "error", "why"],
    [noEditor("tui"), "warning", "No editor configured. Set $VISUAL or $EDITOR environment variable."],
    [editorFailed("why", "tui"), "warning", "Failed to open external editor: why"],
    [editUnsaved("tui"), "warning", "Editor exited without saving; todos unchanged."],
  ])("%j", (step, level, text) => {
    expect(step).toMatchObject({ type: "say", level, text });
  });

  test("the reminder shows the list, or that there is none", () => {
    const around = (list: string) =>
      `<system-reminder>\nThe user manually modified the todo list (/todo x).\nCurrent todo list:\n\n${list}\n</system-reminder>`;
    expect(manualEditReminder("/todo x", [phase("P", "/ a ")])).toBe(around("# P\n- [/] a"));
    expect(manualEditReminder("/todo x", [])).toBe(around("(empty)"));
  });
});

describe("properties", () => {
  const word = fc.constantFrom(
    "append",
    "start",
    "done",
    "DROP",
    "rm",
    "a",
    "b",
    '"',
    "\\",
    " ",
    "\n",
    "𐐨",
    "\ud800",
    "P",
  );
  const anyArgs = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(" ")),
    fc.array(word).map((words) => words.join("")),
  );

  test("any words are understood, and any change can be written", () => {
    fc.assert(
      fc.property(anyArgs, fc.constantFrom(EMPTY_LIST, WORK), fc.constantFrom("tui", "text"), (args, list, mode) => {
        const step = plan(args, list, mode as SlashMode);
        if (step.type === "change") written(list, step);
        if (step.type === "say" && mode === "text") expect(step.level).toBe("output");
        if (mode === "text") expect(["edit", "copy"]).not.toContain(step.type);
      }),
      { numRuns: sized(250, 5000) },
    );
  });

  test("a very long text is still a text", () => {
    const long = "a\\ ".repeat(300_000);
    expect(plan(`append ${long}`, WORK)).toMatchObject({ type: "change" });
    expect(plan(`done ${long}`, WORK)).toMatchObject({ type: "say" });
  });
});
