import { isId } from "../../core/id.js";
import { countAt, type JsonObject, listAt, objectAt, textAt, timeAt } from "../../core/json.js";
import { type Fact, NO_TOKENS, type Observation, type Tokens } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { ClaudeLane, type SavedLane } from "./lane.js";
import { isAnswer } from "./prompt.js";

/** What `claude -p --output-format stream-json` prints. It has no prompts of a person, unless they were asked for. */
export const claudeStream: Format = {
  name: "claude-stream",
  agent: "claude-code",
  recognises: (record) =>
    isId(record.session_id) &&
    typeof record.type === "string" &&
    KINDS.includes(record.type) &&
    !("hook_event_name" in record || "qwen_code_version" in record),
  open: (_file, { saved } = {}) => new ClaudeStreamReader(saved as SavedStream | undefined),
};

const KINDS = ["system", "assistant", "user", "result", "stream_event"];

interface SavedStream {
  readonly session: string;
  readonly lanes: readonly (readonly [string, SavedLane])[];
  readonly isInTurn: boolean;
  /** What was used before this run. */
  readonly before: Tokens;
  readonly dollars: number;
}

const NEW: SavedStream = { session: "", lanes: [], isInTurn: false, before: NO_TOKENS, dollars: 0 };

class ClaudeStreamReader implements Reader {
  readonly #lanes: Map<string, ClaudeLane>;
  #session: string;
  #isInTurn: boolean;
  #before: Tokens;
  #dollars: number;

  constructor({ session, lanes, isInTurn, before, dollars }: SavedStream = NEW) {
    this.#lanes = new Map(lanes.map(([id, lane]) => [id, new ClaudeLane(false, lane)]));
    this.#session = session;
    this.#isInTurn = isInTurn;
    this.#before = before;
    this.#dollars = dollars;
  }

  save(): SavedStream {
    const lanes = [...this.#lanes].map(([id, lane]) => [id, lane.save()] as const);
    return { session: this.#session, lanes, isInTurn: this.#isInTurn, before: this.#before, dollars: this.#dollars };
  }

  read(record: JsonObject): readonly Observation[] {
    if (!isId(record.session_id)) return [];
    this.#session ||= record.session_id;
    const id = this.#laneId(record);
    const at = timeAt(record.timestamp);
    const facts = id === this.#session ? this.#readOwn(id, record) : this.#readAgent(id, record);
    const told: readonly Observation[] = facts.map((fact) => ({ ...fact, session: id, at }));
    if (record.subtype !== "task_notification") return told;
    // That the sub-agent is over is also news for who started it.
    const own = this.#laneOf(this.#session).endAgents([record.task_id]);
    return [...told, ...own.map((fact) => ({ ...fact, session: this.#session, at }))];
  }

  /** Older versions name a sub-agent by the call that started it. */
  #laneId(record: JsonObject): string {
    const ended = record.subtype === "task_notification" ? record.task_id : undefined;
    const agent = [ended, record.agent_id, record.parent_tool_use_id].find(isId);
    return agent === undefined ? this.#session : `${this.#session}/${agent}`;
  }

  #readOwn(id: string, record: JsonObject): readonly Fact[] {
    if (record.type === "result") return this.#endRun(id, record);
    const facts: Fact[] = record.type === "system" && record.subtype === "init" ? [whoIs(record)] : [];
    if (record.type === "assistant" && !this.#isInTurn && isFromModel(record)) {
      this.#isInTurn = true;
      facts.push({ type: "turn.started" });
    }
    // Only a prompt that is given back is a person's: the summary after a compaction looks the same.
    if (record.type === "user" && record.isReplay !== true && !hasAnswers(record)) return facts;
    const read = this.#laneOf(id).read(record);
    return [...facts, ...read.filter(({ type }) => type !== "turn.started")];
  }

  #readAgent(id: string, record: JsonObject): readonly Fact[] {
    const isNew = !this.#lanes.has(id);
    // Its last words are not in the stream, only that it has ended. Commands in the background are no agents.
    if (record.subtype === "task_notification") return isNew ? [] : [{ type: "turn.ended", isAsking: false }];
    const read = this.#laneOf(id).read(record);
    if (!isNew) return read;
    return [{ type: "session.seen", agent: "claude-code", parent: this.#session }, ...read];
  }

  #endRun(id: string, record: JsonObject): readonly Fact[] {
    this.#isInTurn = false;
    const facts: Fact[] = [];
    const total = this.#laneOf(id).settle(this.#before, record.usage);
    if (total.total > this.#before.total) facts.push({ type: "tokens.used", tokens: total });
    this.#before = total;
    const dollars = countAt(record.total_cost_usd);
    // Newer versions go on with what the session has cost before; older ones begin anew with each process.
    this.#dollars = dollars >= this.#dollars ? dollars : this.#dollars + dollars;
    if (dollars > 0) facts.push({ type: "money.spent", dollars: this.#dollars });
    if (record.is_error === true) facts.push({ type: "turn.ended", isAsking: false, because: "failed" });
    return facts;
  }

  #laneOf(id: string): ClaudeLane {
    const lane = this.#lanes.get(id) ?? new ClaudeLane(false);
    this.#lanes.set(id, lane);
    return lane;
  }
}

function whoIs({ cwd, claude_code_version: version, model }: JsonObject): Fact {
  const seen = { folder: textAt(cwd), version: textAt(version), model: textAt(model) };
  return { type: "session.seen", agent: "claude-code", ...seen };
}

function hasAnswers(record: JsonObject): boolean {
  return listAt(objectAt(record.message).content).some(isAnswer);
}

function isFromModel(record: JsonObject): boolean {
  return objectAt(record.message).model !== "<synthetic>";
}
