import { isId } from "../../core/id.js";
import { countAt, idAt, type JsonObject, listAt, objectAt, textAt, timeAt } from "../../core/json.js";
import type { Fact, Observation } from "../../core/session/observation.js";
import { pullRequestAt } from "../../core/session/pull-request.js";
import { fingerprint } from "../memory.js";
import { hasQwenShape } from "../qwen/qwen-record.js";
import { type Format, observation, type Reader } from "../reader.js";
import { ClaudeLane, type SavedLane } from "./lane.js";
import { skimPromptSnapshot } from "./prompt.js";
import { isClaudeAgentFile, type SavedTitles, Titles } from "./titles.js";

/** The files under `projects/` of Claude Code 1.0 to 2.1: sessions, and sub-agents in all three layouts. */
export const claudeSession: Format = {
  name: "claude",
  agent: "claude-code",
  recognises: (record) => isId(record.sessionId) && typeof record.type === "string" && !hasQwenShape(record),
  open: (file, { saved, isThorough = false } = {}) =>
    new ClaudeReader(file, isThorough, saved as SavedReader | undefined),
  skim: skimPromptSnapshot,
  // Bookkeeping that is no part of the conversation. The largest of it are copies of whole prompts.
  skipped: [
    '{"type":"api-request',
    '{"type":"queue-operation"',
    '{"type":"last-prompt"',
    '{"type":"atis-latch"',
    '{"type":"tools-used"',
    '{"type":"file-history-snapshot"',
  ],
};

interface Seen {
  readonly branch: string | undefined;
  readonly version: string | undefined;
  readonly model: string | undefined;
}

interface SavedReader {
  readonly session: string;
  readonly lanes: readonly (readonly [string, SavedLane])[];
  /** Unnamed lines of sub-agents in the session's own file, and the lane each is on. */
  readonly sides: readonly (readonly [string, string])[];
  readonly seen: readonly (readonly [string, Seen])[];
  readonly tasks: readonly (readonly [string, string])[];
  readonly titles: SavedTitles;
}

const SIDES_KEPT = 100;
const MOST_LANES = 1000;

class ClaudeReader implements Reader {
  readonly #file: string;
  readonly #isThorough: boolean;
  /** By the id of the session or `session/agent`. */
  readonly #lanes: Map<string, ClaudeLane>;
  readonly #sides: Map<string, string>;
  readonly #seen: Map<string, Seen>;
  /** Calls that start a sub-agent, by the prompt they give it. */
  readonly #tasks: Map<string, string>;
  readonly #titles: Titles;
  #session: string;

  constructor(file: string, isThorough: boolean, saved?: SavedReader) {
    this.#file = file;
    this.#isThorough = isThorough;
    this.#session = saved?.session ?? "";
    this.#lanes = new Map(saved?.lanes.map(([id, lane]) => [id, new ClaudeLane(isThorough, lane)]));
    this.#sides = new Map(saved?.sides);
    this.#seen = new Map(saved?.seen);
    this.#tasks = new Map(saved?.tasks);
    this.#titles = new Titles(saved?.titles);
  }

