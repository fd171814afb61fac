import { describe, expect, test } from "vitest";
import { type Candidate, complete, completionText, type IdSources, safeText } from "./candidates.js";
import type { CommandWords, CompletionTable } from "./command-words.js";
import type { TypedLine } from "./typed-line.js";

// Words in, candidates out: what a line asks for, without a shell and without a store.

function command(name: string, more: Partial<CommandWords> = {}): CommandWords {
  return { name, summary: `about ${name}`, flags: [], words: [], verbs: [], ...more };
}

const SESSION = { flag: "--session", about: "which session", value: { name: "SESSION" } };
const AGENT = { flag: "--agent", about: "a sub-agent", value: { name: "AGENT" } };
const LIST = { flag: "--list", about: "task list", value: { name: "LIST" } };
const TODOS = { name: "TODO", isMany: true };

const table: CompletionTable = {
  shared: {
    everywhere: [
      { flag: "--store", about: "which store", value: { name: "URL" } },
      { flag: "--json", about: "JSON" },
      { flag: "--help", about: "help" },
    ],
    alone: [{ flag: "--version", about: "version" }],
  },
  commands: [
    command("todo", {
      verbs: [
        command("list", { flags: [SESSION, AGENT] }),
        command("add", { flags: [SESSION], words: [{ name: "TEXT", isMany: true }] }),
        command("done", { flags: [SESSION, AGENT, { flag: "--all", about: "all" }], words: [TODOS] }),
        command("drop", { flags: [SESSION], words: [TODOS] }),
        command("import", { flags: [SESSION], words: [{ name: "FILE" }] }),
        command("--slash", { flags: [SESSION], words: [{ name: "TEXT", isMany: true }] }),
      ],
    }),
    command("task", {
      verbs: [
        command("list", {
          flags: [
            LIST,
            { flag: "--status", about: "s", value: { name: "NAME", choices: ["pending", "failed"], isMany: true } },
          ],
        }),
        command("add", {
          flags: [LIST, { flag: "--after", about: "blockers", value: { name: "TASK", isMany: true } }],
        }),
        command("done", { flags: [LIST], words: [{ name: "TASK" }] }),
      ],
    }),
    command("plan", {
      verbs: [
        command("show", { words: [{ name: "PLAN" }] }),
        command("diff", { words: [{ name: "PLAN" }, { name: "PLAN" }] }),
        command("propose", {
          words: [{ name: "FILE" }],
          flags: [{ flag: "--supersedes", about: "s", value: { name: "PLAN" } }],
        }),
      ],
    }),
    command("sessions", {
      words: [{ name: "SESSION" }],
      flags: [
        { flag: "--agent", about: "only of one", value: { name: "CLIENT", choices: ["claude-code", "codex"] } },
        { flag: "--all", about: "all" },
      ],
    }),
    command("setup", {
      words: [{ name: "", choices: ["claude-code", "codex"] }],
      flags: [{ flag: "--todo", about: "t", value: { name: "NAME", choices: ["ours", "client"] } }],
    }),
    command("config", { words: [{ name: "SETTING" }, { name: "VALUE" }] }),
    command("call", { isMachine: true, flags: [{ flag: "--dialect", about: "d", value: { name: "DIALECT" } }] }),
    command("backup", { words: [{ name: "FILE" }] }),
    command("plugin", { flags: [{ flag: "--to", about: "folder", value: { name: "FOLDER" } }] }),
    command("doctor", { flags: [{ flag: "--salvage", about: "file", value: { name: "FILE" } }] }),
  ],
  settings: [
    { word: "reminders", about: "all reminders", values: ["on", "off", "default"] },
    { word: "reminders.stale", about: "turns", values: ["default"] },
  ],
  dialects: ["milepost", "claude"],
};

const ids = (...words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word, about: "" }));

/** Each answers what it was asked for, so that a row shows which list was meant. */
function makeSources(asked: TypedLine[] = []): IdSources {
  const answer =
    (...words: readonly string[]) =>
    async (line: TypedLine) => {
      asked.push(line);
      return ids(...words);
    };
  return {
    sessions: answer("0199aa", "0199bb", "codex:77"),
    subAgents: answer("a1"),
    todos: answer("1", "2", "10"),
    tasks: answer("3", "4", "31"),
    taskLists: answer("web-1234abcd"),
    plans: answer("k7qm-x3v9d", "k7qm-4fzb2", "dsec-revv8"),
  };
}

async function candidatesOf(words: readonly string[]): Promise<readonly string[]> {
  const { candidates, files } = await complete(table, makeSources(), words);
  return [...(files ? [`:${files}`] : []), ...candidates.map(({ word }) => word)];
}

