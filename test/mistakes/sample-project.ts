import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openMilepost } from "../../src/app/milepost.js";
import { judgePlan, proposePlan } from "../../src/app/plans/plans.js";
import { processName } from "../../src/app/session/process-life.js";
import { sessionEvent } from "../../src/app/session/session-view.js";
import type { SessionEvent } from "../../src/core/session/events.js";
import { append } from "../../src/store/event-store.js";
import { copyFolder } from "../copy-folder.js";
import { type Ran, runWarm } from "../warm-command.js";

// A machine on which somebody mistypes: one project with a session that reads, its list, tasks and a few files.

export const SESSION = "acc5a7d2-6a3c-4b51-9f0e-2d7c1b8e4a90";

export class SampleProject {
  readonly folder: string;
  readonly store: string;
  readonly #home: string;
  readonly #kept: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(scratch: string) {
    this.#home = join(scratch, "home");
    this.#kept = join(scratch, "kept");
    this.folder = join(this.#home, "web");
    this.store = join(this.#home, "milepost", "milepost.db");
    const none = join(scratch, "none");
    this.#environment = {
      HOME: this.#home,
      MILEPOST_HOME: join(this.#home, "milepost"),
      // Nobody's sessions but this one's, and no client that could be started.
      CLAUDE_CONFIG_DIR: join(this.#home, "claude"),
      CODEX_HOME: join(this.#home, "codex"),
      PATH: `${join(none, "bin")}:${dirname(process.execPath)}`,
    };
  }

  async make(): Promise<void> {
    mkdirSync(join(this.folder, ".git"), { recursive: true });
    mkdirSync(join(this.#home, "claude"));
    await this.#record([
      {
        type: "session.started",
        source: "startup",
        client: "claude-code",
        process: processName(process.pid),
        folder: this.folder,
      },
      { type: "turn.started", isStop: false },
    ]);
    await this.#plan();
    const add = { tool: "todo", input: { add: ["Find the bug", "Fix the login", "Run tests", "Don't forget #3"] } };
    this.must(["call", "--session", SESSION], [add, { tool: "todo", input: { done: 1 } }]);
    for (const line of TASKS) this.must(line.split(" "));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(this.folder, name), text);
    for (const name of ["a.db", "good.db"]) this.must(["backup", join(this.folder, name)]);
    copyFolder(this.#home, this.#kept);
  }

  /** Everything as it was made. */
  reset(): void {
    rmSync(this.#home, { recursive: true, force: true });
    copyFolder(this.#kept, this.#home);
  }

  run(words: readonly string[], input = ""): Ran {
    return runWarm(words, { folder: this.folder, environment: this.#environment, input });
  }

  must(words: readonly string[], lines: readonly object[] = []): Ran {
    const ran = this.run(words, lines.map((line) => JSON.stringify(line)).join("\n"));
    if (ran.exit !== 0) throw new Error(`milepost ${words.join(" ")} ended with ${ran.exit}: ${ran.err}`);
    return ran;
  }

  /** Ids come of session and key. */
  async #plan(): Promise<void> {
    const { store, close } = await openMilepost({ environment: this.#environment });
    const by = { session: SESSION, client: "claude-code", folder: this.folder, by: "ann" };
    const done = await proposePlan(store, { ...by, key: "plan-2", text: "# Close the door\n\n- Close it\n" });
    if (done.ok) await judgePlan(store, { id: done.value.id, type: "approve", by: "ann", via: "command" });
    await proposePlan(store, { ...by, key: "plan-1", text: "# Fix the login\n\n- Fix the cookie\n" });
    await close();
  }

  async #record(events: readonly SessionEvent[]): Promise<void> {
    const { store, close } = await openMilepost({ environment: this.#environment });
    await store.commit(append([{ stream: `session:${SESSION}`, events: events.map((event) => sessionEvent(event)) }]));
    await close();
  }
}

const TASKS = [
  "task add Fix the login",
  "task add Write the docs --after 1",
  "task add Ship it",
  "task add Old work",
  "task add Answer mails",
  "task claim 3 --as ann",
  "task cancel 4",
  "task add Elsewhere --list other",
];

const FILES = {
  "PLAN.md": "# Plan\n\n- [ ] Tell everybody\n- [ ] Close the door\n",
  "notes.txt": "no list at all\n",
  "old.db": "something else\n",
};
