import { idAt, isObject, type JsonObject, objectAt, oneLine, sessionAt, textAt, timeAt } from "../../core/json.js";
import { proposedPlanIn } from "../../core/plan/proposed-plan.js";
import type { Observation } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import type { Format, Reader } from "../reader.js";
import { Told } from "../reader.js";
import { callOf, callOfText, subjectOf, type ToldCall, toolOf } from "./call-records.js";
import { goalFiredIn, goalInOutput } from "./goal-answer.js";
import { answerOfItem, callOfItem, itemOfEvent, kindOf, ownWrite, textOfItem } from "./items.js";
import { answerOfOutput, outputText, parseShort } from "./outcome.js";
import { readPlan } from "./plan-calls.js";
import { planInScript } from "./script-calls.js";
import { agentNews, agentNewsIn, agentNotified } from "./sub-agents.js";
import { CODEX, CodexThread, type SavedThread } from "./thread.js";
import { TokenSum } from "./tokens.js";
import { PersonsWords, type SavedWords } from "./turn-words.js";

/** Files under `sessions`, of 0.110 (legacy) and of today (paginated). */
export const codexRollout: Format = {
  name: "codex",
  agent: CODEX,
  recognises: isLine,
  open: (file, { saved } = {}) => new RolloutReader(file, saved as SavedRollout | undefined),
};

interface SavedRollout {
  readonly id: string | null;
  readonly thread: SavedThread | null;
  readonly words: SavedWords;
  readonly sum: ReturnType<TokenSum["save"]>;
}

/** What the lines of one file are about. */
interface Rollout {
  readonly thread: CodexThread;
  readonly words: PersonsWords;
  readonly tokens: TokenSum;
}

type Readers = Readonly<Record<string, (rollout: Rollout, payload: JsonObject) => void>>;

const LINES: Readers = {
  response_item: readItem,
  event_msg: readEvent,
  turn_context: ({ thread }, context) => readContext(thread, context),
  compacted: ({ thread }) => thread.compact("line"),
  token_usage_record: ({ thread, tokens }, { usage }) => tokens.add(thread, usage),
};

const EVENTS: Readers = {
  task_started: startTurn,
  turn_started: startTurn,
  task_complete: endTurn,
  turn_complete: endTurn,
  turn_aborted: endTurn,
  user_message: ({ thread, words }, { message }) => words.hear(thread, textAt(message) ?? ""),
  agent_message: ({ thread }, { message }) => thread.hearAgent(textAt(message) ?? ""),
  item_completed: (rollout, { item, turn_id: turn }) => readTurnItem(rollout, objectAt(item), turn),
  token_count: ({ thread, tokens }, { info, rate_limits: limits }) => {
    tokens.replace(thread, objectAt(info));
    thread.noteLimits(limits);
  },
  context_compacted: ({ thread }) => thread.compact("event"),
  thread_rolled_back: ({ thread }, { num_turns: turns }) => thread.rollBack(turns),
  thread_name_updated: ({ thread }, { thread_name: name }) => thread.giveName(name),
};

const TURN_ITEMS: Readers = {
  usermessage: ({ thread, words }, item) => words.hear(thread, textOfItem(item) ?? ""),
  agentmessage: ({ thread }, item) => thread.hearAgent(textOfItem(item) ?? ""),
  contextcompaction: ({ thread }) => thread.compact("item"),
};

function readerIn(readers: Readers, name: unknown) {
  return typeof name === "string" && Object.hasOwn(readers, name) ? readers[name] : undefined;
}

/** Lines that have nothing for us, but show what file it is. */
const OTHER_LINES = ["session_meta", "world_state"];

function isLine({ type, payload, timestamp }: JsonObject): boolean {
  const isKnown = readerIn(LINES, type) !== undefined || OTHER_LINES.includes(textAt(type) ?? "");
  return isKnown && isObject(payload) && typeof timestamp === "string";
}

