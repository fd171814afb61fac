import { countAt, isObject, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import { type Fact, NO_TOKENS, type Observation, sumTokens, type Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { lastLine } from "../../core/session/state/asked-text.js";
import type { NewTodo } from "../../core/todo/command.js";
import { readTodos } from "../../dialects/opencode/todo-schema.js";
import { lineId } from "../memory.js";
import { type Format, observation, type Reader } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { TwoLists } from "../two-lists.js";
import { writeKeptList } from "../whole-list.js";
import { callOfPart, LIST_TOOL, momentAt, newTodosOf, type PartCall } from "./call-parts.js";

const OPENCODE = "opencode";

/** Whole sessions: what `opencode export` prints, or rows of its database joined to the same. */
export const opencodeSession: Format = {
  name: "opencode",
  agent: OPENCODE,
  recognises: ({ info, messages }) => Array.isArray(messages) && isSession(objectAt(info)),
  open: () => new OpencodeReader(),
  isArchive: true,
};

function isSession({ id, slug, projectID, directory }: JsonObject): boolean {
  const isNamed = typeof slug === "string" || typeof projectID === "string";
  return sessionAt(id) !== undefined && isNamed && typeof directory === "string";
}

/** Each record says everything: there is nothing to save. */
class OpencodeReader implements Reader {
  save(): null {
    return null;
  }

  read(record: JsonObject): readonly Observation[] {
    const info = objectAt(record.info);
    const id = sessionAt(info.id);
    if (id === undefined || !Array.isArray(record.messages)) return [];
    return new Telling(id).tell(info, record.messages, record.todos);
  }
}

const TITLE_MAX = 120;
/** What a session is called until the model has given it a name. */
const UNTITLED = /^(?:New|Child) session - \d{4}-/;

/** One session, message by message. */
class Telling {
  readonly #id: string;
  #at: number | undefined;
  readonly #lists = new TwoLists();
  #written: readonly NewTodo[] = [];
  #tokens: Tokens = NO_TOKENS;
  #dollars = 0;
  #prompt = "";
  /** The prompt that the agent is about to repeat by itself. */
  #repeated: string | undefined;
  #hasOverflowed = false;
  /** Messages above commands that a person has run. */
  readonly #ownCommands = new Set<unknown>();
  readonly #told: Observation[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  /** `todos`: the list as it is now, where its rows were read, too. */
  tell(info: JsonObject, messages: readonly unknown[], todos?: unknown): readonly Observation[] {
    const time = objectAt(info.time);
    this.#at = momentAt(time.created);
    const parent = sessionAt(info.parentID);
    this.#tell({
      type: "session.seen",
      agent: OPENCODE,
      folder: textAt(info.directory),
      version: textAt(info.version),
      model: oneLine(objectAt(info.model).id),
      parent: parent === this.#id ? undefined : parent,
    });
    const title = UNTITLED.test(textAt(info.title) ?? "") ? undefined : oneLine(info.title, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by: "agent" });
    for (const message of messages.map(objectAt)) this.#read(objectAt(message.info), listAt(message.parts));
    if (Array.isArray(todos)) this.#see(todos);
    // Who archives a session has closed it.
    const archived = momentAt(time.archived);
    if (archived === undefined) return this.#told;
    this.#at = archived;
    this.#tell({ type: "session.left" });
    return this.#told;
  }

  #read(info: JsonObject, parts: readonly unknown[]): void {
    this.#at = momentAt(objectAt(info.time).created) ?? this.#at;
    if (info.role === "user") this.#hearPerson(info.id, parts.filter(isObject));
    else if (info.role === "assistant") this.#hearAgent(info, parts.filter(isObject));
  }

  /** The agent also speaks as the user: to sum up, and to go on behind that. Then it says so. */
  #hearPerson(id: unknown, parts: readonly JsonObject[]): void {
    if (parts.some(({ synthetic, text }) => synthetic === true && text === OWN_COMMAND)) this.#ownCommands.add(id);
    if (parts.some(({ type }) => type === "compaction"))
      this.#hasOverflowed = parts.some(({ overflow }) => overflow === true);
    const said = parts.filter(({ type, synthetic }) => type !== "compaction" && synthetic !== true);
    if (said.length === 0) return;
    const prompt = textOf(said.filter(({ text }) => !ATTACHED.test(textAt(text) ?? "")));
    if (prompt === this.#repeated) return;
    this.#prompt = prompt;
    this.#tell({ type: "turn.started" });
    const title = oneLine(prompt, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by: "person" });
  }

  #hearAgent(info: JsonObject, parts: readonly JsonObject[]): void {
    if (this.#ownCommands.has(info.parentID)) return;
    const model = oneLine(info.modelID);
    const isSummary = info.summary === true;
    if (model !== undefined && !isSummary) this.#tell({ type: "session.seen", agent: OPENCODE, model });
    const reply = lineId(info.id);
    const calls = parts.flatMap((part) => (part.type === "tool" ? (callOfPart(part, reply) ?? []) : []));
    const text = textOf(parts);
    if (!isSummary) this.#tellAll(saidFacts(text, calls.length === 0));
    for (const call of calls) this.#readCall(call);
    this.#at = momentAt(objectAt(info.time).completed) ?? this.#at;
    this.#use(info, isSummary);
    const isCompacted = isSummary && typeof info.finish === "string" && info.error === undefined;
    this.#repeated = isCompacted && this.#hasOverflowed ? this.#prompt : undefined;
    if (isCompacted) this.#tell({ type: "context.compacted" });
    else if (!isSummary || isObject(info.error)) this.#endTurn(info, parts);
  }

  #readCall({ startedAt, endedAt, started, ended, write }: PartCall): void {
    this.#at = startedAt ?? this.#at;
    this.#tellAll(started);
    this.#at = endedAt ?? this.#at;
    this.#tellAll(ended);
    if (!write) return;
    if ("own" in write) this.#tellAll(this.#lists.call(write.own));
    else this.#write(write.todos);
  }

  #write(todos: readonly NewTodo[]): void {
    this.#written = todos;
    this.#tellAll(this.#lists.write((before) => writeKeptList(before, todos)));
  }

  /** Only where it is another one than the calls have left; nobody has called anything for it. */
  #see(rows: readonly unknown[]): void {
    const read = readTodos(LIST_TOOL, { value: { todos: rows } });
    const todos = read.ok ? newTodosOf(read.value) : undefined;
    if (todos && JSON.stringify(todos) !== JSON.stringify(this.#written))
      this.#tellAll(this.#lists.write((before) => ({ ...writeKeptList(before, todos), isRead: true })));
  }

  /** The agent does not tell how much its model can hold. */
  #use({ tokens: told, cost }: JsonObject, isSummary: boolean): void {
    const used = tokensAt(objectAt(told));
    this.#tokens = sumTokens(this.#tokens, used);
    this.#dollars += countAt(cost);
    const context = isSummary ? undefined : { used: used.total, window: null };
    if (used.total > 0) this.#tell({ type: "tokens.used", tokens: this.#tokens, context });
    if (countAt(cost) > 0) this.#tell({ type: "money.spent", dollars: this.#dollars });
  }

  #endTurn({ error, finish }: JsonObject, parts: readonly JsonObject[]): void {
    if (isObject(error)) {
      const because = error.name === ABORTED ? "interrupted" : "failed";
      this.#tell({ type: "turn.ended", isAsking: false, because });
    } else if (parts.some(isDeclined)) {
      this.#tell({ type: "turn.ended", isAsking: false, because: "interrupted" });
    } else if (typeof finish === "string" && !GOES_ON.includes(finish) && !parts.some(isAnswered)) {
      const text = textOf(parts);
      const isAsking = isQuestion(text);
      this.#tell({ type: "turn.ended", isAsking, ...(isAsking && { text: lastLine(text) }) });
    }
  }

  #tell(fact: Fact): void {
    this.#told.push(observation({ ...fact }, this.#id, this.#at));
  }

  #tellAll(facts: readonly Fact[]): void {
    for (const fact of facts) this.#tell(fact);
  }
}

