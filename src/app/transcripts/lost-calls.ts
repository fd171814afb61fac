import { basename, dirname, join } from "node:path";
import { type JsonObject, listAt, objectAt, parseJson } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import { claudeSession } from "../../readers/claude/claude-session.js";
import { isRefusal } from "../../readers/claude/tool-results.js";
import { codexRollout } from "../../readers/codex/rollout.js";
import type { SeenCall } from "../calls/call-events.js";
import { endOf, namesIn } from "./file-peek.js";

/** Which calls of which session are missed, and where its client writes what became of them. */
export interface Missed {
  readonly client: "claude-code" | "codex";
  readonly transcript: string;
  readonly session: string;
  readonly calls: readonly string[];
}

/** What one turn has written, in most cases. The agent waits meanwhile. Bytes. */
const LOOKED_AT = 4_194_304;
const LOOKED_AT_AGENT = 1_048_576;
const MOST_AGENTS = 8;

/** How a missed call ended. `input`: of a call that wrote a list which nobody has written since. */
export interface LostEnd {
  readonly end: SeenCall;
  readonly input?: JsonObject | undefined;
}

/** The ends of missed calls, as the transcript tells them. One that is not in it has not ended. */
export function lostEnds({ client, transcript, session, calls }: Missed): readonly LostEnd[] {
  const missed = new Set(calls);
  const found = endsIn(client, transcript, missed, LOOKED_AT);
  for (const { end } of found) missed.delete(end.call ?? "");
  if (missed.size === 0 || client === "codex") return found;
  return [...found, ...agentFiles(transcript, session).flatMap(([agent, file]) => agentEnds(file, agent, missed))];
}

function agentEnds(file: string, agent: string, missed: ReadonlySet<string>): readonly LostEnd[] {
  return endsIn("claude-code", file, missed, LOOKED_AT_AGENT).map(({ end }) => ({ end: { ...end, agent } }));
}

/** Sub-agents of Claude Code have files of their own beside the session's. */
function agentFiles(transcript: string, session: string): readonly (readonly [agent: string, file: string])[] {
  const folder = join(dirname(transcript), session, "subagents");
  return namesIn(folder)
    .flatMap((name) => {
      const agent = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1];
      return agent === undefined ? [] : [[agent, join(folder, name)] as const];
    })
    .slice(-MOST_AGENTS);
}

type Started = Extract<Observation, { type: "call.started" }>;

function endsIn(client: Missed["client"], file: string, missed: ReadonlySet<string>, bytes: number) {
  const reader = (client === "codex" ? codexRollout : claudeSession).open(basename(file));
  const started = new Map<string, Started>();
  const ends: SeenCall[] = [];
  let written: { readonly call: string; readonly input: JsonObject | undefined } | undefined;
  for (const line of endOf(file, bytes).split("\n")) {
    const record = objectAt(line === "" ? undefined : parseJson(line));
    for (const seen of reader.read(record)) {
      if (seen.type === "call.started") {
        if (missed.has(seen.call)) started.set(seen.call, seen);
        if (WRITES_LIST.includes(seen.tool)) written = { call: seen.call, input: inputIn(record, seen.call) };
      }
      const { tool, server, subject, facts } = (seen.type === "call.ended" && started.get(seen.call)) || {};
      if (seen.type === "call.ended" && tool !== undefined)
        ends.push({ call: seen.call, tool, server, subject, ...endOfCall(seen), facts: { ...facts, ...seen.facts } });
    }
  }
  return ends.map((end) => ({ end, input: end.call === written?.call ? written?.input : undefined }));
}

const WRITES_LIST = ["TodoWrite", "update_plan"];

/** Readers tell what became of a list, not how it was asked for. */
function inputIn({ message, payload }: JsonObject, call: string): JsonObject | undefined {
  const { call_id: id, arguments: text } = objectAt(payload);
  if (id === call && typeof text === "string") return objectAt(parseJson(text));
  const block = listAt(objectAt(message).content)
    .map(objectAt)
    .find((one) => one.id === call);
  return block && objectAt(block.input);
}

/** As a hook would have told it. */
function endOfCall({
  status,
  problem,
}: Extract<Observation, { type: "call.ended" }>): Pick<SeenCall, "status" | "problem"> {
  return status === "failed" && isRefusal(problem ?? "") ? { status: "cancelled" } : { status, problem };
}
