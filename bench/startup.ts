// npm run bench:startup [-- --against DIST]: what an agent or a person waits for, as a multiple of `node -e 0`. All of
// them run in turn inside one run, on a store that has been used; and afterwards every hook's event must be in it.
// --against adds the hooks of an earlier build, by the folder that has its milepost.cjs.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PROJECTIONS } from "../src/app/views.js";
import { append } from "../src/store/event-store.js";
import { openStore } from "../src/store/open.js";
import { type Goal, report } from "./report.js";
import { median } from "./rounds.js";
import { servedHooks } from "./served-hooks.js";

const ROUNDS = 31;
const HELD = 10_000;
const bin = resolve("dist/milepost.cjs");
const { values: asked } = parseArgs({ options: { against: { type: "string" } } });
const earlier = asked.against === undefined ? undefined : resolve(asked.against, "milepost.cjs");
const home = mkdtempSync(join(tmpdir(), "milepost-startup-"));
// The variable makes Node 20 read certificates at every start, also at the bare one: it would flatter every ratio.
const { NODE_EXTRA_CA_CERTS: _, MILEPOST_STORE: __, ...inherited } = process.env;
// Nobody's transcripts are read: a home of its own.
const env = { ...inherited, HOME: home, MILEPOST_HOME: home };
const project = join(home, "project");
mkdirSync(project);
/** A store of its own: an earlier build may have another format. */
const newStore = (name: string) => ({ ...env, MILEPOST_HOME: join(home, name) });

/** Milliseconds from spawn to the end, or to the first answer. */
function timed(args: readonly string[], input: string, until: "end" | "answer" = "end", world = env): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env: world, cwd: project, stdio: ["pipe", "pipe", "inherit"] });
  return new Promise((resolve) => {
    let answered = 0;
    child.stdout.once("data", () => {
      answered = performance.now() - start;
      child.stdin.end();
    });
    child.on("close", () => resolve(until === "answer" ? answered : performance.now() - start));
    if (until === "answer") child.stdin.write(input);
    else child.stdin.end(input);
  });
}

const hookInput = (call: string, fields: object = {}) =>
  JSON.stringify({
    session_id: "bench",
    hook_event_name: "PostToolUse",
    cwd: home,
    tool_name: "Bash",
    // A command of its own for each call: the same one again and again would be a loop.
    tool_input: { command: `npm run ${call}` },
    tool_response: { stdout: `${"ok ".repeat(200)}${call}` },
    tool_use_id: call,
    ...fields,
  });

const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;

async function fill(): Promise<void> {
  const store = await openStore(join(home, "milepost.db"), { projections: PROJECTIONS });
  const events = Array.from({ length: 100 }, (_, index) => ({ type: "call.ended", data: { tool: "Bash", index } }));
  for (let held = 0; held < HELD; held += events.length)
    await store.commit(append([{ stream: `calls:old-${held}`, events }]));
  await store.close();
}

const TASKS = 1000;

const COMMANDS = {
  "--version": ["--version"],
  "--help": ["--help"],
  todo: ["todo", "list"],
  add: ["task", "add", "Fix the login", "--list", "short"],
  list: ["task", "list", "--list", "long"],
  completion: ["complete", "--", "todo", "done", ""],
};

/** How many lines each answers: a command that refuses is fast. */
const LINES = { "--version": 1, "--help": 30, todo: 4, add: 1, list: TASKS + 2, completion: 3 };

/** A session that hooks have reported, with a list; and a list of many tasks. */
function prepare(): void {
  const run = (args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env, cwd: project, input });
    if (status !== 0) throw new Error(`milepost ${args.join(" ")}: ${stderr}`);
    return String(stdout).split("\n").length - 1;
  };
  const started = { session_id: "wired", hook_event_name: "SessionStart", source: "startup", cwd: project };
  run(["hook"], JSON.stringify(started));
  for (const text of ["Write the docs", "Fix the login", "Run all tests"]) run(["todo", "add", text]);
  const plan = join(home, "plan.md");
  writeFileSync(plan, Array.from({ length: TASKS }, (_, at) => `- [ ] Task ${at} of a long list\n`).join(""));
  run(["task", "import", plan, "--list", "long"]);
  for (const [name, args] of Object.entries(COMMANDS)) {
    const lines = run(args);
    if (lines < LINES[name as keyof typeof LINES]) throw new Error(`milepost ${args.join(" ")}: only ${lines} lines`);
  }
}

