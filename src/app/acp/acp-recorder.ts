import { isOurServer } from "../../core/call/call-event.js";
import type { JsonObject } from "../../core/json.js";
import type { Session } from "../../core/session/session.js";
import type { TodoList } from "../../core/todo/list.js";
import { wholePlan } from "../../dialects/acp/acp-plan.js";
import type { AcpFact } from "../../readers/acp/acp-fact.js";
import { addBounded } from "../../readers/memory.js";
import { sessionStream } from "../../store/stream.js";
import { StoreTrouble } from "../../store/trouble.js";
import { KNOWN_AGENTS } from "../agent-aliases.js";
import type { HookFact } from "../hooks/hook-facts.js";
import { isProcessThere } from "../session/process-life.js";
import { SESSIONS } from "../session/session-view.js";
import { hasHooks } from "../transcripts/stored-session.js";
import { type AcpSource, type CallFact, callsFactOf, hookFactOf, isCallFact } from "./acp-hook-facts.js";
import { FactQueue, type Waiting } from "./fact-queue.js";
import { type FactPlace, FactWriter, PATIENCE } from "./fact-writer.js";
import { ServerCalls } from "./server-calls.js";

/** What the recorder needs of the process that it runs in. */
export interface AcpRecording extends FactPlace {
  /** The list as the agent's own transcript tells it; undefined where there is none. */
  readonly witness: { listOf(session: string): Promise<TodoList | undefined> };
  /** The agent's process, as `processName` writes it. */
  readonly process: string;
  /** Who the agent is, as far as it is known by now. */
  readonly agent: () => string;
  /** Tells this recorder from all others, also from an earlier one of the same session. */
  readonly mark: string;
}

/** Whoever makes up sessions must not fill the memory. */
const MOST_SESSIONS = 1000;
/** Milliseconds. A client's hooks, where it has some, have spoken by then; they know more than we do. */
const HOOK_GRACE = 700;
const CALL_GRACE = 5000;
/** Messages come in bursts: what is told together is written together. */
const BURST = 100;
const MOST_TOGETHER = 200;
/** An agent writes its transcript a moment after it has told its editor. */
const TRANSCRIPT_GRACE = 300;

const HAVE_HOOKS = ["claude-code", "codex"];

/** Sessions whose plan was told and not yet found in their transcript. */
interface PlanTold {
  readonly plan: JsonObject;
  readonly at: number;
}

/**
 * Records what passes between editor and agent, in order, each fact once. Where the client's own hooks report the
 * session, they are believed: then only calls that they have missed are recorded. Nothing here is waited for by the
 * agent or the editor.
 */
export class AcpRecorder {
  readonly #recording: AcpRecording;
  readonly #waiting = new FactQueue();
  readonly #writer: FactWriter;
  #working: Promise<void> | undefined;
  #isClosing = false;
  #dropped = 0;
  #count = 0;
  readonly #folders = new Map<string, string>();
  /** Sessions by whether hooks report them, when that was last seen. */
  readonly #hooked = new Map<string, boolean>();
  /** Sessions of which it is known whether hooks report them. */
  readonly #settled = new Map<string, true>();
  readonly #plans = new Map<string, PlanTold>();
  /** Sessions that the editor has opened and not closed. */
  readonly #opened = new Map<string, true>();
  /** Calls that hooks may still tell of. */
  readonly #late = new Map<NodeJS.Timeout, Waiting>();
  readonly #serverCalls: ServerCalls;

  constructor(recording: AcpRecording) {
    this.#recording = recording;
    this.#writer = new FactWriter(recording);
    this.#serverCalls = new ServerCalls(recording.store);
  }

