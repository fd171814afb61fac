import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copyFolder } from "../copy-folder.js";
import { bin, clean } from "../hook-process.js";
import { type Ran, runWarm } from "../warm-command.js";
import { claudeTranscript, codexTranscript, planTranscript } from "./sample-transcripts.js";

// The machines that documents tell of: a home folder with projects, agents' files, sessions, lists and tasks.

export const WEB = "acc5a7d2-6a3c-4b51-9f0e-2d7c1b8e4a90";
const OWN = "5e91c07b-1c4d-4f62-8f7a-90b2d3c4e5f6";
const SHOP = "0199ab12-7c1e-4d7a-9d55-1f2f3a4b5c6d";
const API = "0199ab13-5790-73b1-91f9-a0b9ae312826";

export type WorldName = "new" | "web" | "plans" | "own-tasks" | "board" | "release" | "work" | "found" | "damaged";

/** One home folder, filled anew for each section: the paths in a store stay true when it is put back. */
export class World {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly #kept: string;
  readonly #made = new Set<WorldName>();
  folder = "";

  constructor(scratch: string) {
    this.home = join(scratch, "home");
    this.#kept = join(scratch, "kept");
    // A thread cannot have a home of its own: named this way, the folder is the usual one all the same.
    const LOCALAPPDATA = join(this.home, ".local/state");
    const path = `${join(this.home, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`;
    this.environment = clean({ HOME: this.home, LOCALAPPDATA, USER: "ann", SHELL: "/bin/bash", PATH: path });
  }

