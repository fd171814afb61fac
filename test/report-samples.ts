import { sessionWork, sumUp } from "../src/app/report/session-work-report.js";
import type { SessionWorkReport, WorkReport } from "../src/app/report/work-report.js";
import { reportOf } from "../src/app/transcripts/session-report.js";
import type { CallEnd, CallStart } from "../src/core/call/call-facts.js";
import type { Fact, Observation } from "../src/core/session/observation.js";
import { NO_TOKENS } from "../src/core/session/observation.js";
import { evolveView, newView, type SessionView } from "../src/core/session/session-facts.js";
import { TimelineFold } from "../src/core/timeline/timeline-fold.js";
import { EMPTY_LIST, type TodoStatus } from "../src/core/todo/list.js";
import { randomFrom } from "./random.js";

// Sessions as reports show them, told by observations, so that verdicts, times and counts are the real ones.

const MINUTE = 60_000;
/** 09:12 where the person is. */
const BEGIN = new Date(2026, 10, 18, 9, 12).getTime();

interface Ran {
  readonly tool: string;
  readonly subject: string;
  readonly facts: CallStart;
  readonly end?: CallEnd;
  readonly seconds?: number;
  readonly isFailed?: boolean;
}

const start = (kind: CallStart["kind"], more: Partial<CallStart> = {}): CallStart => ({ kind, signature: "", ...more });
/** Seconds that the model thinks between two calls. */
const THINKS = 18;
const reads = (path: string): Ran => ({ tool: "Read", subject: path, facts: start("read"), seconds: 1 });
const greps = (what: string): Ran => ({ tool: "Grep", subject: what, facts: start("search"), seconds: 2 });
const edits = (path: string, added: number, removed = 0): Ran => ({
  tool: "Edit",
  subject: path,
  facts: start("edit", { files: [`/home/ann/src/web/${path}`] }),
  end: { added, removed },
  seconds: 3,
});
const runs = (command: string, seconds = 8): Ran => ({
  tool: "Bash",
  subject: command,
  facts: start("execute"),
  seconds,
});
const checks = (command: string, result: "passed" | "failed", seconds = 41): Ran => ({
  tool: "Bash",
  subject: command,
  facts: start("execute", { check: command.includes("lint") ? "lint" : "tests" }),
  end: { result, exit: result === "passed" ? 0 : 1, outcome: result },
  seconds,
  isFailed: result === "failed",
});

interface Asked {
  readonly now?: number;
  readonly from?: number;
  readonly mostCalls?: number;
  readonly state?: SessionWorkReport["state"];
}

/** Tells of one session, step after step; each step takes its time. */
export class Story {
  readonly #fold = new TimelineFold();
  #view: SessionView;
  #statuses: TodoStatus[];
  readonly #texts: readonly string[];
  #calls = 0;
  at = BEGIN;

  constructor(id: string, texts: readonly string[]) {
    this.#view = newView(id);
    this.#texts = texts;
    this.#statuses = texts.map(() => "pending");
  }

  tell(fact: Fact, seconds = 0): this {
    const observation: Observation = { ...fact, session: this.#view.id, at: this.at };
    this.#view = evolveView(this.#view, observation);
    this.#fold.observe(observation, null);
    this.at += seconds * 1000;
    return this;
  }

  who(title: string, agent: string, more: object): this {
    this.tell({ type: "session.seen", agent, ...more });
    return this.tell({ type: "title.given", title, by: "agent" });
  }

  /** `3>` begins todo 3, `3.` completes it, `3x` cancels it. */
  list(...marks: readonly string[]): this {
    const words: Readonly<Record<string, TodoStatus>> = { ">": "in_progress", ".": "completed", x: "cancelled" };
    for (const mark of marks) this.#statuses[Number.parseInt(mark, 10) - 1] = words[mark.at(-1) ?? ""] ?? "pending";
    const todos = this.#texts.map((text, at) => {
      return { number: at + 1, text, status: this.#statuses[at] ?? "pending", notes: [], evidence: [] } as const;
    });
    const list = { ...EMPTY_LIST, revision: 1, nextNumber: todos.length + 1, phases: [{ name: "", todos }] };
    return this.tell({ type: "list.changed", list }, 2);
  }

