import { appendFileSync } from "node:fs";
import { answers, calls, chained, type Line, says, user, wrote } from "../readers/claude-lines.js";
import {
  codexAnswers,
  codexCalls,
  codexEnds,
  codexStarts,
  codexWrote,
  writeClaude,
  writeCodex,
} from "./told-transcripts.js";
import { emptyWorld, type ViewWorld } from "./worlds.js";

/** An agent that goes on writing. */
export interface LiveAgent {
  readonly session: string;
  readonly path: string;
  /** Its next record, as of now. */
  append(): void;
  /** A list with this one todo: what a view should show at once. */
  appendTodo(text: string): void;
}

export interface ManySessions extends ViewWorld {
  readonly live: readonly LiveAgent[];
}

const MINUTE = 60_000;
const PROJECTS = 40;

/**
 * So many sessions with transcripts of Claude Code and Codex in turn, one in four of Codex. The live ones are in
 * mid-turn and were written to a moment ago; of the others each is some minutes older than the one before.
 */
export function manySessions(root: string, count: number, live: number): ManySessions {
  const world = emptyWorld(root);
  const agents = Array.from({ length: count }, (_, number) => {
    const isLive = number < live;
    const session = `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const at = isLive ? Date.now() - number * 100 : Date.now() - (number - live + 2) * MINUTE;
    const told = { session, folder: `/home/dev/project-${number % PROJECTS}`, branch: `topic/${number % 7}`, at };
    return number % 4 === 3 ? codexAgent(world.home, told, isLive) : claudeAgent(world.home, told, isLive);
  });
  return { ...world, live: agents.slice(0, live) };
}

type Told = Parameters<typeof writeClaude>[1];

const STEPS = [
  "Read the code",
  "Write a failing test",
  "Fix it",
  "Run all tests",
  "Update the docs",
  "Open the request",
];
const stepsAt = (done: number) => STEPS.map((text, at) => `${text}${at < done ? "." : at === done ? "!" : ""}`);
const usage = { input_tokens: 12, cache_read_input_tokens: 41_000, output_tokens: 140 };

function claudeAgent(home: string, told: Told, isLive: boolean): LiveAgent {
  const { session, folder, branch } = told;
  const done = Number.parseInt(session.slice(0, 8), 16) % STEPS.length;
  const lines = [
    user(`Work on part ${session.slice(4, 8)}`),
    ...wrote(...stepsAt(isLive ? done : STEPS.length)),
    calls("c0", "Bash", { command: "npm test" }, { usage }),
    answers("c0"),
    ...(isLive ? [] : [says("That part is done.")]),
  ];
  const path = writeClaude(home, told, lines);
  let [written, last] = [lines.length, `l${lines.length - 1}`];
  const write = (line: Line) => {
    const uuid = `l${written}`;
    const timestamp = new Date().toISOString();
    const place = { sessionId: session, cwd: folder, gitBranch: branch ?? "main", uuid, parentUuid: last, timestamp };
    appendFileSync(path, `${JSON.stringify({ ...chained([line])[0], ...place })}\n`);
    [written, last] = [written + 1, uuid];
  };
  let turn = 0;
  return {
    session,
    path,
    append() {
      const call = `c${Math.floor(turn / 2) + 1}`;
      write(turn % 2 === 0 ? calls(call, "Bash", { command: `npm run step-${turn}` }, { usage }) : answers(call));
      turn += 1;
    },
    appendTodo: (text) => wrote(`${text}!`).forEach(write),
  };
}

function codexAgent(home: string, told: Told, isLive: boolean): LiveAgent {
  const { session } = told;
  const path = writeCodex(home, told, [
    ...codexStarts(`Work on part ${session.slice(4, 8)}`),
    ...codexWrote("w0", ...stepsAt(isLive ? 2 : STEPS.length)),
    codexCalls("c0", "shell", { command: ["npm", "test"] }),
    codexAnswers("c0", JSON.stringify({ output: "ok", metadata: { exit_code: 0 } })),
    ...(isLive ? [] : codexEnds("That part is done.")),
  ]);
  const write = (record: object) =>
    appendFileSync(path, `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
  let turn = 0;
  return {
    session,
    path,
    append() {
      const call = `c${Math.floor(turn / 2) + 1}`;
      const output = JSON.stringify({ output: "ok", metadata: { exit_code: 0 } });
      const shell = { command: ["npm", "run", `step-${turn}`] };
      write(turn % 2 === 0 ? codexCalls(call, "shell", shell) : codexAnswers(call, output));
      turn += 1;
    },
    appendTodo: (text) => codexWrote(`t${turn}`, `${text}!`).forEach(write),
  };
}