  hear(facts: readonly AcpFact[], at: number): void {
    for (const fact of facts) {
      this.#waiting.push({ fact, at });
      if (fact.type === "opened") addBounded(this.#opened, fact.session, true, MOST_SESSIONS);
      else if (fact.type === "closed") this.#opened.delete(fact.session);
    }
    this.#work();
  }

  /** Resolves when everything that was heard is recorded, or waits in a file. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#writer.hurry();
    for (const [timer, waiting] of this.#late) {
      clearTimeout(timer);
      this.#waiting.push(waiting);
    }
    this.#late.clear();
    this.#work();
    await this.#working;
    for (const session of [...this.#plans.keys()]) await this.#settlePlan(session).catch(() => undefined);
    // Whoever closes an agent's input closes its sessions.
    const closed = [...this.#opened.keys()].map((session) => ({ session, type: "closed" }) as const);
    this.hear(closed, Date.now());
    await this.#working;
    await this.#writer.finish();
    this.#tellDropped();
  }

  #tellDropped(): void {
    const { dropped } = this.#waiting;
    if (dropped > this.#dropped) this.#recording.log(`${dropped - this.#dropped} facts were dropped: too many at once`);
    this.#dropped = dropped;
  }

  #work(): void {
    this.#working ??= this.#drain().finally(() => {
      this.#working = undefined;
      if (this.#waiting.length > 0) this.#work();
    });
  }

  async #drain(): Promise<void> {
    // A server of the agent may ask for a session as soon as it is opened.
    if (!this.#isClosing && !this.#waiting.has("opened")) await this.#recording.sleep(BURST);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#take(next);
      } catch (error) {
        this.#recording.log(`A fact was lost: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.#tellDropped();
  }

  async #take(waiting: Waiting): Promise<void> {
    const { fact, at } = waiting;
    const { session } = fact;
    if (fact.type === "opened" && fact.folder !== undefined)
      addBounded(this.#folders, session, fact.folder, MOST_SESSIONS);
    const known = await this.#known(session, fact.type);
    if (fact.type === "opened") return this.#open(waiting, known);
    if (known) addBounded(this.#hooked, session, hasHooks({ session: known }), MOST_SESSIONS);
    if (this.#hooked.get(session)) return this.#takeHooked(waiting);
    if (isCallFact(fact)) return this.#recordCalls([fact, ...this.#waiting.callsOf(session, MOST_TOGETHER)], at);
    if (fact.type === "plan.told") return this.#takePlan(session, { plan: fact.plan, at });
    await this.#record(session, at, (source) => hookFactOf(fact, source));
    if (fact.type === "turn.ended") await this.#settlePlan(session);
  }

  async #recordCalls(calls: readonly CallFact[], at: number): Promise<void> {
    const session = calls[0]?.session ?? "";
    const news: CallFact[] = [];
    for (const call of calls) if (!(await this.#isServers(call))) news.push(call);
    if (news.length > 0) await this.#record(session, at, (source) => callsFactOf(session, news, source));
  }

  /** Our own server tells of its calls itself. One that never came to it is known by its end alone. */
  async #isServers(call: CallFact): Promise<boolean> {
    if (!isOurServer(call.server)) return false;
    if (call.type === "call.started") return true;
    if (this.#writer.isHeldUp) return false;
    const { session, tool, status } = call;
    return this.#serverCalls.take(session, tool, status !== "completed").catch(ignoreTrouble);
  }

  /** The session as the store has it; undefined where the store cannot be asked. */
  async #known(session: string, type: AcpFact["type"]): Promise<Session | undefined> {
    const isFirstTurn = type === "turn.started" && !this.#settled.has(session);
    if (isFirstTurn && HAVE_HOOKS.includes(this.#recording.agent())) await this.#recording.sleep(HOOK_GRACE);
    if (type === "turn.started") addBounded(this.#settled, session, true, MOST_SESSIONS);
    if (this.#writer.isHeldUp) return undefined;
    try {
      return await (await this.#recording.store()).within(PATIENCE).view(SESSIONS, sessionStream(session));
    } catch (error) {
      if (error instanceof StoreTrouble) return undefined;
      throw error;
    }
  }

  /** A session whose hooks have told of its start, and whose process lives, has started. */
  async #open(waiting: Waiting, known: Session | undefined): Promise<void> {
    if (!this.#writer.isHeldUp) await this.#serverCalls.begin(waiting.fact.session).catch(ignoreTrouble);
    const isStarted = known && hasHooks({ session: known }) && known.state !== "ended";
    if (isStarted && isProcessThere(known.process) !== false) return;
    const { fact, at } = waiting;
    if (!isCallFact(fact)) await this.#record(fact.session, at, (source) => hookFactOf(fact, source));
  }

  async #takeHooked(waiting: Waiting): Promise<void> {
    const { fact, at } = waiting;
    if (fact.type !== "call.ended") return;
    if (this.#isClosing) return this.#recordCalls([fact], at);
    const timer = setTimeout(() => {
      this.#late.delete(timer);
      this.#waiting.push(waiting);
      this.#work();
    }, CALL_GRACE);
    timer.unref();
    this.#late.set(timer, waiting);
  }

  /** What the agent's own transcript tells of its list is told in full, and not told where the write was refused. */
  async #takePlan(session: string, told: PlanTold): Promise<void> {
    if (!KNOWN_AGENTS.includes(this.#recording.agent())) return this.#recordPlan(session, told.plan, told.at);
    await this.#recording.sleep(TRANSCRIPT_GRACE);
    const list = await this.#recording.witness.listOf(session).catch(() => undefined);
    if (list === undefined) return this.#recordPlan(session, told.plan, told.at);
    addBounded(this.#plans, session, told, MOST_SESSIONS);
    await this.#settlePlan(session, list);
  }

  /** The list as its transcript has it by now. Asked again at the end of the turn: the transcript may be late. */
  async #settlePlan(session: string, known?: TodoList): Promise<void> {
    const told = this.#plans.get(session);
    if (!told) return;
    if (known === undefined) {
      this.#plans.delete(session);
      await this.#recording.sleep(TRANSCRIPT_GRACE);
    }
    const list = known ?? (await this.#recording.witness.listOf(session).catch(() => undefined));
    if (list && list.revision > 0) await this.#recordPlan(session, wholePlan(list), told.at);
  }

  #recordPlan(session: string, plan: JsonObject, at: number): Promise<void> {
    return this.#record(session, at, (source) => hookFactOf({ type: "plan.told", session, plan }, source));
  }

  #record(session: string, at: number, made: (source: AcpSource) => HookFact): Promise<void> {
    const { process, agent } = this.#recording;
    const folder = this.#folders.get(session);
    this.#count += 1;
    const mark = `acp/${this.#recording.mark}/${this.#count}`;
    return this.#writer.write({ fact: made({ client: agent(), process, folder, mark }), at, folder, mark });
  }
}

/** A store that cannot be asked now: what is to be recorded waits in a file. */
function ignoreTrouble(error: unknown): false {
  if (error instanceof StoreTrouble) return false;
  throw error;
}