const ABORTED = "MessageAbortedError";
/** Replies behind which the model is asked again. */
const GOES_ON = ["tool-calls", "unknown"];
/** What stands above a command that a person runs (`!`). */
const OWN_COMMAND = "The following tool was executed by the user";
/** What a prompt has in place of a picture when it is repeated. */
const ATTACHED = /^\[Attached [^\]]+\]$/;
/** A person who says only no ends the turn. */
const DECLINED: readonly unknown[] = [
  "The user rejected permission to use this specific tool call.",
  "The user dismissed this question",
];

function isDeclined({ type, state }: JsonObject): boolean {
  return type === "tool" && objectAt(state).status === "error" && DECLINED.includes(objectAt(state).error);
}

/** The model is asked again with what its tools have answered, whatever it gave as its reason to end. */
function isAnswered({ type, metadata, state }: JsonObject): boolean {
  const isOfService = objectAt(metadata).providerExecuted === true;
  return type === "tool" && !isOfService && objectAt(objectAt(state).metadata).interrupted !== true;
}

function textOf(parts: readonly JsonObject[]): string {
  return parts
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n")
    .trim();
}

/** What came from a cache is not in the input. */
function tokensAt({ input: sent, output: got, reasoning: thought, cache, total: all }: JsonObject): Tokens {
  const [input, output, reasoning] = [countAt(sent), countAt(got), countAt(thought)];
  const { read, write } = objectAt(cache);
  const [cacheRead, cacheWrite] = [countAt(read), countAt(write)];
  const total = countAt(all) || input + output + reasoning + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, reasoning, total };
}
