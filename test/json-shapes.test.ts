import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/app/command-table.js";
import { openMilepost } from "../src/app/milepost.js";
import { processName } from "../src/app/session/process-life.js";
import { isObject } from "../src/core/json.js";
import { append } from "../src/store/event-store.js";
import { runOn } from "./run-on.js";

// What every command prints with --json: a todo, a task, a session and a time look the same in all of it.

const FIXTURE = "test/fixtures/transcripts/claude-code/2.1.325-hooks.jsonl";

const FINISHED = "test/fixtures/transcripts/claude-code/2.1.325-todo-simple.jsonl";

/** In this order, on one machine, whose home is @. A name is that of the command the line is about. */
const LINES: readonly (readonly [name: string, line: string])[] = [
  ["call", "call"],
  ["todo list", "todo list"],
  // Of tasks that the client keeps, nobody knows what ran for them.
  ["todo list", "todo list --session 2ecf"],
  ["todo add", "todo add Write-docs --note soon"],
  ["todo start", "todo start 2"],
  ["todo note", "todo note 2 again"],
  ["todo why", "todo why 2"],
  ["todo rename", "todo rename 3 Test-all"],
  ["todo order", "todo order 4 3"],
  ["task promote", "task promote 2"],
  ["todo done", "todo done 2"],
  ["todo waive", "todo waive no-network-here"],
  ["todo evidence", "todo evidence require"],
  ["alerts list", "alerts list"],
  ["alerts mute", "alerts mute polling"],
  ["alerts unmute", "alerts unmute polling"],
  ["todo drop", "todo drop 3"],
  ["todo rm", "todo rm 4"],
  ["todo undo", "todo undo"],
  ["todo export", "todo export @/LIST.md"],
  ["todo import", "todo import @/LIST.md"],
  ["todo copy", "todo copy"],
  ["todo --slash", "todo --slash help"],
  ["task add", "task add First --label bug --assignee ann"],
  ["task add", "task add Second --after 2 --parent 2"],
  ["task block", "task block 3 1"],
  ["task unblock", "task unblock 3 1"],
  ["task claim", "task claim 2 --as ann"],
  ["task claim", "task claim --as bob"],
  ["task note", "task note 2 seen"],
  ["task edit", "task edit 2 --priority high"],
  ["task cancel", "task cancel 2 --as bob --reason late"],
  ["task renew", "task renew 2 --as ann --progress half"],
  ["task release", "task release 2 --as ann"],
  ["task reopen", "task reopen 2"],
  ["task pull", "task pull 2"],
  ["task list", "task list --all"],
  ["task ready", "task ready"],
  ["task show", "task show 2"],
  ["task graph", "task graph"],
  ["task path", "task path"],
  ["task lists", "task lists"],
  ["task done", "task done 2 --session s1 --yes --evidence passed"],
  ["task fail", "task fail 1 --session s1 --reason no-net"],
  ["task wait", "task wait 3 --topic deploy --timeout 1h"],
  ["task signal", "task signal deploy"],
  ["task wait", "task wait 3 --for 1h"],
  ["task wake", "task wake 3"],
  ["task history", "task history 2"],
  ["task changes", "task changes"],
  ["task export", "task export @/tasks.json --format json"],
  ["task import", "task import @/tasks.json --list other"],
  ["task rm", "task rm 3 --yes"],
  ["plan propose", "plan propose @/LIST.md"],
  ["plan list", "plan list"],
  ["plan show", "plan show i6y6"],
  ["plan edit", "plan edit i6y6 @/tasks.json"],
  ["plan diff", "plan diff i6y6"],
  ["plan approve", "plan approve i6y6 --reason good"],
  ["plan reject", "plan reject i6y6 --withdraw late"],
  ["tell", "tell Wait"],
  ["tell", "tell"],
  ["digest", "digest"],
  ["sessions", "sessions --all"],
  ["report", "report --since 2020-01-01"],
  ["report", "report --session s1"],
  ["watch", "watch"],
  ["restore", `restore ${realpathSync(FIXTURE)}`],
  ["restore", `restore ${realpathSync(FINISHED)}`],
  ["events", "events"],
  ["config", "config"],
  ["doctor", "doctor"],
  ["guidance", "guidance"],
  ["backup", "backup @/copy.db"],
  ["export", "export"],
  ["export", "export @/all.jsonl"],
  ["import", "import @/all.jsonl"],
  ["forget", "forget s1 --yes"],
];

