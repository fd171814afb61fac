import { isObject, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt, timeAt } from "../../core/json.js";
import { isFinished } from "../../core/session/finished/finished-list.js";
import type { Fact, Observation } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import type { Cut } from "../../core/session/state/reason.js";
import type { TodoList } from "../../core/todo/list.js";
import { openclaw } from "../../dialects/openclaw/openclaw.js";
import { speak } from "../../dialects/speak.js";
import { answerText } from "../claude/tool-results.js";
import { lineId } from "../memory.js";
import { PiUsage } from "../oh-my-pi/pi-usage.js";
import { ownListInput } from "../own-list-calls.js";
import { observation } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { TwoLists } from "../two-lists.js";
import type { WrittenList } from "../whole-list.js";
import { OpenclawCalls, type RealCall } from "./openclaw-calls.js";

export const OPENCLAW = "openclaw";

const TITLE_MAX = 120;
const STOPPED = "openclaw:turn-aborted";
const SYSTEM: readonly unknown[] = ["inter_session", "internal_system"];
const RUN_ENDS: Readonly<Record<string, Cut>> = { killed: "interrupted", failed: "failed", timeout: "failed" };

/** What is known of a session beside its events. */
export interface SessionRows {
  readonly parent?: unknown;
  readonly title?: unknown;
  /** The card as it is now: a person or another program may have changed it. */
  readonly card?: JsonObject | undefined;
  /** Nobody goes on with it. */
  readonly isOver?: boolean;
  /** Its last run, as a gateway tells of it: when it ended, in milliseconds, and how. */
  readonly lastRun?: { readonly endedAt: unknown; readonly status: unknown } | undefined;
}

/** One session of OpenClaw, event by event: facts come out. */
export class OpenclawSession {
  readonly #id: string;
  readonly #calls = new OpenclawCalls();
  readonly #usage = new PiUsage();
  readonly #told: Observation[] = [];
  /** Its own list is the card. */
  readonly #lists = new TwoLists();
  #model: string | undefined;
  #at: number | undefined;
  #isInTurn = false;

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

  close({ card, isOver, lastRun }: SessionRows): void {
    // A stop in the middle of a call leaves no event.
    if (this.#isInTurn && typeof lastRun?.endedAt === "number" && lastRun.endedAt >= (this.#at ?? 0))
      this.#endTurn(RUN_ENDS[String(lastRun.status)]);
    if (card) this.#tellAll(this.#lists.write((before) => seenCard(before, card)));
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
      case "reset":
        this.#beginAnew(event);
        break;
      case "custom_message":
        this.#hearNote(event);
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
    else if (message.role === "custom") this.#hearNote(message);
  }

  /** By `/new` and `/reset` the model forgets all of it. A reset by the clock keeps the end, and the card. */
  #beginAnew({ reason, firstKeptEntryId: kept }: JsonObject): void {
    if (kept === undefined && (reason === "new" || reason === "reset")) this.#tellAll(this.#lists.clear());
  }

  /** A person's stop in the middle of a call: no reply of the model says it. */
  #hearNote({ customType }: JsonObject): void {
    if (customType === STOPPED) this.#endTurn("interrupted");
  }

  #hearPerson({ content, provenance }: JsonObject): void {
    this.#isInTurn = true;
    // A command in the background that has ended, a sub-agent's answer: they wake the agent, and nobody asked anything.
    if (SYSTEM.includes(objectAt(provenance).kind)) return;
    this.#tell({ type: "turn.started" });
    this.#name(taskIn(answerText(content)), "person");
  }

  #hearModel(message: JsonObject, event: JsonObject): void {
    const { stopReason, content } = message;
    this.#seeModel(message.model);
    this.#isInTurn = true;
    this.#tellAll(this.#usage.add(message.usage, true));
    // What a broken reply still wanted to call was never run.
    const because = stopReason === "error" ? "failed" : stopReason === "aborted" ? "interrupted" : undefined;
    if (because) this.#endTurn(because);
    else this.#hearReply(content, lineId(event.id));
  }

  #hearReply(content: unknown, reply: string | undefined): void {
    const calls = listAt(content).filter(isCall);
    const text = answerText(content);
    this.#tellAll(saidFacts(text, calls.length === 0));
    for (const call of calls) this.#tellAll(this.#calls.start(call, reply));
    // Of a long reply that could not be unpacked nobody knows whether it ends the turn.
    if (calls.length === 0 && content !== undefined) this.#endTurn(undefined, isQuestion(text));
  }

  #endTurn(because: Cut | undefined, isAsking = false): void {
    this.#isInTurn = false;
    this.#tell({ type: "turn.ended", isAsking, ...(because && { because }) });
  }

  #hearTool(message: JsonObject): void {
    const answer = this.#calls.end(message, this.#at);
    if (!answer) return;
    this.#tellAll(answer.facts);
    if (answer.call) this.#writeLists(answer.call);
  }

  #writeLists({ tool, server, input }: RealCall): void {
    const asked = server === undefined ? undefined : ownListInput(`mcp__${server}__${tool}`, input);
    if (asked) this.#tellAll(this.#lists.call(asked));
    if (server === undefined) this.#tellAll(this.#lists.write((before) => writtenCard(before, tool, input)));
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

const TASK = /^\[Subagent Context\].*?\n\n\[Subagent Task\]\n\n(.*?)(?:\n\nBegin\. [^\n]*)?$/s;

/** What a sub-agent is asked, without the words around it that each has. */
function taskIn(text: string): string {
  return TASK.exec(text)?.[1] ?? text;
}

function isCall(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "toolCall";
}

function writtenCard(before: TodoList, tool: string, input: JsonObject): WrittenList | undefined {
  const { list, isWrite } = speak(openclaw, before, { tool, input: { value: input } });
  if (!isWrite) return undefined;
  return isFinished(list) && !isFinished(before) ? { list, finished: list } : { list };
}

/** Only where it is another one than the calls have left; nobody has called anything for it. */
function seenCard(before: TodoList, { markdown, steps_json: steps }: JsonObject): WrittenList | undefined {
  const input = { ...(typeof markdown === "string" && { markdown }), plan: listAt(steps) };
  const written = writtenCard(before, "progress_card", input);
  const isSame = written && JSON.stringify(openclaw.show(written.list)) === JSON.stringify(openclaw.show(before));
  return written && !isSame ? { ...written, isRead: true } : undefined;
}
