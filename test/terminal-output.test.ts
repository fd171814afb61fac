import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TASK_FORMATS } from "../src/task-files/task-formats.js";
import { chained, user, wrote } from "./readers/claude-lines.js";
import { runOn } from "./run-on.js";

// Whoever wrote a text, a terminal never obeys it: OSC 52 sets the clipboard, C1 is a second ESC, tags are not seen.

const home = mkdtempSync(join(tmpdir(), "milepost-terminal-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const EVIL = "A\u001b]52;c;aGk=\u0007\u009b31m\u202e\u{e0041}\u{e0042}\u200b\u2028B";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u{e0000}-\u{e007f}]/u;

const SESSION = "0b0b0b0b-0000-4000-8000-000000000001";

beforeAll(async () => {
  const add = ["task", "add", EVIL, "--list", "l", "--description", `${EVIL}\n${EVIL}`, "--active-form", EVIL];
  const metadata = JSON.stringify({ [EVIL]: EVIL });
  await runOn(home, [...add, "--label", EVIL, "--assignee", EVIL, "--metadata", metadata]);
  await runOn(home, ["task", "add", EVIL, "--list", "l", "--after", "1", "--parent", "1"]);
  await runOn(home, ["task", "note", "1", EVIL, "--list", "l"]);
  await runOn(home, ["task", "done", "1", "--list", "l", "--evidence", EVIL]);
  const calls = [
    {
      dialect: "claude",
      tool: "TodoWrite",
      input: { todos: [{ content: EVIL, status: "pending", activeForm: EVIL }] },
    },
    { dialect: "codex", tool: "update_plan", input: { explanation: EVIL, plan: [{ step: EVIL, status: "pending" }] } },
    { dialect: "milepost", tool: "todo", input: { note: EVIL } },
  ];
  const input = calls.map((call) => JSON.stringify({ session: "s1", ...call })).join("\n");
  await runOn(home, ["call"], { input });
  const own = { sessionId: SESSION, cwd: `/w/${EVIL}` };
  const lines = chained([user(EVIL), ...wrote(`${EVIL}!`)].map((line) => ({ ...line, ...own })));
  const path = join(home, ".claude", "projects", "-w", `${SESSION}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
});

const FILES = TASK_FORMATS.filter(({ kind }) => kind === "file").map(({ name }) => name);

const COMMANDS: readonly string[] = [
  ...FILES.map((format) => `task export --format ${format}`),
  ...["tree", "mermaid", "dot", "json"].map((format) => `task graph --format ${format}`),
  ..."list,list --json,ready,show 1,show 1 --json,path,changes,changes --json,history 1,lists"
    .split(",")
    .map((verb) => `task ${verb}`),
  "todo --session s1",
  "todo list --session s1 --json",
  "digest --session s1",
  "digest --session s1 --format hermes",
  "sessions",
  "sessions --json",
  `sessions ${SESSION}`,
  `restore ${home}/.claude/projects/-w/${SESSION}.jsonl`,
  "events",
  "export",
  "config",
  "guidance",
  "watch --json",
];

test.each(COMMANDS)("milepost %s", async (line) => {
  const words = line.split(" ");
  const more = words[0] === "task" && words[1] !== "lists" ? ["--list", "l"] : [];
  const { out, err } = await runOn(home, [...words, ...more], { isTerminal: true });
  expect(
    OBEYED.exec(out + err)?.[0]
      ?.codePointAt(0)
      ?.toString(16),
  ).toBeUndefined();
  expect(out).not.toBe("");
});

test("what commands say of what they did", async () => {
  const file = join(home, "tasks.json");
  await runOn(home, ["task", "export", file, "--format", "json", "--list", "l"]);
  const lines = [
    ["task", "add", EVIL, "--list", "l"],
    ["task", "claim", "3", "--list", "l", "--as", "me"],
    ["task", "renew", "3", "--list", "l", "--as", "me", "--progress", EVIL],
    ["task", "wait", "3", "--list", "l", "--as", "me", "--topic", EVIL],
    ["task", "show", "3", "--list", "l"],
    ["task", "signal", EVIL, "--list", "l", "--payload", JSON.stringify([EVIL])],
    ["task", "fail", "3", EVIL, "--list", "l", "--as", "me"],
    ["task", "cancel", "3", "--list", "l", "--reason", EVIL],
    ["task", "import", file, "--list", "l2", "--dry-run"],
    ["task", "import", file, "--list", "l2"],
    ["task", "export", join(home, EVIL), "--list", "l"],
    ["task", "show", EVIL, "--list", "l"],
    ["todo", "add", EVIL, "--session", "s1"],
    ["todo", "rename", "1", EVIL, "--session", "s1"],
    ["todo", "done", "1", "--session", "s1"],
    ["todo", "undo", "--session", "s1"],
    ["todo", "export", join(home, "TODO.md"), "--session", "s1"],
    ["tell", EVIL, "--session", "s1"],
    ["config", EVIL],
    [EVIL],
    ["doctor"],
  ];
  for (const words of lines) {
    const { out, err } = await runOn(home, words, { isTerminal: true });
    expect([words.slice(0, 2), OBEYED.exec(out + err)?.[0]]).toEqual([words.slice(0, 2), undefined]);
    expect(out + err).not.toBe("");
  }
});

test("into a pipe a format is exact", async () => {
  const { out } = await runOn(home, ["task", "export", "--format", "markdown", "--list", "l"]);
  expect(out).toContain("\u001b]52;c;aGk=\u0007");
  const beads = await runOn(home, ["task", "export", "--format", "beads", "--list", "l"]);
  expect(JSON.parse(beads.out.split("\n")[0] ?? "").title).toBe(EVIL);
});

test("JSON of another tool's format is the same JSON at a terminal", async () => {
  const words = ["task", "export", "--format", "beads", "--list", "l"];
  const [seen, exact] = [await runOn(home, words, { isTerminal: true }), await runOn(home, words)];
  const parsed = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
  expect(parsed(seen.out)).toEqual(parsed(exact.out));
});