let calls = 0;
const compared = {
  "hook PostToolUse, new store": () => timed([bin, "hook"], hookInput(`call-${calls}`), "end", newStore("now")),
  "hook PostToolUse, new store, earlier build": () =>
    timed([earlier ?? bin, "hook"], hookInput(`call-${calls}`), "end", newStore("earlier")),
};
const kinds: Readonly<Record<string, () => Promise<number>>> = {
  "node -e 0": () => timed(["-e", "0"], ""),
  "hook PostToolUse": () => timed([bin, "hook"], hookInput(`call-${++calls}`)),
  ...(earlier !== undefined && compared),
  "hook, event that is none of ours": () => timed([bin, "hook"], hookInput("x", { hook_event_name: "FileChanged" })),
  statusline: () => timed([bin, "statusline"], '{"session_id":"bench"}'),
  "mcp to initialize": () => timed([bin, "mcp"], INITIALIZE, "answer"),
  "milepost --version": () => timed([bin, ...COMMANDS["--version"]], ""),
  "milepost --help": () => timed([bin, ...COMMANDS["--help"]], ""),
  "todo list of a wired session": () => timed([bin, ...COMMANDS.todo], ""),
  "task add": () => timed([bin, ...COMMANDS.add], ""),
  "task list of 1,000": () => timed([bin, ...COMMANDS.list], ""),
  "completion of a todo": () => timed([bin, ...COMMANDS.completion], ""),
};
const names = Object.keys(kinds);

/** As each client's first hook: what a hook keeps for the next ones must not depend on it. */
const started = JSON.stringify({ session_id: "bench", hook_event_name: "SessionStart", source: "startup", cwd: home });

await fill();
prepare();
if (earlier !== undefined) {
  await timed([bin, "hook"], started, "end", newStore("now"));
  await timed([earlier, "hook"], started, "end", newStore("earlier"));
}
for (const name of names) await kinds[name]?.();
const times = new Map(names.map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const name of names) times.get(name)?.push((await kinds[name]?.()) ?? Number.NaN);

/** What nobody should send; an agent must not wait long for it either. */
const huge = hookInput("huge", { tool_name: "TaskCreate", tool_response: { text: "x".repeat(50_000_000) } });
const broken: number[] = [];
for (const input of [huge, huge.slice(0, -2), "{", "[".repeat(1_000_000), hookInput("x", { session_id: "../x" })])
  broken.push(await timed([bin, "hook"], input));
calls += 1;

const served = await servedHooks([{ name: "", bin, env }]);
const servedBoth =
  earlier === undefined
    ? {}
    : await servedHooks([
        { name: ", new store", bin, env: newStore("served-now") },
        { name: ", new store, earlier build", bin: earlier, env: newStore("served-earlier") },
      ]);

const store = await openStore(join(home, "milepost.db"), { projections: PROJECTIONS });
const { events } = await store.totals();
let recorded = 0;
const pages = await store.read({ stream: "calls:bench" });
if (pages.ok) for await (const page of pages.value) recorded += page.events.length;
await store.close();
rmSync(home, { recursive: true, force: true });

const middle = (name: string) => median([...(times.get(name) ?? servedBoth[name] ?? [])]);
const bare = middle("node -e 0");
const ratio = (name: string) => middle(name) / bare;
/** At most a tenth slower: what an issue may add to what agents wait for. */
const MOST_ADDED = 1.1;
const overEarlier = (name: string): Goal => ({
  name: `${name} over the earlier build's`,
  actual: middle(name) / middle(`${name}, earlier build`),
  most: MOST_ADDED,
});
const row = (start: string, taken: readonly number[]) => ({
  start,
  "median, ms": median([...taken]).toFixed(1),
  "fastest, ms": Math.min(...taken).toFixed(1),
  ratio: (median([...taken]) / bare).toFixed(2),
});
report(
  "startup",
  [
    ...[...times].map(([name, taken]) => row(name, taken)),
    ...Object.entries({ ...served, ...servedBoth }).map(([name, taken]) => row(name, taken)),
  ],
  [
    { name: "hook PostToolUse over node -e 0", actual: ratio("hook PostToolUse"), most: 1.8 },
    {
      name: `hook events in the store (of ${calls}, beside ${events - recorded} others)`,
      actual: recorded,
      least: calls,
    },
    { name: "slowest hook with 50 MB or broken input, ms", actual: Math.round(Math.max(...broken)), most: 2000 },
    {
      name: "hook through the server, the slowest median of them, ms",
      actual: Math.round(Math.max(...Object.values(served).map(median)) * 10) / 10,
      most: 3,
    },
    { name: "MCP spawn to initialize answer over node -e 0", actual: ratio("mcp to initialize"), most: 5 },
    { name: "--version over node -e 0", actual: ratio("milepost --version"), most: 1.15 },
    { name: "--help over node -e 0", actual: ratio("milepost --help"), most: 1.6 },
    { name: "todo list over node -e 0", actual: ratio("todo list of a wired session"), most: 2.2 },
    { name: "task add over node -e 0", actual: ratio("task add"), most: 2.3 },
    { name: "task list of 1,000 over node -e 0", actual: ratio("task list of 1,000"), most: 3 },
    { name: "completion over node -e 0", actual: ratio("completion of a todo"), most: 2 },
    ...[...(earlier === undefined ? [] : names), ...Object.keys(servedBoth)]
      .filter((name) => name.endsWith("new store"))
      .map(overEarlier),
  ],
);
