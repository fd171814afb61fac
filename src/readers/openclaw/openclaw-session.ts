import { isObject, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt, timeAt } from "../../core/json.js";
import { isFinished } from "../../core/session/finished/finished-list.js";
import type { Fact, Observation } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { openclaw } from "../../dialects/openclaw/openclaw.js";
import { speak } from "../../dialects/speak.js";
import { answerText } from "../claude/tool-results.js";
import { lineId } from "../memory.js";
import { PiUsage } from "../oh-my-pi/pi-usage.js";
import { callOwnList, ownListInput } from "../own-list-calls.js";
import { observation } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { OpenclawCalls, type RealCall } from "./openclaw-calls.js";

export const OPENCLAW = "openclaw";

const TITLE_MAX = 120;

/** What is known of a session beside its events. */
export interface SessionRows {
  readonly parent?: unknown;
  readonly title?: unknown;
  /** The card as it is now: a person or another program may have changed it. */
  readonly card?: JsonObject | undefined;
  /** Nobody goes on with it. */
  readonly isOver?: boolean;
}

/** One session of OpenClaw, event by event: facts come out. */
export class OpenclawSession {
  readonly #id: string;
  readonly #calls = new OpenclawCalls();
  readonly #usage = new PiUsage();
  readonly #told: Observation[] = [];
  /** What the card holds, and the list of our own tool: each is written by calls of its own. */
  #card: TodoList = EMPTY_LIST;
  #own: TodoList = EMPTY_LIST;
  #model: string | undefined;
  #at: number | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  take(): readonly Observation[] {
    return this.#told;
  }

  introduce({ parent, title }: SessionRows): void {
    const known = sessionAt(parent);
    this.#tell({ type: "session.seen", agent: OPENCLAW, parent: known === this.#id ? undefined : known });
    this.#name(title, "agent");
  }

  close({ card, isOver }: SessionRows): void {
    if (card) this.#see(card);
    if (isOver) this.#tell({ type: "session.left" });
  }

  read(event: JsonObject): void {
    this.#at = timeAt(event.timestamp) ?? this.#at;
    switch (event.type) {
      case "session":
        this.#tell({ type: "session.seen", agent: OPENCLAW, folder: textAt(event.cwd) });
        break;
      case "model_change":
        this.#seeModel(event.modelId);
        break;
      case "compaction":
        this.#tell({ type: "context.compacted" });
        break;
      case "session_info":
        this.#name(event.name, "agent");
        break;
      case "message":
        this.#readMessage(objectAt(event.message), event);
    }
  }

  #readMessage(message: JsonObject, event: JsonObject): void {
    if (message.role === "user") this.#hearPerson(message);
    else if (message.role === "assistant") this.#hearModel(message, event);
    else if (message.role === "toolResult") this.#hearTool(message);
  }

  #hearPerson({ content }: JsonObject): void {
    this.#tell({ type: "turn.started" });
    this.#name(answerText(content), "person");
  }

  #hearModel(message: JsonObject, event: JsonObject): void {
    const { stopReason, content } = message;
    this.#seeModel(message.model);
    this.#tellAll(this.#usage.add(message.usage, true));
    // What a broken reply still wanted to call was never run.
    const because = stopReason === "error" ? "failed" : stopReason === "aborted" ? "interrupted" : undefined;
    if (because) this.#tell({ type: "turn.ended", isAsking: false, because });
    else this.#hearReply(content, lineId(event.id));
  }

  #hearReply(content: unknown, reply: string | undefined): void {
    const calls = listAt(content).filter(isCall);
    const text = answerText(content);
    this.#tellAll(saidFacts(text, calls.length === 0));
    for (const call of calls) this.#tellAll(this.#calls.start(call, reply));
    // Of a long reply that could not be unpacked nobody knows whether it ends the turn.
    if (calls.length === 0 && content !== undefined) this.#tell({ type: "turn.ended", isAsking: isQuestion(text) });
  }

  #hearTool(message: JsonObject): void {
    const answer = this.#calls.end(message, this.#at);
    if (!answer) return;
    this.#tellAll(answer.facts);
    if (!answer.isError) this.#writeLists(answer.call);
  }

  #writeLists({ tool, server, input }: RealCall): void {
    if (server === undefined) this.#writeCard(tool, input);
    const asked = server === undefined ? undefined : ownListInput(`mcp__${server}__${tool}`, input);
    if (!asked) return;
    const { list, finished, isRead } = callOwnList(this.#own, asked);
    if (!isRead) this.#tell({ type: "list.written" });
    if (finished) this.#tell({ type: "list.finished", list: finished });
    if (list === this.#own) return;
    this.#own = list;
    this.#tell({ type: "list.changed", list });
  }

  #writeCard(tool: string, input: JsonObject): void {
    const { list, isWrite } = speak(openclaw, this.#card, { tool, input: { value: input } });
    if (!isWrite) return;
    this.#tell({ type: "list.written" });
    this.#turn(list);
  }

  /** Only where it is another one than the calls have left. */
  #see({ markdown, steps_json: steps }: JsonObject): void {
    const input = { ...(typeof markdown === "string" && { markdown }), plan: listAt(steps) };
    const { list, isWrite } = speak(openclaw, this.#card, { tool: "progress_card", input: { value: input } });
    if (isWrite && JSON.stringify(openclaw.show(list)) !== JSON.stringify(openclaw.show(this.#card))) this.#turn(list);
  }

  #turn(list: TodoList): void {
    if (isFinished(list) && !isFinished(this.#card)) this.#tell({ type: "list.finished", list });
    this.#card = list;
    this.#tell({ type: "list.changed", list });
  }

  #seeModel(value: unknown): void {
    const model = textAt(value);
    if (model === undefined || model === this.#model) return;
    this.#model = model;
    this.#tell({ type: "session.seen", agent: OPENCLAW, model });
  }

  #name(value: unknown, by: "agent" | "person"): void {
    const title = oneLine(value, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by });
  }

  #tell(fact: Fact): void {
    this.#told.push(observation(fact, this.#id, this.#at));
  }

  #tellAll(facts: readonly Fact[]): void {
    for (const fact of facts) this.#tell(fact);
  }
}

function isCall(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "toolCall";
}
