import { idAt, isObject, type JsonObject, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { Told } from "../reader.js";
import { callOf } from "./call-records.js";
import { kindOf, textOfItem } from "./items.js";
import { readPlan } from "./plan-calls.js";
import { CODEX, type CodexThread, PATH_MAX } from "./thread.js";
import { CodexThreads, type SavedThreads } from "./threads.js";
import { contextAt } from "./tokens.js";

/** What the app-server writes; editors also log what its client wrote. */
export const codexAppServer: Format = {
  name: "codex-app-server",
  agent: CODEX,
  recognises: isNotification,
  open: (_, { saved } = {}) => new AppServerReader(saved as SavedAppServer | undefined),
  // Most lines of a log are pieces of text whose whole comes later.
  skipped: [
    '{"method":"item/agentMessage/delta"',
    '{"method":"item/reasoning/',
    '{"method":"item/commandExecution/outputDelta"',
    '{"method":"item/fileChange/outputDelta"',
    '{"method":"account/rateLimits/updated"',
    '{"method":"thread/readState/changed"',
  ],
};

function isNotification({ method, params, jsonrpc }: JsonObject): boolean {
  if (typeof method !== "string" || !/^(?:thread|turn|item)\//.test(method) || jsonrpc !== undefined) return false;
  return threadOf(objectAt(params)) !== undefined;
}

function threadOf({ threadId, thread }: JsonObject): string | undefined {
  return sessionAt(threadId) ?? sessionAt(objectAt(thread).id);
}

const NOTIFICATIONS: Readonly<Record<string, (thread: CodexThread, params: JsonObject) => void>> = {
  "thread/settings/updated": (thread, { threadSettings }) => readSettings(thread, objectAt(threadSettings)),
  "thread/name/updated": (thread, { threadName }) => thread.giveName(threadName),
  "thread/tokenUsage/updated": (thread, { tokenUsage }) => {
    const { total, last, modelContextWindow } = objectAt(tokenUsage);
    thread.useTokens(total, contextAt(last, modelContextWindow));
  },
  "thread/compacted": (thread) => thread.compact("event"),
  "turn/started": (thread, { turn }) => thread.startTurn(objectAt(turn).id),
  "turn/completed": (thread, { turn }) => endTurn(thread, objectAt(turn)),
  "turn/plan/updated": (thread, params) => writePlan(thread, params),
  "item/plan/delta": (thread, { delta, turnId }) => thread.draftPlan(delta, turnId),
};

/** A question to the person, until it is answered. */
interface Asked {
  readonly request: string;
  readonly thread: string;
  readonly call: string;
}

interface SavedAppServer {
  readonly threads: SavedThreads;
  readonly asked: readonly Asked[];
}

const MOST_ASKED = 50;

class AppServerReader implements Reader {
  readonly #told = new Told();
  readonly #threads: CodexThreads;
  #asked: readonly Asked[];

  constructor(saved: SavedAppServer | undefined) {
    this.#threads = new CodexThreads(this.#told, saved?.threads);
    this.#asked = saved?.asked ?? [];
  }

  save(): SavedAppServer {
    return { threads: this.#threads.save(), asked: this.#asked };
  }

  read(record: JsonObject): readonly Observation[] {
    const { method, id, emittedAtMs: at } = record;
    this.#told.at = typeof at === "number" && Number.isFinite(at) && at > 0 ? at : undefined;
    const params = objectAt(record.params);
    const thread = threadOf(params);
    if (typeof method !== "string") this.#readResponse(objectAt(record.result));
    else if (thread === undefined) return [];
    else if (id !== undefined) this.#readRequest(thread, record);
    else this.#readNotification(thread, method, params);
    return this.#told.take();
  }

  /** Of all answers only those to starting, resuming or forking a thread say what model it runs on. */
  #readResponse({ thread, model }: JsonObject): void {
    const seen = objectAt(thread);
    const id = sessionAt(seen.id);
    if (id !== undefined && textAt(model) !== undefined) this.#seeThread(id, { model, ...seen });
  }

  #readRequest(id: string, { method, id: request, params }: JsonObject): void {
    const { itemId, collaborationMode, questions } = objectAt(params);
    const call = idAt(itemId);
    if (method === "turn/start") this.#threads.of(id).setMode(objectAt(collaborationMode).mode);
    if (method !== "item/tool/requestUserInput" || call === undefined) return;
    this.#threads.of(id).startCall(call, callOf({ tool: "request_user_input" }, { questions }), "event");
    this.#asked = [...this.#asked, { request: requestName(request), thread: id, call }].slice(-MOST_ASKED);
  }

  #readNotification(id: string, method: string, params: JsonObject): void {
    if (method === "thread/started") this.#seeThread(id, objectAt(params.thread));
    else if (method === "serverRequest/resolved") this.#resolve(requestName(params.requestId));
    else if (method === "item/started" || method === "item/completed") {
      this.#readItem(this.#threads.of(id), params, method === "item/completed");
    } else if (Object.hasOwn(NOTIFICATIONS, method)) NOTIFICATIONS[method]?.(this.#threads.of(id), params);
  }

  #seeThread(id: string, { parentThreadId, cwd, gitInfo, cliVersion, model, name }: JsonObject): void {
    const thread = this.#threads.of(id);
    thread.see({ parent: parentThreadId, folder: cwd, branch: objectAt(gitInfo).branch, version: cliVersion, model });
    thread.giveName(name);
  }

  #resolve(request: string): void {
    const answered = this.#asked.find((one) => one.request === request);
    if (!answered) return;
    this.#asked = this.#asked.filter((one) => one !== answered);
    this.#threads.of(answered.thread).endCall(answered.call);
  }

  #readItem(thread: CodexThread, { item: value, turnId }: JsonObject, isOver: boolean): void {
    const item = objectAt(value);
    const kind = kindOf(item);
    if (this.#threads.readCall(thread, { call: idAt(item.id), item, isOver })) return;
    if (kind === "usermessage") thread.hearPerson(textOfItem(item) ?? "");
    else if (!isOver) return;
    else if (kind === "agentmessage") thread.hearAgent(textOfItem(item) ?? "");
    else if (kind === "plan") thread.proposePlan(item.text, turnId);
    else if (kind === "contextcompaction") thread.compact("item");
  }
}

/** Requests are numbered or named. */
function requestName(id: unknown): string {
  return typeof id === "number" ? String(id) : (oneLine(id) ?? "");
}

function readSettings(thread: CodexThread, { collaborationMode, model: name, cwd }: JsonObject): void {
  thread.setMode(objectAt(collaborationMode).mode);
  const model = oneLine(name);
  const folder = textAt(cwd)?.slice(0, PATH_MAX);
  if (model !== undefined || folder !== undefined) thread.tell({ type: "session.seen", agent: CODEX, model, folder });
}

function writePlan(thread: CodexThread, params: JsonObject): void {
  const write = readPlan(params);
  if (write) thread.write(write);
}

function endTurn(thread: CodexThread, { status, error }: JsonObject): void {
  if (status === "interrupted") thread.endTurn({ because: "interrupted" });
  else if (status === "failed" || isObject(error)) thread.failTurn(objectAt(error).codexErrorInfo);
  else thread.endTurn();
}
