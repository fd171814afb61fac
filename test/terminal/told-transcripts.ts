import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/core/json.js";
import { chained, type Line, todos } from "../readers/claude-lines.js";

// Transcripts as the clients write them, whose last record was written so long ago.

export interface ToldSession {
  readonly session: string;
  readonly folder: string;
  readonly branch?: string;
  /** When its last record was written, in milliseconds; those before it are some seconds apart. */
  readonly at: number;
}

const APART = 5000;
const timesOf = (count: number, at: number) =>
  Array.from({ length: count }, (_, place) => new Date(at - (count - 1 - place) * APART).toISOString());

/** Puts a file where Claude Code keeps it; of a sub-agent, in the folder of its session. */
export function writeClaude(home: string, told: ToldSession, lines: readonly Line[], helper?: string): string {
  const { session, folder, branch = "main", at } = told;
  const times = timesOf(lines.length, at);
  const own = helper === undefined ? {} : { isSidechain: true, agentId: helper };
  const common = { sessionId: session, cwd: folder, gitBranch: branch, version: "2.1.325", ...own };
  const project = join(home, ".claude", "projects", folder.replaceAll(/[^A-Za-z0-9]/g, "-"));
  const path =
    helper === undefined
      ? join(project, `${session}.jsonl`)
      : join(project, session, "subagents", `agent-${helper}.jsonl`);
  const dated = lines.map((line, place): Line => ({ ...common, timestamp: times[place] ?? "", ...line }));
  return writeLines(path, chained(dated), at);
}

export function writeCodex(home: string, told: ToldSession, records: readonly JsonObject[]): string {
  const { session, folder, branch = "main", at } = told;
  const meta = {
    type: "session_meta",
    payload: { id: session, cwd: folder, originator: "codex_cli_rs", cli_version: "0.166.0", git: { branch } },
  };
  const times = timesOf(records.length + 1, at);
  const day = new Date(at).toISOString();
  const name = `rollout-${day.slice(0, 19).replaceAll(":", "-")}-${session}.jsonl`;
  const path = join(home, ".codex", "sessions", day.slice(0, 10).replaceAll("-", "/"), name);
  return writeLines(
    path,
    [meta, ...records].map((record, place) => ({ timestamp: times[place] ?? "", ...record })),
    at,
  );
}

function writeLines(path: string, records: readonly object[], at: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  utimesSync(path, at / 1000, at / 1000);
  return path;
}

const codexEvent = (type: string, fields: object = {}): JsonObject => ({
  type: "event_msg",
  payload: { type, ...fields },
});
const codexItem = (payload: JsonObject): JsonObject => ({ type: "response_item", payload });

export const codexStarts = (says: string) => [
  codexEvent("task_started"),
  codexEvent("user_message", { message: says }),
];
export const codexEnds = (last: string) => [
  codexEvent("agent_message", { message: last }),
  codexEvent("task_complete", { last_agent_message: last }),
];
export const codexCalls = (call: string, name: string, input: object) =>
  codexItem({ type: "function_call", call_id: call, name, arguments: JSON.stringify(input) });
export const codexAnswers = (call: string, output: string) =>
  codexItem({ type: "function_call_output", call_id: call, output });

/** A plan in the words of `todos`: `a` is pending, `a!` in progress, `a.` completed. */
export const codexWrote = (call: string, ...texts: string[]) => [
  codexCalls(call, "update_plan", {
    plan: todos(...texts).map(({ content, status }) => ({ step: content, status })),
  }),
  codexAnswers(call, "Plan updated"),
];