  /** Puts a machine back to how it was made. */
  enter(name: WorldName): void {
    rmSync(this.home, { recursive: true, force: true });
    const kept = join(this.#kept, name);
    if (this.#made.has(name)) copyFolder(kept, this.home);
    else {
      this.#make(name);
      copyFolder(this.home, kept);
      this.#made.add(name);
    }
    this.folder = join(this.home, FOLDERS[name]);
  }

  #make(name: WorldName): void {
    this.write("bin/milepost", `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, 0o755);
    this.write(join(FOLDERS[name], ".git/HEAD"), "ref: refs/heads/fix/login\n");
    this.folder = join(this.home, FOLDERS[name]);
    MADE[name](this);
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), text);
    chmodSync(join(this.home, path), mode);
  }

  /** For what must work, or the machine is not what it should be. */
  must(...args: readonly string[]): Ran {
    return this.#checked(args, runWarm(args, this));
  }

  call(session: string, tool: string, ...inputs: readonly object[]): Ran {
    const input = inputs.map((one) => JSON.stringify({ tool, input: one })).join("\n");
    const args = ["call", "--session", session];
    return this.#checked(args, runWarm(args, { folder: this.folder, environment: this.environment, input }));
  }

  /** What a client reports. */
  report(session: string, event: string, fields: object = {}): void {
    const input = JSON.stringify({ session_id: session, hook_event_name: event, cwd: this.folder, ...fields });
    runWarm(["hook"], { folder: this.folder, environment: this.environment, input });
  }

  #checked(args: readonly string[], ran: Ran): Ran {
    if (ran.exit !== 0) throw new Error(`milepost ${args.join(" ")} ended with ${ran.exit}: ${ran.err}`);
    return ran;
  }
}

/** Where the person is. */
const FOLDERS: Readonly<Record<WorldName, string>> = {
  new: "app",
  web: "web",
  plans: "web",
  "own-tasks": "web",
  board: "web",
  release: "release",
  work: "app",
  found: "app",
  damaged: ".local/state/milepost",
};

const MADE: Readonly<Record<WorldName, (world: World) => void>> = {
  /** A repository in which nobody has used Milepost yet. */
  new: (world) => world.write("app/PLAN.md", "# Plan\n\n- [ ] Tell everybody\n- [ ] Close the door\n"),
  web: makeWeb,
  plans: makePlans,
  "own-tasks": makeOwnTasks,
  board: makeBoard,
  release: makeRelease,
  work: makeWork,
  found: makeFound,
  damaged: makeDamaged,
};

/** A session of Claude Code that is wired, with a list; tasks; files of every kind that a command reads. */
function makeWeb(world: World): void {
  const texts = [
    "Find where the session ends early",
    "Write a failing test",
    "Fix the cookie",
    "Update the changelog",
    "Run tests",
  ];
  world.report(WEB, "SessionStart", { source: "startup" });
  world.call(WEB, "todo", { add: texts }, { done: [1, 2], note: "#3 look at src/session.ts" });
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) world.must("task", "add", `Task ${n}`);
  world.must("task", "block", "5", "3");
  const person = { session: SHOP, folder: join(world.home, "shop"), says: "Fix the rounding of prices" };
  world.write("web/session.jsonl", claudeTranscript(person, ["Read the code.", "Fix the bug!"], "Fixing the bug"));
  for (const file of ["TODO.md", "plans/release.md"]) world.write(`web/${file}`, "- [ ] Write tests\n- [ ] Run them\n");
  const task = { id: "1", subject: "Read the code", description: "", status: "pending", blocks: [], blockedBy: [] };
  world.write(".claude/tasks/my-list/1.json", JSON.stringify(task));
  // What graphviz would draw is not ours.
  world.write("bin/dot", "#!/bin/sh\ncat\n", 0o755);
  world.write("web/PLAN.md", "- [ ] Tell everybody\n");
}

/** Claude Code in plan mode: its first plan was rejected, the second one waits for the person. */
function makePlans(world: World): void {
  world.report(WEB, "SessionStart", { source: "startup" });
  world.call(WEB, "todo", { add: ["Find where the session ends early"] });
  const steps = "1. Write a failing test\n2. Fix the cookie\n";
  const plans = [`# Fix the login\n\n${steps}`, `# Fix the login\n\n${steps}3. Tell the users\n`] as const;
  const person = { session: WEB, folder: join(world.home, "web"), says: "Plan the fix of the login" };
  const transcript = planTranscript(person, plans, "Tell the users, too.");
  world.write(`.claude/projects/-web/${WEB}.jsonl`, transcript);
  world.write("web/PLAN.md", "# Fix the login\n\n- Write a test\n- Fix the cookie\n");
}

/** Claude Code keeps tasks of its own for this session; it reports all calls of a reply at once. */
function makeOwnTasks(world: World): void {
  const call = (name: string, id: string, input: object, answer: string) => ({
    tool_name: name,
    tool_use_id: `${name}${id}`,
    tool_input: input,
    tool_response: answer,
  });
  const made = ["Read the code", "Fix the bug", "Run tests"].map((subject, at) =>
    call("TaskCreate", `${at + 1}`, { subject }, `Task #${at + 1} created successfully: ${subject}`),
  );
  const moved = [["1", "completed"] as const, ["2", "in_progress"] as const].map(([taskId, status]) =>
    call("TaskUpdate", taskId, { taskId, status }, `Updated task #${taskId} status`),
  );
  world.report(OWN, "SessionStart", { source: "startup" });
  world.report(OWN, "PostToolBatch", { tool_calls: [...made, ...moved] });
}

/** Two agents that nobody has wired, at work in two projects. */
function makeBoard(world: World): void {
  const shop = { session: SHOP, folder: join(world.home, "shop"), says: "Fix the rounding of prices" };
  const list = ["Read.", "Find.", "Fix.", "Test the checkout!", "Note", "Push", "Close"];
  world.write(`.claude/projects/-shop/${SHOP}.jsonl`, claudeTranscript(shop, list, "Running the checkout tests"));
  const api = { session: API, folder: join(world.home, "api"), says: "Rename the helper everywhere" };
  const file = `.codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-${API}.jsonl`;
  const steps = ["Find it.", "Rename the helper!", "Test", "Push"];
  world.write(file, codexTranscript(api, steps, "Drop the old column now, or keep it one release?"));
  const past = Date.now() / 1000 - 120;
  utimesSync(join(world.home, file), past, past);
}

/** Tasks with subtasks and blockers. */
function makeRelease(world: World): void {
  world.must("task", "add", "Release 2.0");
  world.must("task", "add", "Fix the login", "--parent", "1");
  world.must("task", "add", "Write the docs", "--parent", "1");
  world.must("task", "add", "Build");
  world.must("task", "add", "Deploy", "--after", "2,4");
  world.must("task", "claim", "2");
}

/** One task, and a program that does it. */
function makeWork(world: World): void {
  world.must("task", "add", "Fix the login");
  world.write("bin/do-the-work", "#!/bin/sh\n", 0o755);
}

/** Claude Code and Codex are installed, and not wired. */
function makeFound(world: World): void {
  world.write("bin/claude", "#!/bin/sh\necho '2.1.325 (Claude Code)'\n", 0o755);
  world.write("bin/codex", "#!/bin/sh\necho 'codex-cli 0.166.0'\n", 0o755);
  for (const folder of [".claude", ".codex"]) mkdirSync(join(world.home, folder));
}

/** A store in which a byte was changed on the disk. */
function makeDamaged(world: World): void {
  world.call("s1", "todo", { add: ["Read the code", "Fix the bug"] }, { done: 1 });
  for (const name of readdirSync(world.folder).filter((file) => file.startsWith("milepost.db"))) {
    const path = join(world.folder, name);
    const bytes = readFileSync(path, "latin1").replaceAll("Fix the bug", "Fix the bus");
    writeFileSync(path, bytes, "latin1");
  }
}