const FILE_NAME = /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[^.]*)?\.jsonl/;

class RolloutReader implements Reader {
  readonly #file: string;
  readonly #told = new Told();
  readonly #words: PersonsWords;
  readonly #tokens: TokenSum;
  #thread: CodexThread | undefined;

  constructor(file: string, saved: SavedRollout | undefined) {
    this.#file = file;
    this.#words = new PersonsWords(saved?.words);
    this.#tokens = new TokenSum(saved?.sum);
    if (saved?.thread && saved.id !== null) this.#thread = new CodexThread(saved.id, this.#told, saved.thread);
  }

  save(): SavedRollout {
    const [words, sum] = [this.#words.save(), this.#tokens.save()];
    return { id: this.#thread?.id ?? null, thread: this.#thread?.save() ?? null, words, sum };
  }

  read(record: JsonObject): readonly Observation[] {
    if (!isLine(record)) return [];
    const payload = objectAt(record.payload);
    this.#told.at = timeAt(record.timestamp);
    if (record.type === "session_meta") this.#readMeta(payload);
    else this.#readLine(record.type, payload);
    return this.#told.take();
  }

  #readLine(type: unknown, payload: JsonObject): void {
    const thread = this.#threadOfFile();
    if (thread) readerIn(LINES, type)?.({ thread, words: this.#words, tokens: this.#tokens }, payload);
  }

  /** The beginning of the file may be lost; its name says whose it is. */
  #threadOfFile(): CodexThread | undefined {
    if (this.#thread) return this.#thread;
    const [, id] = FILE_NAME.exec(this.#file) ?? [];
    if (id === undefined) return undefined;
    this.#thread = new CodexThread(id, this.#told);
    this.#thread.tell({ type: "session.seen", agent: CODEX });
    return this.#thread;
  }

  /** The first one counts: a fork goes on with a copy of its parent's file, whose own follows. */
  #readMeta(meta: JsonObject): void {
    const id = sessionAt(meta.id);
    if (id === undefined || (this.#thread && this.#thread.id !== id)) return;
    this.#thread ??= new CodexThread(id, this.#told);
    const spawn = objectAt(objectAt(objectAt(meta.source).subagent).thread_spawn);
    const parent = sessionAt(meta.parent_thread_id) ?? spawn.parent_thread_id;
    this.#thread.see({ parent, folder: meta.cwd, branch: objectAt(meta.git).branch, version: meta.cli_version });
  }
}

function readItem({ thread, words }: Rollout, item: JsonObject): void {
  const type = textAt(item.type) ?? "";
  const isAnswer = type === "message" && item.role === "assistant";
  if (type === "message" && item.role === "user") readUserMessage(thread, words, outputText(item.content));
  if (isAnswer || type.endsWith("_call")) words.believe(thread);
  if (isAnswer) readProposal(thread, outputText(item.content));
  if (type.endsWith("_call")) readCall(thread, type, item);
  if (type.endsWith("_output")) readOutput(thread, item);
}

/** What goes to the model in the person's name: their words, or the client's. */
function readUserMessage(thread: CodexThread, words: PersonsWords, text: string): void {
  words.perhapsHear(text);
  const goal = goalFiredIn(text);
  if (goal !== undefined) thread.tell({ type: "goal.fired", goal });
  thread.hearAgents(agentNotified(text));
}

function readTurnItem(rollout: Rollout, item: JsonObject, turn: unknown): void {
  const kind = kindOf(item);
  const read = readerIn(TURN_ITEMS, kind);
  if (read) read(rollout, item);
  else if (kind === "plan") rollout.thread.proposePlan(item.text, turn);
  else readCallItem(rollout.thread, item);
}

function readEvent(rollout: Rollout, event: JsonObject): void {
  const read = readerIn(EVENTS, event.type);
  if (read) read(rollout, event);
  else readCallItem(rollout.thread, itemOfEvent(event));
}

function startTurn({ thread }: Rollout, { collaboration_mode_kind: mode, turn_id: id }: JsonObject): void {
  thread.setMode(mode);
  thread.startTurn(id);
}

function readContext(thread: CodexThread, context: JsonObject): void {
  thread.setMode(objectAt(context.collaboration_mode).mode);
  const model = oneLine(context.model);
  if (model !== undefined) thread.tell({ type: "session.seen", agent: CODEX, model });
}

function endTurn({ thread, words }: Rollout, { type, error, last_agent_message: last }: JsonObject): void {
  words.believe(thread);
  const said = textAt(last);
  if (type === "turn_aborted") thread.endTurn({ because: "interrupted" });
  else if (isObject(error)) thread.failTurn(error.codex_error_info);
  else thread.endTurn({ isAsking: said === undefined ? undefined : isQuestion(said), said });
}

/** The client takes the plan out of the message and tells it as an item; older ones may leave only the message. */
function readProposal(thread: CodexThread, message: string): void {
  if (thread.isPlanMode && !thread.hasPlanOfTurn) thread.proposePlan(proposedPlanIn(message));
}

/** A call with a `call_id` is answered by another record; one that has only an `id` is told when it is over. */
function readCall(thread: CodexThread, type: string, item: JsonObject): void {
  const answered = idAt(item.call_id);
  const call = answered ?? idAt(item.id);
  if (call === undefined) return;
  thread.startCall(call, callOfRecord(type, item), "model");
  const write = answered === undefined ? undefined : writeOfCall(thread, type, item);
  if (write) thread.expectWrite(call, write);
  if (answered === undefined) thread.endCall(call, answerOfItem(item));
}

function callOfRecord(type: string, item: JsonObject): ToldCall {
  if (type === "custom_tool_call") return callOfText(toolOf(item.name).tool, textAt(item.input));
  if (type === "function_call") {
    const parsed = parseShort(item.arguments);
    const input = isObject(parsed) ? parsed : (textAt(item.arguments) ?? {});
    return callOf({ ...toolOf(item.name, item.namespace), subject: subjectOf(objectAt(input)) }, input);
  }
  const input = { ...objectAt(item.arguments), ...objectAt(item.action) };
  return callOf({ tool: toolOf(type.replace(/_call$/, "")).tool, subject: subjectOf(input) }, input);
}

function writeOfCall(thread: CodexThread, type: string, item: JsonObject) {
  const own = ownWrite(toolOf(item.name, item.namespace), parseShort(item.arguments));
  return own ?? readPlan(planOfCall(thread, type, item));
}

/** The list that a call wants to write. In code mode it is written out in a script, if at all. */
function planOfCall(thread: CodexThread, type: string, { name, namespace, arguments: input, input: text }: JsonObject) {
  const { tool, server } = toolOf(name, namespace);
  if (type === "function_call" && tool === "update_plan" && server === undefined) return parseShort(input);
  const isScript = type === "custom_tool_call" && tool === "exec" && !thread.isPlanMode;
  return isScript ? planInScript(textAt(text) ?? "") : undefined;
}

function readOutput(thread: CodexThread, { call_id: id, output }: JsonObject): void {
  const call = idAt(id);
  const tool = call === undefined ? undefined : thread.toolOf(call);
  if (call === undefined || tool === undefined) return;
  thread.endCall(call, answerOfOutput(tool, output));
  thread.endReply();
  thread.hearAgents(agentNewsIn(tool, output));
  const goal = goalInOutput(tool, output, thread.id);
  if (goal !== undefined) thread.tell({ type: "goal.changed", goal });
}

/** An item tells how a call ended; one that no model asked for by this id (a script did) is a call of its own. */
function readCallItem(thread: CodexThread, item: JsonObject | undefined): void {
  const call = idAt(item?.id);
  const told = item && callOfItem(item);
  if (!item || !told || call === undefined) return;
  thread.endCall(call, answerOfItem(item), told);
  thread.hearAgents(agentNews(item));
}
