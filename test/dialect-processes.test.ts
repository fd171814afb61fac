import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { DIALECTS } from "../src/dialects/registry.js";
import { type Ran, runWarm } from "./warm-command.js";

// Two processes, on one SQLite file: what one has written the next one finds.
const command = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-dialects-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environmentOf = (dialect: string) => ({
  ...process.env,
  MILEPOST_HOME: folder,
  MILEPOST_STORE: join(folder, `${dialect.replace("/", "-")}.db`),
});

function runApart(dialect: string, args: readonly string[], input: string): Ran {
  const options = { input, encoding: "utf8", env: environmentOf(dialect) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], options);
  return { exit: status, out: stdout, err: stderr };
}

const runHere = (dialect: string, args: readonly string[], input: string): Ran =>
  runWarm(args, { input, folder, environment: environmentOf(dialect) });

function answerOf({ exit, out, err }: Ran) {
  expect([exit, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

const call = (run: typeof runHere, dialect: string, tool: string, input: object) =>
  answerOf(run(dialect, ["call", "--dialect", dialect, "--session", "s1"], `${JSON.stringify({ tool, input })}\n`));

/** With somebody else's eyes: what a dialect answers proves nothing about the file. */
const listIn = (dialect: string): readonly string[] =>
  answerOf(runHere(dialect, ["todo", "--json", "--session", "s1"], "")).list.phases.flatMap(
    ({ todos }: { todos: { text: string; status: string }[] }) => todos.map(({ text, status }) => `${status} ${text}`),
  );

const listed = (done: boolean) => [
  { content: "Read it", status: done ? "completed" : "in_progress", activeForm: "Reading it", id: "1" },
  { content: "Fix it", status: done ? "in_progress" : "pending", activeForm: "Fixing it", id: "2" },
];
const described = (done: boolean) => listed(done).map(({ content: description, status }) => ({ description, status }));
const rated = (done: boolean) => listed(done).map((item) => ({ ...item, priority: "medium" }));
const steps = (done: boolean) => listed(done).map(({ content: step, status }) => ({ step, status }));

/** A list of two, and its first todo done. */
const CALLS: Readonly<Record<string, readonly [first: object, second: object]>> = {
  milepost: [{ add: ["Read it", "Fix it"] }, { done: 1 }],
  claude: [
    { todos: listed(false).map(({ id: _, ...item }) => item) },
    { todos: listed(true).map(({ id: _, ...item }) => item) },
  ],
  codex: [{ plan: steps(false) }, { plan: steps(true) }],
  "oh-my-pi": [
    { ops: [{ op: "init", list: [{ phase: "P", items: ["Read it", "Fix it"] }] }] },
    { ops: [{ op: "done", task: "Read it" }] },
  ],
  "oh-my-pi/18": [
    { op: "init", list: [{ phase: "P", items: ["Read it", "Fix it"] }] },
    { op: "done", task: "Read it" },
  ],
  hermes: [
    { todos: listed(false) },
    {
      todos: [
        { id: "1", status: "completed" },
        { id: "2", status: "in_progress" },
      ],
      merge: true,
    },
  ],
  nexo: [{ todos: listed(false) }, { todos: listed(true) }],
  "nexo/strict": [{ todos: listed(false) }, { todos: listed(true) }],
  gencode: [{ todos: listed(false) }, { todos: listed(true) }],
  "gencode/node-0.5": [{ todos: listed(false) }, { todos: listed(true) }],
  gemini: [{ todos: described(false) }, { todos: described(true) }],
  qwen: [{ todos: listed(false) }, { todos: listed(true) }],
  openclaw: [{ plan: steps(false) }, { plan: steps(true) }],
  opencode: [{ todos: rated(false) }, { todos: rated(true) }],
  copilot: [
    {
      description: "add todos",
      query: "INSERT INTO todos (id, title, status) VALUES ('1', 'Read it', 'in_progress'), ('2', 'Fix it', 'pending')",
    },
    {
      description: "go on",
      query: "UPDATE todos SET status = CASE id WHEN '1' THEN 'done' ELSE 'in_progress' END",
    },
  ],
  acp: [{ entries: listed(false) }, { entries: listed(true) }],
};

test.each(DIALECTS)(
  "$name: a list on SQLite goes on from one process to the next",
  ({ name, tools }) => {
    const [first, second] = CALLS[name] ?? [];
    const tool = tools[0]?.name ?? "";
    expect(call(runApart, name, tool, first ?? {})).toMatchObject({ isError: false });
    expect(listIn(name)).toEqual(["in_progress Read it", "pending Fix it"]);
    expect(call(runHere, name, tool, second ?? {})).toMatchObject({ isError: false });
    expect(listIn(name)).toEqual(["completed Read it", "in_progress Fix it"]);
  },
  30_000,
);
