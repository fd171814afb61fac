import { describe, expect, test } from "vitest";
import { type CommandGroup, defineCommand, entry } from "../app/command-definition.js";
import { COMMANDS, SURFACES } from "../app/command-table.js";
import { TASK_COMMANDS } from "../app/commands/task/task-verbs.js";
import { TODO_COMMANDS } from "../app/commands/todo/todo-verbs.js";
import { text, toggle } from "../app/fields.js";
import {
  commandAlias,
  groupVerbs,
  isSessionLike,
  suggestCommand,
  suggestFlag,
  suggestValue,
  suggestVerb,
  valueAlias,
  verbAlias,
  verbBefore,
} from "./suggest.js";
import { groupFields, verbIn } from "./verb-in-line.js";

const command = defineCommand({
  details: "",
  examples: [],
  input: { session: text("SESSION", "whose"), all: toggle("all") },
  run: () => Promise.reject(new Error("it is not run")),
});
const load = async () => command;
const GROUP: CommandGroup = {
  name: "g",
  summary: "",
  details: "",
  examples: [],
  verbs: [entry("list", "", load), entry("done", "", load), entry("--slash", "", load)],
};

describe("the verb of a line", () => {
  test.each([
    ["", "list", ""],
    ["done 3", "done", "3"],
    ["wat 3", undefined, "3"],
    ["--json", "list", "--json"],
    ["--json done 3", "done", "--json 3"],
    ["--session s done 3", "done", "--session s 3"],
    ["--session=s done", "done", "--session=s"],
    ["--session done", "list", "--session done"],
    ["--session s wat 3", undefined, "--session s 3"],
    ["--all done 3", "done", "--all 3"],
    ["--all wat 3", undefined, "--all 3"],
    ["--sesion s done", "done", "--sesion s"],
    ["--al done 3", "done", "--al 3"],
    ["--store list done", "done", "--store list"],
    ["-- done", "done", "--"],
    ["done --slash", "done", "--slash"],
    ["--slash done", "--slash", "done"],
    ["--session s --slash=x", "--slash", "--session s x"],
  ])("%j", async (line, name, words) => {
    const said = await verbIn(GROUP.verbs, line.split(" ").filter(Boolean));
    expect([said.verb?.name, said.rest.join(" ")]).toEqual([name, words]);
  });
});

test.each([TODO_COMMANDS, TASK_COMMANDS])(
  "a flag takes a value with all verbs of $name, or with none",
  async (group) => {
    const all = await groupFields(group.verbs);
    for (const { load } of group.verbs) {
      const { input, words = [] } = await load();
      for (const [name, { kind }] of Object.entries(input))
        if (!words.includes(name)) expect([name, all[name]?.kind === "toggle"]).toEqual([name, kind === "toggle"]);
    }
  },
);

const NAMES = [...COMMANDS, ...SURFACES].map(({ name }) => name);

describe("a command that is not there", () => {
  test.each([
    ["sesions", "sessions"],
    ["sess", "sessions"],
    ["Sessions", "sessions"],
    ["ls", "sessions"],
    ["statsu", "sessions"],
    ["install", "setup"],
    ["uninstall", "unsetup"],
    ["login", "setup"],
    ["stup", "setup"],
    ["plan", "plan"],
    ["plans", "plan"],
    ["tood", "todo"],
    ["logs", "events"],
    ["say", "tell"],
    ["docter", "doctor"],
    ["cofnig", "config"],
    ["restroe", "restore"],
    ["add", "todo add"],
    ["finish", "todo done"],
    ["note", "todo note"],
    ["rm", "todo rm"],
    ["delete", "todo rm"],
    ["claim", "task claim"],
    ["promote", "task promote"],
    ["qwertz", undefined],
    ["3", undefined],
  ])("%s", (typed, meant) => {
    expect(suggestCommand(typed, NAMES, [TODO_COMMANDS, TASK_COMMANDS])).toBe(meant);
  });

  test("only words that mean one thing and destroy nothing simply work", () => {
    const aliases = ["ls", "status", "todos", "tasks", "settings"].map((word) => commandAlias(word, NAMES));
    expect(aliases).toEqual(["sessions", "sessions", "todo", "task", "config"]);
    for (const word of ["install", "uninstall", "rm", "sesions", "LS"])
      expect(commandAlias(word, NAMES)).toBe(undefined);
  });
});

