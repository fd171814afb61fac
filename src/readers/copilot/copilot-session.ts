import {
  countAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  oneLine,
  sessionAt,
  textAt,
  timeAt,
} from "../../core/json.js";
import type { ScratchTables } from "../../core/scratch-tables.js";
import { type Fact, NO_TOKENS, type Observation, sumTokens, type Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { lastLine } from "../../core/session/state/asked-text.js";
import { addBounded, lineId } from "../memory.js";
import { type Format, type Reader, Told } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { type SavedLists, TwoLists } from "../two-lists.js";
import { CopilotCalls, type SavedCopilotCalls } from "./copilot-calls.js";
import type { SavedTables } from "./saved-tables.js";
import { replay } from "./sql-replay.js";

const AGENT = "copilot";

/** The session files of GitHub Copilot CLI: events of a session and of all its sub-agents. */
export const copilotSession: Format = {
  name: AGENT,
  agent: AGENT,
  needsTables: true,
  recognises: ({ type, data }) =>
    type === "session.start" &&
    isObject(data) &&
    sessionAt(data.sessionId) !== undefined &&
    typeof data.copilotVersion === "string",
  open: (_, { saved, openTables } = {}) => new CopilotReader(saved as SavedReader | undefined, openTables),
  skipped: ["hook.start", "hook.end", "system.message", "session.binary_asset"].map((type) => `{"type":"${type}"`),
};

/** The main agent, or a sub-agent of the session. */
interface Lane {
  readonly tokens: Tokens;
  /** The model's answer that calls belong to. */
  readonly reply: string | null;
}

/** What is known of the session; its sub-agents have it from there. */
interface Seen {
  readonly folder: string | undefined;
  readonly branch: string | undefined;
  readonly version: string | undefined;
  readonly model: string | undefined;
}

interface SavedReader {
  readonly session: string;
  readonly seen: Partial<Seen>;
  readonly lists?: SavedLists;
  /** The agent's own database, as far as it is kept. */
  readonly tables?: SavedTables | undefined;
  readonly calls: SavedCopilotCalls;
  /** By the id of the sub-agent; that of the main agent is empty. */
  readonly lanes: readonly (readonly [string, Lane])[];
}

const NEW: SavedReader = { session: "", seen: {}, calls: [], lanes: [] };
const NEW_LANE: Lane = { tokens: NO_TOKENS, reply: null };
const NOTHING: readonly Observation[] = [];
const TITLE_MAX = 120;
const MOST_LANES = 50;

type Read = (reader: CopilotReader, data: JsonObject) => void;

class CopilotReader implements Reader {
  readonly #openTables: (() => ScratchTables) | undefined;
  readonly #told = new Told();
  readonly #calls: CopilotCalls;
  readonly #lanes: Map<string, Lane>;
  #session: string;
  #seen: Partial<Seen>;
  readonly #lists: TwoLists;
  #tables: SavedTables | undefined;
  /** Whose record it is. */
  #agent = "";

  constructor({ session, seen, lists, tables, calls, lanes }: SavedReader = NEW, openTables?: () => ScratchTables) {
    this.#session = session;
    this.#seen = seen;
    this.#lists = new TwoLists(lists);
    this.#tables = tables;
    this.#calls = new CopilotCalls(calls);
    this.#lanes = new Map(lanes);
    this.#openTables = openTables;
  }

  save(): SavedReader {
    const [session, seen, tables, lanes] = [this.#session, this.#seen, this.#tables, [...this.#lanes]];
    return { session, seen, lists: this.#lists.save(), tables, calls: this.#calls.save(), lanes };
  }

  read({ type, data, timestamp, agentId }: JsonObject): readonly Observation[] {
    if (typeof type !== "string" || !isObject(data)) return NOTHING;
    if (this.#session === "" && type === "session.start") this.#session = sessionAt(data.sessionId) ?? "";
    if (this.#session === "" || !Object.hasOwn(READ, type)) return NOTHING;
    this.#agent = agentId === undefined || agentId === null ? "" : (sessionAt(agentId) ?? UNKNOWN);
    if (this.#agent === UNKNOWN) return NOTHING;
    this.#told.at = timeAt(timestamp);
    READ[type]?.(this, data);
    return this.#told.take();
  }

  /** `context`: where the agent works. */
  see({ copilotVersion, selectedModel, context, detachedFromSpawningParentSessionId: parent }: JsonObject): void {
    const { cwd, branch } = objectAt(context);
    const before = this.#seen;
    const seen: Seen = {
      folder: textAt(cwd)?.slice(0, FOLDER_MAX) ?? before.folder,
      branch: textAt(branch) ?? before.branch,
      version: textAt(copilotVersion) ?? before.version,
      model: textAt(selectedModel) ?? before.model,
    };
    if (this.isMain) this.#seen = seen;
    this.tell({ type: "session.seen", agent: AGENT, parent: this.isMain ? sessionAt(parent) : this.#session, ...seen });
  }

  seeModel(value: unknown): void {
    const model = textAt(value);
    if (!this.isMain || model === undefined || model === this.#seen.model) return;
    this.#seen = { ...this.#seen, model };
    this.tell({ type: "session.seen", agent: AGENT, model });
  }

  get isMain(): boolean {
    return this.#agent === "";
  }

  startAgent(data: JsonObject): void {
    if (this.isMain) return;
    this.tell({ type: "agent.started", agent: this.#agent }, "");
    this.see({ selectedModel: data.model });
    this.title(data.agentDisplayName, "agent");
  }

  endAgent(): void {
    if (this.isMain) return;
    this.tell({ type: "session.left" });
    this.tell({ type: "agent.ended", agent: this.#agent }, "");
  }

  title(value: unknown, by: "agent" | "person"): void {
    const title = oneLine(value, TITLE_MAX);
    if (title !== undefined) this.tell({ type: "title.given", title, by });
  }

  /** Notices, skills and its own going on are written as the user, too; what comes while it works is no turn. */
  readPrompt({ content, source, delivery, isAutopilotContinuation }: JsonObject): void {
    if (delivery === "steering" || isAutopilotContinuation === true) return;
    if (this.isMain && source !== undefined && source !== "user") return;
    this.tell({ type: "turn.started" });
    if (this.isMain) this.title(content, "person");
  }

  readReply({ messageId, content, toolRequests, chunkIndex, chunkCount, model }: JsonObject): void {
    this.seeModel(model);
    const text = textAt(content) ?? "";
    const isLast = listAt(toolRequests).length === 0 && countAt(chunkIndex) + 1 >= countAt(chunkCount);
    this.#setLane({ reply: lineId(messageId) ?? null });
    for (const fact of saidFacts(text, isLast)) this.tell(fact);
    if (!isLast) return;
    const isAsking = isQuestion(text);
    this.tell({ type: "turn.ended", isAsking, ...(isAsking && { text: lastLine(text) }) });
  }

  startCall(data: JsonObject): void {
    for (const fact of this.#calls.start(data, this.#lane.reply ?? undefined)) this.tell(fact);
  }

  permit(facts: (calls: CopilotCalls) => readonly Fact[]): void {
    for (const fact of facts(this.#calls)) this.tell(fact);
  }

  endCall(data: JsonObject): void {
    const { facts, own, query } = this.#calls.end(data, this.#told.at);
    for (const fact of facts) this.tell(fact);
    // A sub-agent has a list of its own with us; the agent's own tables are the session's.
    if (own && this.isMain) this.#tellOfList(this.#lists.call(own));
    if (query) this.#run(query);
  }

  #run(query: string): void {
    const openTables = this.#openTables;
    if (!openTables) return;
    const facts = this.#lists.write((before) => {
      const { saved, written } = replay(before, { saved: this.#tables, query, at: this.#told.at, openTables });
      this.#tables = saved;
      return written;
    });
    this.#tellOfList(facts);
  }

  #tellOfList(facts: readonly Fact[]): void {
    for (const fact of facts) this.tell(fact, "");
  }

  /** `window`: what may be used of the model's. */
  use(usage: JsonObject, window?: number): void {
    const input = countAt(usage.inputTokens);
    const output = countAt(usage.outputTokens);
    const used: Tokens = {
      ...{ input, output, cacheRead: countAt(usage.cacheReadTokens), cacheWrite: countAt(usage.cacheWriteTokens) },
      ...{ reasoning: countAt(usage.reasoningTokens), total: input + output },
    };
    if (used.total === 0) return;
    const tokens = sumTokens(this.#lane.tokens, used);
    this.#setLane({ tokens });
    const context = window === undefined ? undefined : { used: used.total, window: window || null };
    this.tell({ type: "tokens.used", tokens, ...(context && { context }) });
  }

  cut(because: "interrupted" | "failed" | "usage-limit"): void {
    this.tell({ type: "turn.ended", isAsking: false, because });
  }

  /** `agent`: whom it is told of, where that is not who has written it. */
  tell(fact: Fact, agent: string = this.#agent): void {
    this.#told.tell(agent === "" ? this.#session : `${this.#session}/${agent}`, fact);
  }

  get #lane(): Lane {
    return this.#lanes.get(this.#agent) ?? NEW_LANE;
  }

  #setLane(change: Partial<Lane>): void {
    const lane = { ...this.#lane, ...change };
    this.#lanes.delete(this.#agent);
    addBounded(this.#lanes, this.#agent, lane, MOST_LANES);
  }
}

const UNKNOWN = "?";
const FOLDER_MAX = 4096;
const LIMITS: readonly unknown[] = ["rate_limit", "quota"];

/** What each event tells; all others are for the agent's own screen. */
const READ: Readonly<Record<string, Read>> = {
  "session.start": (reader, data) => reader.see(data),
  "session.resume": (reader, data) => reader.see(data),
  "session.context_changed": (reader, data) => reader.see({ context: data }),
  "session.model_change": (reader, { newModel }) => reader.seeModel(newModel),
  "session.compaction_complete"(reader, { success, compactionTokensUsed }) {
    reader.use(objectAt(compactionTokensUsed));
    if (success === true) reader.tell({ type: "context.compacted" });
  },
  "session.usage_record"(reader, { usage }) {
    const used = objectAt(usage);
    reader.use(used, countAt(used.maxPromptTokens));
  },
  "session.error": (reader, { errorType }) => reader.cut(LIMITS.includes(errorType) ? "usage-limit" : "failed"),
  "session.shutdown": (reader) => reader.tell({ type: "session.left" }),
  abort: (reader) => reader.cut("interrupted"),
  "user.message": (reader, data) => reader.readPrompt(data),
  "assistant.message": (reader, data) => reader.readReply(data),
  "tool.execution_start": (reader, data) => reader.startCall(data),
  "tool.execution_complete": (reader, data) => reader.endCall(data),
  "permission.requested": (reader, data) => reader.permit((calls) => calls.ask(data)),
  "permission.completed": (reader, data) => reader.permit((calls) => calls.answer(data)),
  "subagent.started": (reader, data) => reader.startAgent(data),
  "subagent.completed": (reader) => reader.endAgent(),
  "subagent.failed": (reader) => reader.endAgent(),
};