/** Words are split at blanks; `""` is an empty one. */
const CASES: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  // Commands and verbs.
  ['""', ["todo", "task", "plan", "sessions", "setup", "config", "backup", "plugin", "doctor"]],
  ["t", ["todo", "task"]],
  ["ca", ["call"]],
  ["x", []],
  ['todo ""', ["list", "add", "done", "drop", "import"]],
  ["todo do", ["done"]],
  ["--store x.db todo do", ["done"]],
  ["--store=x.db --json todo do", ["done"]],
  ['todo --session 0199 ""', ["list", "add", "done", "drop", "import"]],
  ['tood ""', []],
  ['todo dnoe ""', []],
  ["help to", ["todo"]],
  ["help todo d", ["done", "drop"]],
  ['help todo done ""', []],
  // Flags.
  ["-", ["--store", "--json", "--help", "--version"]],
  ["--v", ["--version"]],
  ["todo -", ["--session", "--agent", "--slash", "--store", "--json", "--help"]],
  ["todo done -", ["--session", "--agent", "--all", "--store", "--json", "--help"]],
  ["todo done --a", ["--agent", "--all"]],
  ["todo done --all --a", ["--agent"]],
  ["todo done --session 0199 --s", ["--store"]],
  ["todo --session 0199 done --s", ["--store"]],
  ["task list --status failed --st", ["--status", "--store"]],
  ['doctor ""', ["--salvage", "--store", "--json", "--help"]],
  ["doctor x", []],
  // Values of flags.
  ['todo --session ""', ["0199aa", "0199bb", "codex:77"]],
  ["todo done --session 0199b", ["0199bb"]],
  ["todo done --session=0199b", ["--session=0199bb"]],
  ["todo done --session=codex:", ["--session=codex:77"]],
  ["todo done --agent ", ["a1"]],
  ['sessions --agent ""', ["claude-code", "codex"]],
  ["setup --todo o", ["ours"]],
  ["setup --todo=", ["--todo=ours", "--todo=client"]],
  ["task list --status failed,p", ["failed,pending"]],
  ["task list --status=failed,", ["--status=failed,pending"]],
  ["task add --after 3,", ["3,4", "3,31"]],
  ["call --dialect c", ["claude"]],
  ["task done --list w", ["web-1234abcd"]],
  ["todo done --nonsense=", []],
  ["todo done --all=", []],
  // Words that are told by their place.
  ['todo done ""', ["1", "2", "10"]],
  ["todo done 1", ["1", "10"]],
  ['todo done 1 ""', ["2", "10"]],
  ["todo done 1 --all 1", ["10"]],
  ["todo done -- 1", ["1", "10"]],
  ['todo done -- ""', ["1", "2", "10"]],
  ["todo done -- -", []],
  ['todo add ""', []],
  ["todo add Write", []],
  ["task done 3", ["3", "31"]],
  ['task done 3 ""', ["--list", "--store", "--json", "--help"]],
  ["plan show k", ["k7qm-x3v9d", "k7qm-4fzb2"]],
  ["plan diff k7qm-x3v9d k", ["k7qm-4fzb2"]],
  ["plan propose PLAN.md --supersedes d", ["dsec-revv8"]],
  ["plan propose P", [":files"]],
  ["sessions 0", ["0199aa", "0199bb"]],
  ["setup c", ["claude-code", "codex"]],
  ["config rem", ["reminders", "reminders.stale"]],
  ["config reminders o", ["on", "off"]],
  ['config nothing ""', []],
  ['todo --slash ""', []],
  // Files are the shell's.
  ["backup x", [":files"]],
  ["todo import x", [":files"]],
  ["--store x", [":files"]],
  ["--store=x", [":files"]],
  ["doctor --salvage ", [":files"]],
  ["plugin --to x", [":folders"]],
];

test.each(CASES)("milepost %s", async (line, candidates) => {
  const words = line.split(" ").map((word) => (word === '""' ? "" : word));
  expect(await candidatesOf(words)).toEqual(candidates);
});

test("nothing at all is the beginning of a line", async () => {
  expect(await candidatesOf([])).toContain("todo");
});

test("whoever looks ids up is told which list the line means", async () => {
  const asked: TypedLine[] = [];
  const line = ["--store", "x.db", "todo", "--session=0199", "done", "7", "--agent", "a1", "1"];
  await complete(table, makeSources(asked), line);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ name: "todo done", words: ["7"], word: "1" });
  expect([...(asked[0]?.flags ?? [])]).toEqual([
    ["--store", ["x.db"]],
    ["--session", ["0199"]],
    ["--agent", ["a1"]],
  ]);
});

describe("what is printed", () => {
  async function printed(candidates: readonly Candidate[], kept?: string): Promise<string> {
    const sources = { ...makeSources(), todos: async () => candidates };
    return completionText(await complete(table, sources, ["todo", "done", ""]), kept);
  }

  test.each([
    ["a terminal's commands", "red \u001b[31m\u0007 text", "red \u241b[31m\u2407 text"],
    ["a forged row", "one\ntwo\tthree\r\nfour", "one\u240atwo three\u240d\u240afour"],
    ["a hidden text", "a\u202eb\u200b", "a\\u{202E}b\\u{200B}"],
    ["a secret", "push with ghp_0123456789abcdefghijklmnopqrstuvwxyz", expect.not.stringContaining("abcdefgh")],
    ["a long text", "x".repeat(500), `${"x".repeat(79)}…`],
  ])("a description with %s", (_name, about, shown) => {
    expect(safeText(about)).toEqual(shown);
  });

  test("a candidate cannot forge another one", async () => {
    expect(await printed([{ word: "1", about: "a\n2\tb\u0085" }])).toBe("1\ta 2 b \n");
  });

  test("what a shell would obey is text in a description, and no candidate at all", async () => {
    const about = "$(touch x) `touch x` ; touch x";
    const words = ["1", "$(touch x)", "`x`", "a b", "a;b", "-rf", "a\nb", "*", "~", ":files", "a'b", ""];
    expect(await printed(words.map((word) => ({ word, about })))).toBe(`1\t${about}\n`);
  });

  test("no more than can be read", async () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ word: `${at}`, about: "" }));
    expect((await printed(many)).split("\n")).toHaveLength(51);
  });

  test("bash gets what follows its word break", () => {
    const candidates = [{ word: "--session=codex:77", about: "x" }];
    expect(completionText({ candidates }, "--session=codex:")).toBe("77\tx\n");
    expect(completionText({ candidates: [], files: "files" }, "--store=")).toBe(":files\t\n");
  });
});