const GROUPS = [TODO_COMMANDS, TASK_COMMANDS];

test.each([
  ["done", "todo done, task done"],
  ["Finish", "todo done, task done"],
  ["cancel", "task cancel, todo drop"],
  ["claim", "task claim"],
  ["dnoe", ""],
])("groups with a verb %s", (typed, meant) => {
  expect(
    groupVerbs(typed, GROUPS)
      .map((words) => words.join(" "))
      .join(", "),
  ).toBe(meant);
});

test.each([
  ["done todo 2", "todo done 2"],
  ["list tasks", "task list"],
  ["list --json tasks --all", "task list --json --all"],
  ["list --store a.db Todos", "todo list --store a.db"],
  ["add a todo", undefined],
  ["dnoe todo", undefined],
  ["list", undefined],
])("a verb before its group: %s", (line, meant) => {
  const [typed = "", ...rest] = line.split(" ");
  const found = verbBefore(typed, rest, GROUPS);
  expect(found && [...found.name, ...found.rest].join(" ")).toBe(meant);
});

test.each([
  ["7b1f", true],
  ["acc5a7d2-6a3c", true],
  ["ACC5", true],
  ["acc5a7/a1b2", true],
  ["7b1", false],
  ["feed", false],
  ["feed/a1", false],
  ["7b1f/", false],
  ["-7b1f", false],
  ["done2", false],
])("%s may be a session: %s", (word, is) => {
  expect(isSessionLike(word)).toBe(is);
});

describe("a verb that is not there", () => {
  test.each([
    ["dnoe", "done"],
    ["DONE", "done"],
    ["doen", "done"],
    ["lst", "list"],
    ["ls", "list"],
    ["finsh", "done"],
    ["append", "add"],
    ["show", "list"],
    ["delete", "rm"],
    ["cancel", "drop"],
    ["renmae", "rename"],
    ["3", undefined],
    ["x", undefined],
    ["qwertz", undefined],
  ])("todo %s", (typed, meant) => {
    expect(suggestVerb(TODO_COMMANDS, typed)).toBe(meant);
  });

  test.each([
    ["finish", "done"],
    ["ls", "list"],
    ["remove", "rm"],
    ["drop", "cancel"],
    ["clam", "claim"],
    ["update", "edit"],
    ["start", "claim"],
    ["view", "show"],
  ])("task %s", (typed, meant) => {
    expect(suggestVerb(TASK_COMMANDS, typed)).toBe(meant);
  });

  test.each([
    [TODO_COMMANDS, "append finish begin comment show revert", "add done start note list undo"],
    [TASK_COMMANDS, "new finish take view ls", "add done claim show list"],
  ])("words that simply work", (group, typed, meant) => {
    const names = group.verbs.map(({ name }) => name);
    expect(typed.split(" ").map((word) => verbAlias(word, names))).toEqual(meant.split(" "));
    // What takes something away is named, not done.
    for (const word of ["remove", "delete", "clear", "cancel", "drop", "dnoe"])
      expect(verbAlias(word, names)).toBe(undefined);
  });
});

describe("a flag that is not there", () => {
  const FLAGS = ["session", "all", "limit", "dry-run", "yes", "json", "store", "label", "priority"];
  test.each([
    ["--sesion", "session"],
    ["--sess", "session"],
    ["--dry", "dry-run"],
    ["--dryrun", "dry-run"],
    ["--dry_run", "dry-run"],
    ["-y", "yes"],
    ["-n", "dry-run"],
    ["--Json", "json"],
    ["--prio", "priority"],
    ["--tags", "label"],
    ["--db", "store"],
    ["--max", "limit"],
    ["--wombat", undefined],
    ["--sort", undefined],
    ["-q", undefined],
  ])("%s", (typed, meant) => {
    expect(suggestFlag(typed, FLAGS)).toBe(meant);
  });
});

test("agents have other names", () => {
  const choices = ["claude-code", "codex"];
  expect(["claude", "cc", "Claude", "codex-cli", "omp"].map((word) => valueAlias(word, choices))).toEqual([
    "claude-code",
    "claude-code",
    undefined,
    "codex",
    undefined,
  ]);
  expect(["Claude", "cladue-code", "codx", "gemini"].map((word) => suggestValue(word, choices))).toEqual([
    "claude-code",
    "claude-code",
    "codex",
    undefined,
  ]);
});