  get isLost(): boolean {
    return [...this.#lanes.values()].some((lane) => lane.isLost);
  }

  save(): SavedReader {
    return {
      session: this.#session,
      lanes: [...this.#lanes].map(([id, lane]) => [id, lane.save()]),
      sides: [...this.#sides].slice(-SIDES_KEPT),
      seen: [...this.#seen],
      tasks: [...this.#tasks],
      titles: this.#titles.save(),
    };
  }

  read(record: JsonObject): readonly Observation[] {
    const session = this.#sessionOf(record);
    const { type } = record;
    if (!CONVERSATION.includes(type) && record.parentUuid === undefined) return this.#readAside(session, record);
    if (session === undefined) return NOTHING;
    const id = this.#laneId(session, record);
    // A file that names so many sub-agents is no file of Claude Code's.
    if (!this.#lanes.has(id) && this.#lanes.size >= MOST_LANES) return NOTHING;
    const who = this.#whoIs(id, session, record);
    const told = this.#laneOf(id).read(record);
    if (type === "assistant") this.#noteTasks(id, record);
    const title = this.#titles.isWaiting ? this.#titles.named(record) : undefined;
    if (!who && !title && told.length === 0) return NOTHING;
    const at = timeAt(record.timestamp);
    const facts: Observation[] = [];
    if (who) facts.push(observation(who, id, at));
    if (title) facts.push(observation(title, id, at));
    for (const fact of told) facts.push(observation(fact, id, at));
    return facts;
  }

  /** Lines beside the conversation: titles, and what it has cost. */
  #readAside(session: string | undefined, record: JsonObject): readonly Observation[] {
    const title = this.#titles.read(record, this.#isOwnLine);
    if (session === undefined) return NOTHING;
    if (record.type === "pr-link") return pullRequestNamed(session, record);
    if (record.type === "cost-state") return [{ type: "money.spent", dollars: countAt(record.totalCostUSD), session }];
    return title ? [{ ...title, session }] : NOTHING;
  }

  readonly #isOwnLine = (uuid: string): boolean => this.#lanes.get(this.#session)?.has(uuid) === true;

  /** The file's own session, as its first line that has one says. */
  #sessionOf(record: JsonObject): string | undefined {
    if (this.#session === "" && isId(record.sessionId)) this.#session = record.sessionId;
    return this.#session === "" ? undefined : this.#session;
  }

  #laneId(session: string, record: JsonObject): string {
    const { agentId: agent, isSidechain } = record;
    if (isSidechain !== true && !(isId(agent) && isClaudeAgentFile(this.#file))) return session;
    return isId(agent) ? `${session}/${agent}` : this.#sideOf(session, record);
  }

  /** Before 2.0 sub-agents were lines in the session's own file, told apart only by what they follow. */
  #sideOf(session: string, record: JsonObject): string {
    const uuid = isId(record.uuid) ? record.uuid : "agent";
    const parent = idAt(record.parentUuid);
    const prompt = promptKey(objectAt(record.message).content);
    const side =
      (parent === undefined ? undefined : this.#sides.get(parent)) ??
      `${session}/${(prompt === undefined ? undefined : this.#tasks.get(prompt)) ?? uuid}`;
    this.#sides.set(uuid, side);
    return side;
  }

  #laneOf(id: string): ClaudeLane {
    const lane = this.#lanes.get(id) ?? new ClaudeLane(this.#isThorough);
    this.#lanes.set(id, lane);
    return lane;
  }

  #whoIs(id: string, session: string, record: JsonObject): Fact | undefined {
    const before = this.#seen.get(id);
    const { gitBranch, version } = record;
    const model = modelAt(record) ?? before?.model;
    if (before && before.branch === gitBranch && before.version === version && before.model === model) return undefined;
    const now = { branch: textAt(gitBranch), version: textAt(version), model };
    this.#seen.set(id, now);
    const parent = id === session ? undefined : session;
    // Agents change folders as they work; the project is where it began.
    const folder = before === undefined ? textAt(record.cwd) : undefined;
    return { type: "session.seen", agent: "claude-code", parent, folder, ...now };
  }

  /** Remembers which call gave which prompt to a sub-agent: later versions name the sub-agent in its lines. */
  #noteTasks(id: string, record: JsonObject): void {
    const { version, message } = record;
    if (id !== this.#session || (typeof version === "string" && !version.startsWith("1."))) return;
    for (const block of listAt(objectAt(message).content)) {
      const { type, name, id: call, input } = objectAt(block);
      const key = type === "tool_use" && name === "Task" ? promptKey(objectAt(input).prompt) : undefined;
      if (key !== undefined && isId(call)) this.#tasks.set(key, call);
    }
    if (this.#tasks.size > SIDES_KEPT) this.#tasks.delete(this.#tasks.keys().next().value ?? "");
  }
}

const NOTHING: readonly Observation[] = [];
const CONVERSATION: readonly unknown[] = ["user", "assistant", "attachment", "system"];

function pullRequestNamed(session: string, record: JsonObject): readonly Observation[] {
  const pullRequest = pullRequestAt(record.prNumber, record.prUrl, record.prRepository);
  return pullRequest ? [{ type: "pull-request.named", pullRequest, session, at: timeAt(record.timestamp) }] : NOTHING;
}

/** Prompts are compared, not kept. */
function promptKey(prompt: unknown): string | undefined {
  const text = textAt(prompt);
  return text === undefined ? undefined : fingerprint(text);
}

function modelAt(record: JsonObject): string | undefined {
  const model = record.type === "assistant" ? textAt(objectAt(record.message).model) : undefined;
  return model === "<synthetic>" ? undefined : model;
}