/** What is not run here prints no todo, task or session, or only with a person at a terminal. */
const NOT_RUN = ["todo edit", "setup", "unsetup", "plugin", "demo", "completion"];

const TODO = ["number", "text", "status", "activeForm", "notes", "evidence", "verdict", "facts"];
const TASK_MENTION = ["id", "subject", "status", "standing"];
const TASK = [
  ...["id", "uuid", "list", "subject", "description", "activeForm", "status", "priority", "standing", "ready", "stale"],
  ...["blocked", "waiting", "parent", "labels", "metadata", "blockedBy", "blocks", "notes", "evidence", "attempts"],
  ...["failures", "maxAttempts", "retryAt", "assignee", "lease", "cancel", "reason", "payload", "sessions", "links"],
  ...["source", "createdBy", "closedBy", "createdAt", "updatedAt", "closedAt"],
];
/** Tasks that an agent keeps itself, or holds. */
const SEEN_TASK = ["id", "subject", "status", "activeForm", "owner", "blocks", "blockedBy", "verdict", "facts"];
const IMPORTED_TASK = ["id", "source", "subject", "done", "fields"];
const SESSION = [
  ...[
    "id",
    "agent",
    "parent",
    "title",
    "state",
    "why",
    "waitingFor",
    "limited",
    "sleeping",
    "list",
    "finished",
    "plan",
  ],
  ...[
    "goal",
    "tasks",
    "calls",
    "call",
    "turns",
    "compactions",
    "tokens",
    "context",
    "cost",
    "pullRequest",
    "refusal",
    "alerts",
    "children",
    "offers",
  ],
  ...["project", "folder", "branch", "version", "model", "startedAt", "updatedAt", "activeAt", "resume", "transcript"],
  ...["badLines", "unfinishedBytes"],
];
/** In a report: what was done, not what there is. */
const SESSION_WORK = [
  ...["id", "agent", "title", "project", "branch", "model", "state", "startedAt", "updatedAt", "subAgents", "sum"],
  ...["tokens", "cost", "todos", "alerts", "turns", "compactions", "calls", "callsLeftOut", "files", "filesLeftOut"],
];
const TODO_WORK = [
  ...["number", "text", "status", "isCurrent", "verdict", "reason", "milliseconds", "spans", "calls", "failures"],
  ...["added", "removed"],
];
const CLOSED_TASK = ["list", "id", "subject", "status", "closedAt", "closedBy"];
const PLAN = [
  ...["id", "title", "text", "status", "hash", "session", "agent", "decidedBy", "decidedVia", "decidedAt", "reason"],
  ...["supersedes", "supersededBy", "proposedAt", "project", "folder"],
];
const MENTION = ["session", "subAgent", "agent", "project", "folder", "branch"];

/** The keys that an object under this key may have; nothing where it is no object of these. */
const SHAPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  todo: [TODO],
  todos: [TODO, ["session", "subAgent", ...TODO, "finished"], TODO_WORK, ["done", "open", "cancelled"]],
  task: [TASK, [...TASK, "parentTask", "blockers", "dependents", "subtasks", "progress"]],
  tasks: [TASK, SEEN_TASK, [...TASK_MENTION, "list", "finished"], IMPORTED_TASK, CLOSED_TASK],
  parentTask: [TASK_MENTION],
  blockers: [TASK_MENTION],
  dependents: [TASK_MENTION],
  subtasks: [TASK_MENTION],
  nodes: [TASK_MENTION],
  path: [TASK_MENTION],
  sessions: [SESSION, SESSION_WORK],
  alerts: [["detector", "level", "count", "at", "message", "isOver"]],
  children: [["id", "title", "state", "done", "total", "now"]],
  offers: [["todo", "text", "agent", "kind"]],
  plan: [PLAN],
  plans: [PLAN],
  other: [PLAN],
  links: [["session", "subAgent", "todo"]],
  lease: [["owner", "fence", "until", "session", "progress"]],
  list: [["phases"], ["explanation", "phases"]],
  finished: [
    ["at", "phases"],
    ["at", "explanation", "phases"],
  ],
};

/** Commands about one session name it in full. */
const ABOUT_A_SESSION = /^(?:todo|alerts (?:un)?mute|digest|tell|task promote|task pull)\b/;
const REFERENCES = ["id", "session", "subAgent", "task", "list", "parent", "project", "folder", "branch", "agent"];
const ISO = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Milliseconds since 1970: no other number of ours is as large. */
const EPOCH = 1e12;