  ran(...all: readonly Ran[]): this {
    for (const { tool, subject, facts, end, seconds = 5, isFailed = false } of all) {
      const call = `call-${++this.#calls}`;
      const told = { ...facts, signature: `${tool} ${subject}` };
      this.tell({ type: "call.started", call, tool, subject, isWork: true, isAsking: false, facts: told }, seconds);
      this.tell({ type: "call.ended", call, status: isFailed ? "failed" : "completed", facts: end }, THINKS);
    }
    return this;
  }

  pause(minutes: number): this {
    this.at += minutes * MINUTE;
    return this;
  }

  report(asked: Asked = {}): SessionWorkReport {
    const { now = this.at, from = 0, mostCalls = 20_000 } = asked;
    const { state = this.#view.phase === "resting" ? "idle" : "running" } = asked;
    const status = { state, reason: "in-turn", source: "transcript", since: this.at } as const;
    const problems = { lines: 0, first: [] };
    const beside = { status, now, updatedAt: this.at, transcript: null, problems, unfinished: 0 };
    return sessionWork(reportOf(this.#view, beside), [], this.#fold.timeline(), { from, now, mostCalls });
  }
}

const ended: Fact = { type: "turn.ended", isAsking: false };

const LOGIN = [
  "Find where the session ends early",
  "Write a failing test",
  "Fix the cookie that is set without a path",
  "Keep the session when the clock of the server is ahead",
  "Update the changelog",
  "Measure the login under load",
  "Run all tests and the linter",
  "Open the pull request",
];

/** A morning: found, tested, mended; a loop that was caught; a pause; two todos that are not what they are called. */
export function richSession(): SessionWorkReport {
  const story = new Story("acc5a7d2-6a3c-4b51-9f0e-2d7c1b8e4a90", LOGIN);
  story.who("Fix the login that ends early", "claude-code", {
    folder: "/home/ann/src/web",
    branch: "fix/login",
    model: "claude-opus-5",
  });
  story.tell({ type: "turn.started" }, 20).list("1>");
  story.ran(
    greps("expires"),
    reads("src/session.ts"),
    reads("src/cookie.ts"),
    greps("maxAge"),
    reads("test/login.test.ts"),
  );
  story.ran(runs("git log --oneline -20 src/session.ts", 1), reads("src/server.ts"), reads("src/clock.ts"));
  story.list("1.", "2>").ran(edits("test/login.test.ts", 38), checks("npm test -- login", "failed", 22));
  story.ran(edits("test/login.test.ts", 4, 2), checks("npm test -- login", "failed", 24));
  story.list("2.", "3>").ran(edits("src/cookie.ts", 6, 3), checks("npm test -- login", "failed", 23));
  story.ran(reads("src/cookie.ts"), edits("src/cookie.ts", 3, 3), checks("npm test -- login", "passed", 21));
  story.list("3.", "4>").ran(reads("src/clock.ts"), edits("src/clock.ts", 21, 8));
  for (let n = 0; n < 6; n += 1) story.ran(checks("npm test -- clock", "failed", 14));
  story.ran(edits("src/clock.ts", 9, 12), checks("npm test -- clock", "passed", 15));
  story.tell({ type: "context.compacted" }, 30);
  story.list("4.", "5>").pause(1).list("5.").tell(ended).pause(47);
  story
    .tell({ type: "turn.started" }, 15)
    .list("6>")
    .ran(runs("npx autocannon -d 30 localhost:3000/login", 34), runs("npm run profile", 55));
  story.ran(edits("src/server.ts", 12, 4), runs("npx autocannon -d 30 localhost:3000/login", 34)).list("6.", "7>");
  story.ran(checks("npm test", "passed", 95), checks("npm run lint", "passed", 12), edits("src/server.ts", 2, 2));
  story
    .ran(checks("npm test", "failed", 97))
    .list("7.", "8>")
    .ran(runs("git status", 1), runs("git push -u origin fix/login", 6));
  story.tell({
    type: "tokens.used",
    tokens: { ...NO_TOKENS, input: 21_400, output: 48_900, cacheRead: 3_812_000, total: 3_882_300 },
  });
  story.tell({ type: "money.spent", dollars: 4.31 });
  return story.report();
}

function smallSession(): SessionWorkReport {
  const story = new Story("0199ab13-5790-73b1-91f9-a0b9ae312826", [
    "Read the schema",
    "Move sessions to Redis",
    "Drop the old table",
  ]);
  story.who("Move sessions to Redis", "codex", { folder: "/home/ann/src/api", branch: "main", model: "gpt-5.2-codex" });
  story.pause(64).tell({ type: "turn.started" }, 9).list("1>").ran(reads("db/schema.sql"), reads("src/store.ts"));
  story
    .list("1.", "2>")
    .ran(edits("src/store.ts", 84, 31), checks("npm test", "passed", 33))
    .list("2.");
  story
    .tell({ type: "tokens.used", tokens: { ...NO_TOKENS, input: 402_000, output: 11_300, total: 413_300 } })
    .tell(ended);
  return story.report();
}

/** As `milepost report` collects it. */
export function reportWith(sessions: readonly SessionWorkReport[], isOne = false): WorkReport {
  const counts = new Map<string, number>();
  for (const { detector } of sessions.flatMap(({ alerts }) => alerts))
    counts.set(detector, (counts.get(detector) ?? 0) + 1);
  return {
    from: isOne ? null : new Date(BEGIN - 7 * 24 * 60 * MINUTE).toISOString(),
    to: new Date(Math.max(BEGIN, ...sessions.map(({ updatedAt }) => Date.parse(updatedAt ?? "") || 0))).toISOString(),
    session: isOne ? (sessions[0]?.id ?? null) : null,
    sum: sumUp(sessions.map(({ sum }) => sum)),
    agents: sessions.map(({ agent, tokens, cost }) => ({ agent, sessions: 1, tokens, cost })),
    detectors: [...counts].map(([detector, count]) => ({ detector, count })),
    sessions,
    sessionsLeftOut: 0,
    tasks: isOne
      ? []
      : [
          {
            list: "web",
            id: 12,
            subject: "Write the release notes",
            status: "completed",
            closedAt: new Date(BEGIN + 40 * MINUTE).toISOString(),
            closedBy: "claude-code",
          },
        ],
  };
}

export function richReport(): WorkReport {
  return reportWith([richSession(), smallSession()]);
}

/** So many calls in one session, with all that can be drawn. */
export function longSession(calls: number, seed = 7): SessionWorkReport {
  const { pick, below } = randomFrom(seed);
  const texts = Array.from({ length: 40 }, (_, at) => `Step ${at + 1} of a long migration`);
  const story = new Story("10000000-0000-4000-8000-000000000000", texts);
  story.who("A very long session", "claude-code", { folder: "/home/ann/src/web", model: "claude-opus-5" });
  story.tell({ type: "turn.started" });
  const kinds = [
    reads("src/a.ts"),
    greps("todo"),
    edits("src/a.ts", 3, 1),
    runs("ls", 1),
    checks("npm test", "passed", 9),
    checks("npm test", "failed", 9),
  ];
  for (let n = 0; n < calls; n += 1) {
    if (n % 250 === 0) story.list(`${(n / 250) % 40}.`, `${((n / 250) % 40) + 1}>`);
    if (n % 900 === 899)
      story.tell({ type: "context.compacted" }).tell(ended).pause(below(40)).tell({ type: "turn.started" });
    story.ran(pick(kinds));
  }
  return story.report();
}
