import {
  countAt,
  idAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  oneLine,
  sessionAt,
  textAt,
  timeAt,
} from "../../core/json.js";
import { type Fact, NO_TOKENS, type Observation, sumTokens, type Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { newTodos } from "../../dialects/gemini/gemini-todos.js";
import { lineId } from "../memory.js";
import { type Format, type Reader, Told } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { type SavedLists, TwoLists } from "../two-lists.js";
import { writeList } from "../whole-list.js";
import { partsText, withoutHookContext } from "./gemini-answer.js";
import { type CallEnding, type ToldCall, toldCall } from "./gemini-calls.js";

const AGENT = "gemini";

/** The session files of Gemini CLI: messages, and changes of what it knows of the session. */
export const geminiSession: Format = {
  name: "gemini-session",
  agent: AGENT,
  recognises: ({ sessionId, projectHash, startTime }) =>
    sessionAt(sessionId) !== undefined && typeof projectHash === "string" && typeof startTime === "string",
  open: (_, { saved, folder = "" } = {}) => new GeminiReader(folder, saved as SavedReader | undefined),
  skipped: ['{"$set":{"lastUpdated":'],
};

/** A message is written again when its tools have answered. */
interface LastReply {
  readonly id: string;
  readonly tokens: Tokens;
  /** Calls that were told. */
  readonly calls: readonly string[];
  readonly hasText: boolean;
}

interface State {
  readonly session: string;
  readonly folder: string;
  readonly model: string;
  readonly tokens: Tokens;
  readonly reply: LastReply | null;
  /** The message that the last compaction left in place of those before it. */
  readonly summary: string;
  readonly isSubagent?: boolean;
  /** The prompt whose turn is open. */
  readonly prompt?: string | undefined;
  /** Messages that were written before come again, under other ids. */
  readonly isCopying?: boolean;
}

const NEW: State = { session: "", folder: "", model: "", summary: "", tokens: NO_TOKENS, reply: null };
interface SavedReader extends State {
  readonly lists?: SavedLists;
}

const NOTHING: readonly Observation[] = [];
const TITLE_MAX = 120;
const MOST_CALLS = 200;

class GeminiReader implements Reader {
  readonly #folder: string;
  readonly #told = new Told();
  readonly #lists: TwoLists;
  #state: State;

  constructor(folder: string, { lists, ...state }: SavedReader = NEW) {
    this.#folder = folder;
    this.#lists = new TwoLists(lists);
    this.#state = state;
  }

  save(): SavedReader {
    return { ...this.#state, lists: this.#lists.save() };
  }

  read(record: JsonObject): readonly Observation[] {
    if (typeof record.sessionId === "string") this.#readHeader(record);
    else if (this.#state.session === "") return NOTHING;
    else if (isObject(record.$set)) this.#readChange(record.$set);
    else this.#readMessage(record);
    return this.#told.take();
  }

  /** Each run that goes on with the session begins with one, in the same file. */
  #readHeader({ sessionId, kind, startTime, directories }: JsonObject): void {
    const session = sessionAt(sessionId);
    if (session === undefined || this.#state.session !== "") return;
    this.#told.at = timeAt(startTime);
    this.#set({ session, isSubagent: kind === "subagent" });
    // A file that was moved away from its session's folder says no longer whose it is.
    const parent = kind === "subagent" && UUID.test(this.#folder) ? this.#folder : undefined;
    this.#tell({ type: "session.seen", agent: AGENT, parent });
    this.#seeFolder(listAt(directories)[0]);
  }

  #readChange({ messages, summary, lastUpdated, directories }: JsonObject): void {
    this.#told.at = timeAt(lastUpdated);
    this.#seeFolder(listAt(directories)[0]);
    // A sub-agent's is its answer.
    const title = this.#state.isSubagent ? undefined : oneLine(summary, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by: "agent" });
    if (Array.isArray(messages)) this.#readHistory(messages.map(objectAt));
  }

  /** All messages that the model is sent from now on. */
  #readHistory(messages: readonly JsonObject[]): void {
    this.#seeFolder(folderIn(partsText(messages[0]?.content)));
    const { prompt, isCopying = false } = this.#state;
    const isCompacted = this.#findSummary(messages.slice(0, MOST_BEFORE_SUMMARY), isCopying);
    const isLost = prompt !== undefined && !messages.some(({ id }) => lineId(id) === prompt);
    // Who stops a turn, and what breaks it, takes the prompt back.
    if (isLost && !isCompacted && !isCopying) this.#endTurn({ isAsking: false, because: "interrupted" });
    this.#set({ prompt: isLost ? undefined : prompt, isCopying: false });
  }

  /** All messages are written anew also when a session is resumed: what an earlier compaction left has its id. */
  #findSummary(messages: readonly JsonObject[], isKnown: boolean): boolean {
    const at = messages.findIndex(({ type, content }) => type === "gemini" && partsText(content) === TAKEN);
    const summary = lineId(messages[at - 1]?.id);
    if (summary === undefined || summary === this.#state.summary) return false;
    this.#set({ summary });
    if (!isKnown) this.#tell({ type: "context.compacted" });
    return true;
  }

  #readMessage(record: JsonObject): void {
    this.#told.at = timeAt(record.timestamp);
    if (record.type === "user" && beginsHistory(record)) this.#set({ isCopying: true });
    if (this.#state.isCopying) return;
    if (record.type === "user") this.#readPrompt(record);
    else if (record.type === "gemini") this.#readReply(record);
    else if (record.type === "error" && REFUSED.test(partsText(record.content)))
      this.#endTurn({ isAsking: false, because: "failed" });
  }

  #readPrompt({ id, content, displayContent }: JsonObject): void {
    const list = isObject(content) ? [content] : listAt(content).map(objectAt);
    const parts = typeof content === "string" ? [{ text: content }] : list;
    if (parts.some(({ functionResponse }) => functionResponse !== undefined)) return;
    const said = parts.map((part) => withoutHookContext(partsText(part)));
    const text = said.filter((one) => !UNTYPED.test(one)).join("");
    if (text.trim() === "" || COMMAND.test(text)) return;
    this.#set({ prompt: lineId(id) });
    this.#tell({ type: "turn.started" });
    const title = oneLine(partsText(displayContent) || text, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by: "person" });
  }

  #readReply({ id, content, tokens, toolCalls, model }: JsonObject): void {
    const reply = this.#replyOf(lineId(id) ?? "");
    this.#seeModel(textAt(model));
    this.#useTokens(reply, tokens);
    const text = partsText(content);
    const calls = listAt(toolCalls);
    // A text comes before the calls of its message; whether there will be any is known when they are over.
    if (!reply.hasText && (text.trim() !== "" || isNothing(content))) {
      for (const fact of saidFacts(text, calls.length === 0)) this.#tell(fact);
      if (calls.length === 0) this.#endTurn({ isAsking: isQuestion(text) });
    }
    this.#set({ reply: { ...(this.#state.reply ?? reply), hasText: reply.hasText || text.trim() !== "" } });
    const ends = calls.map((entry) => this.#readCall(entry, reply.id));
    // Who stops a call stops the turn.
    if (ends.some((end) => end?.status === "cancelled")) this.#endTurn({ isAsking: false, because: "interrupted" });
    else if (ends.some((end) => end?.isLast)) this.#endTurn({ isAsking: false });
  }

  #endTurn(end: Omit<Extract<Fact, { type: "turn.ended" }>, "type">): void {
    this.#set({ prompt: undefined });
    this.#tell({ type: "turn.ended", ...end });
  }

  #replyOf(id: string): LastReply {
    const { reply } = this.#state;
    return reply && id !== "" && reply.id === id ? reply : { id, tokens: NO_TOKENS, calls: [], hasText: false };
  }

  /** How it ended, where that was not told before. */
  #readCall(entry: unknown, reply: string): CallEnding | undefined {
    const told = toldCall(entry, reply === "" ? undefined : reply);
    const last = this.#state.reply;
    const id = idAt(objectAt(entry).id);
    if (!told || !last || id === undefined || last.calls.includes(id)) return undefined;
    this.#set({ reply: { ...last, calls: [...last.calls, id].slice(-MOST_CALLS) } });
    this.#tell(told.started);
    this.#told.at = told.endedAt ?? this.#told.at;
    this.#tell(told.ended);
    for (const fact of told.facts) this.#tell(fact);
    if (told.write) this.#write(told.write);
    return told.ending;
  }

  #write(write: NonNullable<ToldCall["write"]>): void {
    const facts =
      "own" in write
        ? this.#lists.call(write.own)
        : this.#lists.write((before) => writeList(before, newTodos(write.todos, before)));
    for (const fact of facts) this.#tell(fact);
  }

  #useTokens(reply: LastReply, usage: unknown): void {
    const used = isObject(usage) ? tokensAt(usage) : reply.tokens;
    this.#set({ reply: { ...reply, tokens: used } });
    // What was told of the same reply before is in the sum.
    const tokens = sumTokens(this.#state.tokens, sumTokens(used, reply.tokens, -1));
    if (tokens.total === this.#state.tokens.total) return;
    this.#set({ tokens });
    this.#tell({ type: "tokens.used", tokens, context: { used: used.total, window: null } });
  }

  #seeModel(model = this.#state.model): void {
    if (model === this.#state.model) return;
    this.#set({ model });
    this.#tell({ type: "session.seen", agent: AGENT, model });
  }

  #seeFolder(value: unknown): void {
    const folder = textAt(value)?.slice(0, FOLDER_MAX);
    if (folder === undefined || this.#state.folder !== "") return;
    this.#set({ folder });
    this.#tell({ type: "session.seen", agent: AGENT, folder });
  }

  #tell(fact: Fact): void {
    this.#told.tell(this.#state.session, fact);
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FOLDER_MAX = 4096;
/** With which the model is made to take the summary that stands before it. */
const TAKEN = "Got it. Thanks for the additional context!";
/** What the client tells of the machine, the summary, and its answer. */
const MOST_BEFORE_SUMMARY = 4;
/** What the client tells its model of the machine: the first message, which has no line of its own. */
const MACHINE = /^\s*<session_context>/;
/** What the client says as the user: of the machine, of files and commands of a person, to a model that is stuck. */
const UNTYPED = new RegExp(
  [
    MACHINE.source,
    "^\\s*<loaded_context>",
    "^I ran the following shell command:\\n```sh\\n",
    "^Here is (?:the user's editor context|a summary of changes in the user's editor context)",
    "^- \\*\\*Workspace Directories:\\*\\*\\n",
    "^User has manually exited Plan Mode\\.",
    "^System: Potential loop detected\\.",
    "^\\[System: You ",
    "^You have [\\w ]{1,60}\\. You have one final chance to complete the task with a short grace period\\.",
  ].join("|"),
);
/** They are done by the client alone: `/chat save x`, and `?` for help. A path is none. */
const COMMAND = /^\s*(?:\/[a-z][\w:-]*(?:\s|$)|\?\s*$)/i;

/** How the client tells a person that its model's service gave no answer: nothing goes on then by itself. */
const REFUSED = /^\[API Error: /;

/** With what the client has said first, a line of its own begins the whole history once more. */
function beginsHistory({ content }: JsonObject): boolean {
  return MACHINE.test(partsText(content));
}

/** An answer without a word is a list without a text; one that has calls or thoughts alone is an empty text. */
function isNothing(content: unknown): boolean {
  const parts = listAt(content).map(objectAt);
  return Array.isArray(content) && parts.every(({ text, thought }) => text === "" && thought !== true);
}

/** The client tells its model where it works; no field of the file does. */
function folderIn(context: string): string | undefined {
  return /^- \*\*Workspace Directories:\*\*\n {2}- (.{1,4096})$/m.exec(context)?.[1];
}

function tokensAt({ input, output, cached, thoughts, total }: JsonObject): Tokens {
  const [sent, answered, reasoning] = [countAt(input), countAt(output), countAt(thoughts)];
  return {
    ...{ input: sent, output: answered, cacheRead: countAt(cached), cacheWrite: 0, reasoning },
    total: countAt(total) || sent + answered + reasoning,
  };
}