/** What is wrong with a value, and where. `data` is an event's own, as it was stored. */
function wrongIn(value: unknown, key: string, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => wrongIn(item, key, `${path}[${at}]`));
  if (typeof value === "number" && value > EPOCH) return [`${path}: a time as a number`];
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !ISO.test(value)) return [`${path}: ${value}`];
  if (!isObject(value)) {
    const isId = value === null || typeof value === "string";
    return REFERENCES.includes(key) && !path.includes("]") && !isId ? [`${path}: no text`] : [];
  }
  const keys = Object.keys(value).sort().join();
  const known = SHAPES[key];
  const isKnown = known?.some((shape) => [...shape].sort().join() === keys) ?? true;
  const inside = Object.entries(value).filter(([name]) => !["data", "metadata", "payload"].includes(name));
  return [
    ...(isKnown ? [] : [`${path}: ${keys}`]),
    ...inside.flatMap(([name, inner]) => wrongIn(inner, name, `${path}.${name}`)),
  ];
}

interface Printed {
  readonly line: string;
  readonly exit: number;
  readonly err: string;
  readonly values: readonly Record<string, unknown>[];
}

const CALL = JSON.stringify({ tool: "todo", input: { add: ["Read", "Fix", "Test"], done: 1 }, session: "s1" });
const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-shapes-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const printed: Printed[] = [];

/** Its hooks report, so a word to it is read. */
async function startSession(): Promise<void> {
  const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
  const data = {
    source: "startup",
    client: "claude-code",
    process: processName(process.pid),
    folder: join(home, "app"),
  };
  await store.commit(append([{ stream: "session:s1", events: [{ type: "session.started", data }] }]));
  await close();
}

beforeAll(async () => {
  const project = join(home, ".claude", "projects", "-app");
  mkdirSync(project, { recursive: true });
  cpSync(FIXTURE, join(project, "seen.jsonl"));
  mkdirSync(join(home, "app"));
  await startSession();
  for (const [name, line] of LINES) {
    const about = ABOUT_A_SESSION.test(line) && !/--session/.test(line) ? ["--session", "s1"] : [];
    const words = [...line.replaceAll("@/", `${home}/`).split(" "), ...about, "--json"];
    const input = name === "call" ? `${CALL}\n` : "";
    const { exit, out, err } = await runOn(home, words, { folder: join(home, "app"), input });
    const values = out
      .split("\n")
      .filter(Boolean)
      .map((text) => JSON.parse(text));
    printed.push({ line: `milepost ${line}`, exit, err, values });
  }
});

test("every command is here", () => {
  const names = COMMANDS.flatMap((one) =>
    "verbs" in one ? one.verbs.map(({ name }) => `${one.name} ${name}`) : one.name,
  );
  const known = new Set([...LINES.map(([name]) => name), ...NOT_RUN]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test.each(LINES)("%s: milepost %s", (_, line) => {
  const { exit, err, values } = printed.find((one) => one.line === `milepost ${line}`) ?? {
    exit: -1,
    err: "",
    values: [],
  };
  expect([exit, err]).toEqual([0, ""]);
  expect(values).not.toEqual([]);
  expect(values.flatMap((value) => wrongIn(value, "", "$"))).toEqual([]);
  if (ABOUT_A_SESSION.test(line)) expect(Object.keys(values[0] ?? {})).toEqual(expect.arrayContaining(MENTION));
});

describe("what this test would see", () => {
  const todo = {
    number: 1,
    text: "a",
    status: "pending",
    activeForm: null,
    notes: [],
    evidence: [],
    verdict: null,
    facts: null,
  };
  test.each([
    [{ todos: [todo] }, 0],
    [{ todos: [{ ...todo, revision: 1 }] }, 1],
    [{ todos: [{ ...todo, verdict: undefined, verdct: null }] }, 1],
    [{ at: 1_794_853_085_843 }, 1],
    [{ data: { at: 1_794_853_085_843 } }, 0],
    [{ at: "2026-11-16T18:18:05Z" }, 1],
    [{ at: "2026-11-16T18:18:05.000Z" }, 0],
    [{ id: 3 }, 1],
    [{ session: "s1" }, 0],
  ])("%#: %j", (value, wrong) => {
    expect(wrongIn(value, "", "$")).toHaveLength(wrong);
  });
});
