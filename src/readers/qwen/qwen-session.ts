import { countAt, isObject, type JsonObject, objectAt, oneLine, textAt, timeAt } from "../../core/json.js";
import { type Fact, NO_TOKENS, type Observation, sumTokens, type Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { lineId } from "../memory.js";
import { type Format, observation, type Reader } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { type SavedLists, TwoLists } from "../two-lists.js";
import { QwenCalls, type SavedQwenCalls } from "./qwen-calls.js";
import { readWrittenList } from "./qwen-list.js";
import { isQwenRecord, partsOf, saidIn, sessionOf } from "./qwen-record.js";

const QWEN = "qwen";

/** The session files of Qwen Code, and those of its sub-agents. */
export const qwenSession: Format = {
  name: QWEN,
  agent: QWEN,
  recognises: isQwenRecord,
  open: (_, { saved } = {}) => new QwenReader(saved as SavedReader | undefined),
};

interface Seen {
  readonly branch: string | undefined;
  readonly version: string | undefined;
  readonly model: string | undefined;
}

interface SavedReader {
  /** With the sub-agent, where it is the file of one. */
  readonly session: string;
  readonly seen: Seen | null;
  readonly lists?: SavedLists;
  readonly tokens: Tokens;
  readonly calls: SavedQwenCalls;
}

const NEW: SavedReader = { session: "", seen: null, tokens: NO_TOKENS, calls: [] };
const NOTHING: readonly Observation[] = [];
const TITLE_MAX = 120;

/** A session that is rewound keeps its list: Qwen Code has it in a file of its own. So lines are read one by one. */
class QwenReader implements Reader {
  #session: string;
  #seen: Seen | null;
  readonly #lists: TwoLists;
  #tokens: Tokens;
  readonly #calls: QwenCalls;

  constructor({ session, seen, lists, tokens, calls }: SavedReader = NEW) {
    this.#session = session;
    this.#seen = seen;
    this.#lists = new TwoLists(lists);
    this.#tokens = tokens;
    this.#calls = new QwenCalls(calls);
  }

  save(): SavedReader {
    const [session, seen, tokens] = [this.#session, this.#seen, this.#tokens];
    return { session, seen, lists: this.#lists.save(), tokens, calls: this.#calls.save() };
  }

  read(record: JsonObject): readonly Observation[] {
    if (!isQwenRecord(record)) return NOTHING;
    if (this.#session === "") this.#session = sessionOf(record);
    const facts = [...this.#whoIs(record), ...this.#factsOf(record)];
    const at = timeAt(record.timestamp);
    return facts.map((fact) => observation(fact, this.#session, at));
  }

  #whoIs(record: JsonObject): readonly Fact[] {
    const before = this.#seen;
    const now: Seen = {
      branch: textAt(record.gitBranch) ?? before?.branch,
      version: textAt(record.version) ?? before?.version,
      model: textAt(record.model) ?? before?.model,
    };
    if (before && before.branch === now.branch && before.version === now.version && before.model === now.model)
      return [];
    this.#seen = now;
    const [parent, agent] = this.#session.split("/");
    const folder = before === null ? { folder: textAt(record.cwd) } : undefined;
    return [{ type: "session.seen", agent: QWEN, parent: agent === undefined ? undefined : parent, ...folder, ...now }];
  }

  #factsOf(record: JsonObject): readonly Fact[] {
    if (record.type === "user") return startOfTurn(record);
    if (record.type === "assistant") return this.#readReply(record);
    return record.type === "tool_result" ? this.#readAnswers(record) : readSystem(record, this.#session);
  }

  #readReply(record: JsonObject): readonly Fact[] {
    const parts = partsOf(record);
    const calls = parts.map(({ functionCall }) => functionCall).filter(isObject);
    const text = saidIn(parts);
    const reply = lineId(record.uuid);
    const facts = [...this.#use(record), ...saidFacts(text, calls.length === 0)];
    for (const call of calls) facts.push(...this.#calls.start(call, reply));
    // A sub-agent writes down what a reply has used before the reply itself.
    const isOver = calls.length === 0 && parts.length > 0;
    return isOver ? [...facts, { type: "turn.ended", isAsking: isQuestion(text) }] : facts;
  }

  #use({ usageMetadata, contextWindowSize: window }: JsonObject): readonly Fact[] {
    const used = tokensAt(objectAt(usageMetadata));
    if (used.total === 0) return [];
    this.#tokens = sumTokens(this.#tokens, used);
    const context = { used: used.total, window: countAt(window) || null };
    return [{ type: "tokens.used", tokens: this.#tokens, context }];
  }

  #readAnswers(record: JsonObject): readonly Fact[] {
    const answers = partsOf(record)
      .map(({ functionResponse }) => functionResponse)
      .filter(isObject);
    // What is written beside an answer belongs to the one answer of the record.
    const result = answers.length === 1 ? objectAt(record.toolCallResult) : {};
    return answers.flatMap((answer) => {
      const { facts, todos, own } = this.#calls.end(answer, result, timeAt(record.timestamp));
      const written = own ? this.#lists.call(own) : this.#lists.write((before) => readWrittenList(before, todos));
      const isCancelled = facts.some((fact) => fact.type === "call.ended" && fact.status === "cancelled");
      const stopped: readonly Fact[] = isCancelled ? [CUT_SHORT] : [];
      return [...facts, ...written, ...stopped];
    });
  }
}

/** Who stops a call stops the turn; what comes behind it begins anew. */
const CUT_SHORT: Fact = { type: "turn.ended", isAsking: false, because: "interrupted" };

const FAILED: Fact = { type: "turn.ended", isAsking: false, because: "failed" };

/**
 * The model's service has refused a request of the session itself, and asking again would change nothing: after other
 * errors it is asked again, and nobody writes down when that is given up.
 */
function isFinalError(event: JsonObject, session: string): boolean {
  const { "event.name": name, status_code: status, prompt_id: prompt, subagent_id: agent } = event;
  if (name !== "qwen-code.api_error" || agent !== undefined) return false;
  const isOwn = textAt(prompt)?.startsWith(`${session}########`) === true;
  return isOwn && typeof status === "number" && status >= 400 && status < 500 && !ASKED_AGAIN.includes(status);
}

const ASKED_AGAIN = [408, 409, 425, 429];

/** Only what a person has typed: the agent writes its own notices as the user, and what came while it was at work. */
function startOfTurn(record: JsonObject): readonly Fact[] {
  const { subtype, provenance = "real_user", systemPayload } = record;
  const isTyped = subtype === undefined || subtype === "realtime_message";
  if (!isTyped || provenance !== "real_user") return [];
  return [
    { type: "turn.started" },
    ...given(textAt(objectAt(systemPayload).displayText) ?? saidIn(partsOf(record)), "person"),
  ];
}

function readSystem({ subtype, systemPayload }: JsonObject, session: string): readonly Fact[] {
  const payload = objectAt(systemPayload);
  if (subtype === "custom_title") return given(payload.customTitle, "agent");
  if (subtype === "turn_result" && payload.state === "cancelled") return [CUT_SHORT];
  const isRefused = subtype === "ui_telemetry" && isFinalError(objectAt(payload.uiEvent), session);
  if (isRefused || (subtype === "turn_result" && payload.state === "error")) return [FAILED];
  // A compaction that failed is written down, too, with another number.
  const isDone =
    subtype === "chat_compression" && (objectAt(payload.info).compressionStatus ?? COMPRESSED) === COMPRESSED;
  return isDone ? [{ type: "context.compacted" }] : [];
}

const COMPRESSED = 1;

function given(value: unknown, by: "agent" | "person"): readonly Fact[] {
  const title = oneLine(value, TITLE_MAX);
  return title === undefined ? [] : [{ type: "title.given", title, by }];
}

function tokensAt(usage: JsonObject): Tokens {
  const input = countAt(usage.promptTokenCount);
  const output = countAt(usage.candidatesTokenCount);
  const reasoning = countAt(usage.thoughtsTokenCount);
  const total = countAt(usage.totalTokenCount) || input + output;
  return { input, output, cacheRead: countAt(usage.cachedContentTokenCount), cacheWrite: 0, reasoning, total };
}
