import { countAt, idAt, type JsonObject, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import { draftToShow, growDraft, seenPlanText } from "../../core/plan/seen-plan-text.js";
import type { Fact, SeenContext, SeenPlan } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { askedText, firstLine, lastLine } from "../../core/session/state/asked-text.js";
import type { Cut } from "../../core/session/state/reason.js";
import type { TodoList } from "../../core/todo/list.js";
import { type HeldCall, pullRequestAfter } from "../held-call.js";
import { callOwnList } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import type { Told } from "../reader.js";
import { checkWaived, wordsSaid } from "../said-words.js";
import { writeList } from "../whole-list.js";
import { CallBook, type SavedCalls, type ToldCall } from "./call-records.js";
import type { CallItem } from "./items.js";
import { isSamePlan, momentAfter, momentBefore } from "./moments.js";
import { bareOutput, type CallAnswer, COMPLETED } from "./outcome.js";
import type { ListWrite } from "./plan-calls.js";
import { type AgentNews, agentsAfter } from "./sub-agents.js";
import { type CompactionSign, NEW_THREAD, NEW_TURN, type ThreadState, type Turn } from "./thread-state.js";
import { tokensAt } from "./tokens.js";
import { APPROVAL, isInjected, requestIn } from "./turn-words.js";

export const CODEX = "codex";

interface TurnEnd {
  /** Somebody stopped it, or the model's service did. */
  readonly because?: Cut;
  /** Default: what the agent said last. */
  readonly isAsking?: boolean | undefined;
  readonly said?: string | undefined;
}

export type SavedThread = ThreadState & { readonly calls: SavedCalls };

export const PATH_MAX = 4096;
const TITLE_MAX = 120;
const MOST_WRITES = 8;

/** One thread of Codex, in whichever format it was written down: records in, facts out. */
export class CodexThread {
  readonly id: string;
  readonly #told: Told;
  readonly #calls: CallBook;
  #state: ThreadState;

  constructor(id: string, told: Told, saved?: SavedThread) {
    const { calls, ...state } = saved ?? { ...NEW_THREAD, calls: [] };
    this.id = id;
    this.#told = told;
    this.#calls = new CallBook(calls);
    this.#state = state;
  }

  save(): SavedThread {
    return { ...this.#state, calls: this.#calls.save() };
  }

  get isPlanMode(): boolean {
    return this.#state.mode === "plan";
  }

  get hasPlanOfTurn(): boolean {
    return this.#state.turn.hasPlan;
  }

  tell(fact: Fact): void {
    this.#told.tell(this.id, fact);
  }

  #tellAll(facts: readonly Fact[]): void {
    for (const fact of facts) this.tell(fact);
  }

  /** Who it is. */
  see({ parent: above, folder, branch, version, model }: JsonObject): void {
    const parent = sessionAt(above);
    this.tell({
      type: "session.seen",
      agent: CODEX,
      parent: parent === this.id ? undefined : parent,
      folder: textAt(folder)?.slice(0, PATH_MAX),
      branch: oneLine(branch),
      version: oneLine(version),
      model: oneLine(model),
    });
  }

  setMode(mode: unknown): void {
    const name = oneLine(mode, 40);
    if (name !== undefined) this.#set({ mode: name });
  }

  startTurn(id?: unknown): void {
    // What was said between two turns began the second one.
    const turn = this.#state.isRunning ? NEW_TURN : this.#state.turn;
    this.#set({ isRunning: true, turn: { ...turn, id: idAt(id) }, turns: this.#state.turns + 1, signs: [] });
    this.endReply();
    this.#calls.close();
    this.tell({ type: "turn.started" });
  }

  endTurn({ because, isAsking, said }: TurnEnd = {}): void {
    const { turn, wasAsking, resetsAt, plan } = this.#state;
    const isUndone = turn.isCompacted && !turn.isSaid && !turn.isWorked;
    const proposed = because === undefined && turn.hasPlan ? plan : null;
    const asks = isUndone ? wasAsking : because === undefined && (proposed !== null || (isAsking ?? turn.isAsking));
    const cut = this.#calls.close();
    if (because === "interrupted") this.#tellAll(cut);
    this.#set({ isRunning: false, turn: NEW_TURN, wasAsking: asks });
    // A plan that was not finished has not been proposed.
    this.#plan(plan);
    if (isUndone) this.tell({ type: "turn.undone" });
    const last = wordsSaid(said ?? "");
    if (last) this.tell(last);
    else if (turn.words !== undefined) this.tell({ type: "words.said", words: turn.words });
    const words = said === undefined ? turn.question : lastLine(said);
    const text = proposed ? askedText(firstLine(proposed.text)) : words;
    const ask = { isAsking: asks, ...(proposed && { about: "plan" as const }), ...(asks && text && { text }) };
    const reset = because === "usage-limit" && resetsAt ? { resetsAt: resetsAt * 1000 } : undefined;
    this.tell({ type: "turn.ended", ...ask, ...(because && { because }), ...reset });
  }

  /** The model's service refused it, or could not be reached. */
  failTurn(why?: unknown): void {
    const isLimit = /^usage_?limit_?exceeded$/i.test(textAt(why) ?? "");
    this.endTurn({ because: isLimit ? "usage-limit" : "failed" });
  }

  /** Of the limits that are used up, the one that ends last. */
  noteLimits(limits: unknown): void {
    const { primary, secondary } = objectAt(limits);
    const full = [primary, secondary].map(objectAt).filter((one) => countAt(one.used_percent) >= 100);
    this.#set({ resetsAt: Math.max(0, ...full.map((one) => Math.floor(countAt(one.resets_at)))) });
  }

  /** A person's words; empty for a picture. */
  hearPerson(words: string): void {
    if (isInjected(words)) return;
    const { turn, list, plan, moments, isTitled, mode } = this.#state;
    if (!turn.isSaid) this.#set({ moments: momentAfter(moments, { list, plan }) });
    this.#setTurn({ isSaid: true });
    const title = isTitled ? undefined : oneLine(requestIn(words), TITLE_MAX);
    if (title !== undefined) {
      this.#set({ isTitled: true });
      this.tell({ type: "title.given", title, by: "person" });
    }
    if (plan?.status === "proposed" && mode !== "plan" && words === APPROVAL)
      this.#plan({ ...plan, status: "approved" });
  }

  hearAgent(words: string): void {
    const isAsking = isQuestion(words);
    const waived = checkWaived(words);
    if (waived) this.tell(waived);
    const mark = wordsSaid(words)?.words;
    this.#setTurn({ isWorked: true, isAsking, question: isAsking ? lastLine(words) : undefined, words: mark });
  }

  giveName(name: unknown): void {
    const title = oneLine(name);
    if (title !== undefined) this.tell({ type: "title.given", title, by: "agent" });
  }

  useTokens(usage: unknown, context?: SeenContext): void {
    const tokens = tokensAt(usage);
    if (tokens) this.tell({ type: "tokens.used", tokens, context });
  }

  /** `turn`: the id of the turn that it was proposed in, which names the plan. */
  proposePlan(value: unknown, turn?: unknown): void {
    const text = seenPlanText(value);
    if (text !== undefined) this.#setTurn({ hasPlan: true });
    this.#plan(text === undefined ? this.#state.plan : { key: this.#planKey(turn), text, status: "proposed" });
  }

  /** A piece of a plan that is being written. */
  draftPlan(piece: unknown, turn: unknown): void {
    const draft = growDraft(this.#state.draft, this.#planKey(turn), textAt(piece) ?? "");
    const lines = draftToShow(draft);
    this.#set({ draft: lines === undefined ? draft : { ...draft, shown: lines.length } });
    const text = seenPlanText(lines);
    if (text !== undefined) this.tell({ type: "plan.changed", plan: { key: draft.key, text, status: "draft" } });
  }

  write(write: ListWrite): void {
    const before = this.#state.list;
    const { list, finished, isRead } =
      "own" in write ? callOwnList(before, write.own) : writeList(before, write.todos, write.explanation);
    if (!isRead) this.tell({ type: "list.written" });
    if (finished) this.tell({ type: "list.finished", list: finished });
    if (list !== before) this.#list(list);
  }

  /** The list as it will be once this call has succeeded. */
  expectWrite(call: string, write: ListWrite): void {
    const others = this.#state.writes.filter((one) => one.call !== call);
    this.#set({ writes: [...others, { ...write, call }].slice(-MOST_WRITES) });
  }

  startCall(call: string, told: ToldCall, by: "model" | "event"): void {
    const replies = this.#state.replies + Number(this.#state.isReplyOver);
    this.#set({ replies, isReplyOver: false });
    this.#setTurn({ isWorked: true, words: undefined });
    this.#tellAll(this.#calls.start(call, this.#inReply(told), by));
  }

  /** What is called after this is of another reply. */
  endReply(): void {
    this.#set({ isReplyOver: true });
  }

  #inReply({ note, held }: ToldCall): ToldCall {
    return { note: { ...note, reply: `${this.#state.replies}` }, held };
  }

  toolOf(call: string): string | undefined {
    return this.#calls.toolOf(call);
  }

  /** `item`: what it was, where an item tells; the first that tells of its end counts. */
  endCall(call: string, answer: CallAnswer = { outcome: COMPLETED }, item?: CallItem): void {
    if (item) this.#setTurn({ isWorked: true, words: undefined });
    if (item && this.toolOf(call) === undefined)
      this.#tellAll(this.#calls.start(call, this.#inReply(item.told()), "event"));
    const held = this.#calls.heldOf(call);
    this.#tellAll(this.#calls.end(call, answer));
    const isDone = answer.outcome.status === "completed";
    const expected = this.#state.writes.find((one) => one.call === call);
    if (expected) this.#set({ writes: this.#state.writes.filter((one) => one !== expected) });
    const write = expected ?? (held ? item?.write : undefined);
    if (write && isDone) this.write(write);
    if (!held || !isDone) return;
    this.#hearLeases(held, answer);
    const opened = pullRequestAfter(held, answer.output);
    if (opened) this.tell(opened);
  }

  #hearLeases({ tool, server }: HeldCall, { output }: CallAnswer): void {
    if (!isOwnTaskTool(tool, server)) return;
    this.#tellAll(taskFacts(bareOutput(output), this.#told.at));
  }

  hearAgents(news: AgentNews): void {
    const { agents, facts } = agentsAfter(this.#state.agents, news);
    if (facts.length === 0) return;
    this.#set({ agents });
    this.#tellAll(facts);
  }

  /** One compaction leaves several signs; a sign that comes twice belongs to the next one. */
  compact(sign: CompactionSign): void {
    const { signs } = this.#state;
    const isNew = signs.length === 0 || signs.includes(sign);
    this.#set({ signs: isNew ? [sign] : [...signs, sign] });
    this.#setTurn({ isCompacted: true });
    if (isNew) this.tell({ type: "context.compacted" });
  }

  /** A person went back: list and plan are as they were before the last turns. What was done stays done. */
  rollBack(turns: unknown): void {
    const { revision, nextNumber } = this.#state.list;
    const back = momentBefore(this.#state.moments, Math.floor(countAt(turns)));
    if (!back) return;
    const { list, plan } = back.moment;
    this.#set({ moments: back.moments });
    // Numbers are never used twice, so those of the todos that are gone stay taken.
    if (list.revision !== revision) this.#list({ ...list, revision: revision + 1, nextNumber });
    this.#plan(plan);
  }

  /** Where no turn has an id, they are counted. */
  #planKey(turn: unknown): string {
    return idAt(turn) ?? this.#state.turn.id ?? `turn-${this.#state.turns}`;
  }

  #list(list: TodoList): void {
    this.#set({ list });
    this.tell({ type: "list.changed", list });
  }

  /** The plan that holds, in place of any draft. */
  #plan(plan: SeenPlan | null): void {
    const { plan: before, draft } = this.#state;
    this.#set({ plan, draft: null });
    if (isSamePlan(before, plan) && !draft?.shown) return;
    this.tell({ type: "plan.changed", plan });
  }

  #set(change: Partial<ThreadState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #setTurn(change: Partial<Turn>): void {
    this.#set({ turn: { ...this.#state.turn, ...change } });
  }
}
