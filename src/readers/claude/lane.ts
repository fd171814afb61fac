import { idAt, isObject, type JsonObject, listAt, objectAt, oneLine, textAt, timeAt } from "../../core/json.js";
import { seenPlanText } from "../../core/plan/seen-plan-text.js";
import { TaskFold } from "../../core/session/client/client-tasks.js";
import type { Fact, SeenPlan, SeenTask, Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { lastLine } from "../../core/session/state/asked-text.js";
import type { NewTodo } from "../../core/todo/command.js";
import { pullRequestAfter } from "../held-call.js";
import { addBounded, lineId } from "../memory.js";
import { callOwnList } from "../own-list-calls.js";
import { saidFacts } from "../said-words.js";
import { type WrittenList, writeList } from "../whole-list.js";
import { AgentCalls, queuedTasksOver, type SavedAgents, tasksOver } from "./agent-calls.js";
import { Chain, type Intent, type Link, type SavedChain } from "./chain.js";
import { ClaudeUsage, contextAt, type SavedUsage } from "./claude-usage.js";
import { goalFacts } from "./goal-status.js";
import { askedOf, endOfCall, leasesOf, type OpenCall } from "./open-call.js";
import { failureAt, wakeAt } from "./pauses.js";
import { planAfter } from "./plan-answers.js";
import { isAnswer, type Prompt, promptAt } from "./prompt.js";
import { taskChange } from "./task-results.js";
import { answerText, startOfCall, todosAt } from "./tool-results.js";

export interface SavedLane {
  readonly chain: SavedChain;
  readonly usage: SavedUsage;
  readonly tasks: readonly SeenTask[];
  readonly open: readonly (readonly [string, OpenCall])[];
  readonly agents: SavedAgents;
  readonly isCommand: boolean;
  readonly isUnanswered: boolean;
  readonly calling: string;
}

const MOST_TASKS = 10_000;
const MOST_OPEN = 200;
const TITLE_MAX = 120;
const NO_FACTS: readonly Fact[] = [];

/** One conversation: a session's own, or a sub-agent's. Lines in, facts out. */
export class ClaudeLane {
  readonly #chain: Chain;
  readonly #usage: ClaudeUsage;
  readonly #tasks: TaskFold;
  readonly #open: Map<string, OpenCall>;
  readonly #agents: AgentCalls;
  /** The person's last line was a command: only an answer of the model shows that it began a turn. */
  #isCommand: boolean;
  #isUnanswered: boolean;
  /** The last reply that made a call: its texts do not end the turn. */
  #calling: string;
  /** Only what was read here: what was saved may be of a version that knew fewer secrets. */
  #lastTodos: readonly NewTodo[] = [];

  constructor(isThorough: boolean, saved?: SavedLane) {
    this.#chain = new Chain(isThorough, saved?.chain);
    this.#usage = new ClaudeUsage(saved?.usage);
    this.#tasks = new TaskFold(saved?.tasks ?? [], MOST_TASKS);
    this.#open = new Map(saved?.open);
    this.#agents = new AgentCalls(saved?.agents);
    this.#isCommand = saved?.isCommand ?? false;
    this.#isUnanswered = saved?.isUnanswered ?? false;
    this.#calling = saved?.calling ?? "";
  }

  get isLost(): boolean {
    return this.#chain.isLost;
  }

  has(uuid: string): boolean {
    return this.#chain.has(uuid);
  }

  save(): SavedLane {
    return {
      chain: this.#chain.save(),
      usage: this.#usage.save(),
      tasks: this.#tasks.tasks,
      open: [...this.#open],
      agents: this.#agents.save(),
      isCommand: this.#isCommand,
      isUnanswered: this.#isUnanswered,
      calling: this.#calling,
    };
  }

  settle(before: Tokens, usage: unknown): Tokens {
    return this.#usage.settle(before, usage);
  }

  /** A line of the file. The same line twice is the same line. */
  read(record: JsonObject): readonly Fact[] {
    const uuid = lineId(record.uuid);
    const parent = record.parentUuid === null ? null : lineId(record.parentUuid);
    if (uuid !== undefined && this.#chain.isKnown(uuid, parent)) return NO_FACTS;
    const { type } = record;
    const before = this.#chain.intent;
    const message = objectAt(record.message);
    const prompt = type === "user" ? promptAt(record, message.content) : undefined;
    const reply = type === "assistant" ? replyId(record) : undefined;
    const isBack = uuid !== undefined && this.#chain.place({ uuid, parent, role: roleOf(type, prompt), reply });
    if (type === "attachment") return this.#readAttachment(objectAt(record.attachment));
    // Progress, whatever comes later: only their place in the conversation matters.
    if (type !== "user" && type !== "assistant" && type !== "system") return NO_FACTS;
    const facts: Fact[] = [];
    // Somebody may have gone back: then another list holds, before this line changes anything.
    addIntent(facts, before, this.#chain.intent);
    // What was taken back before anybody answered has not been said.
    if (isBack && this.#isUnanswered && prompt?.kind === "person") facts.push({ type: "turn.undone" });
    if (prompt) this.#readPrompt(facts, prompt);
    else if (type === "user") this.#readAnswers(facts, record, message);
    else if (reply !== undefined) this.#readReply(facts, reply, record);
    else if (record.subtype === "compact_boundary") facts.push({ type: "context.compacted" });
    return facts;
  }

  #readAttachment(attachment: JsonObject): readonly Fact[] {
    const over = queuedTasksOver(attachment);
    return over.length > 0 ? this.endAgents(over) : goalFacts(attachment);
  }

  /** What ran behind the conversation is over: by the ids of its tasks. */
  endAgents(tasks: readonly unknown[]): readonly Fact[] {
    return this.#agents.over(tasks);
  }

  #readPrompt(facts: Fact[], { kind, text }: Prompt): void {
    if (kind === "note") facts.push(...this.endAgents(tasksOver(text)));
    this.#isCommand = kind === "command" || (this.#isCommand && kind === "note");
    if (kind === "interruption") facts.push({ type: "turn.ended", isAsking: false, because: "interrupted" });
    if (kind !== "person") return;
    this.#isUnanswered = true;
    facts.push({ type: "turn.started" });
    const title = oneLine(text, TITLE_MAX);
    if (title !== undefined) facts.push({ type: "title.given", title, by: "person" });
  }

  #readReply(facts: Fact[], reply: string, record: JsonObject): void {
    const message = objectAt(record.message);
    this.#isUnanswered = false;
    if (record.isApiErrorMessage === true) facts.push(failureAt(record));
    if (message.model === "<synthetic>") return;
    if (this.#isCommand) facts.push({ type: "turn.started" });
    this.#isCommand = false;
    const tokens = this.#usage.count(reply, message.usage);
    if (tokens) facts.push({ type: "tokens.used", tokens, context: contextAt(message.usage, message.model) });
    for (const block of listAt(message.content)) {
      if (!isObject(block)) continue;
      if (block.type === "tool_use") {
        this.#calling = reply;
        this.#readCall(facts, block, reply);
      } else if (block.type === "text")
        this.#readText(facts, textAt(block.text) ?? "", this.#isLastWord(reply, message.stop_reason));
    }
  }

  #readText(facts: Fact[], text: string, isLast: boolean): void {
    facts.push(...saidFacts(text, isLast));
    if (isLast) facts.push(lastWord(text));
  }

  /** Versions before 2.1.325 do not say on each line why a reply stopped. */
  #isLastWord(reply: string, reason: unknown): boolean {
    return reason !== "tool_use" && reason !== "pause_turn" && (reply === "" || reply !== this.#calling);
  }

  #readCall(facts: Fact[], block: JsonObject, reply: string): void {
    const call = idAt(block.id);
    const tool = textAt(block.name);
    if (call === undefined || tool === undefined || this.#open.has(call)) return;
    const input = objectAt(block.input);
    const { started, held } = startOfCall(call, tool, input, reply);
    facts.push(started, ...this.#agents.start(tool, call));
    const open: OpenCall = Object.assign(this.#askedOf(call, tool, input), { tool, held });
    addBounded(this.#open, call, open, MOST_OPEN);
    if (open.proposed) this.#change(facts, { plan: open.proposed });
  }

  #askedOf(call: string, tool: string, input: JsonObject): Omit<OpenCall, "tool" | "held"> {
    if (tool === "ExitPlanMode") return this.#proposal(call, input.plan);
    const todos = tool === "TodoWrite" ? this.#todosAt(input.todos) : undefined;
    return todos ? { todos } : askedOf(tool, input);
  }

  #proposal(key: string, value: unknown): Pick<OpenCall, "proposed" | "plan"> {
    const text = seenPlanText(value);
    const proposed = text === undefined ? undefined : ({ key, text, status: "proposed" } as const);
    return { proposed, plan: this.#chain.intent.plan };
  }

  #change(facts: Fact[], intent: Partial<Intent>): void {
    const before = this.#chain.intent;
    this.#chain.change(intent);
    addIntent(facts, before, this.#chain.intent);
  }

  #readAnswers(facts: Fact[], record: JsonObject, message: JsonObject): void {
    const answers = listAt(message.content).filter(isAnswer);
    // What the tool returned beside its text belongs to the one answer of the line.
    const line = answers.length === 1 ? record : objectAt(undefined);
    for (const answer of answers) this.#readAnswer(facts, objectAt(answer), line, timeAt(record.timestamp) ?? 0);
  }

  #readAnswer(facts: Fact[], answer: JsonObject, line: JsonObject, at: number): void {
    const data = line.toolUseResult ?? line.tool_use_result;
    const call = idAt(answer.tool_use_id);
    const open = call === undefined ? undefined : this.#open.get(call);
    if (call === undefined || !open) return;
    this.#open.delete(call);
    const isFailed = answer.is_error === true;
    facts.push(endOfCall(call, open, answer, data), ...this.#agents.end(open.tool, call, data));
    if (open.tool === "ExitPlanMode") this.#decidePlan(facts, open, planAfter({ call, ...open }, answer, line), call);
    else if (!isFailed) this.#outcome(facts, open, answer, data);
    if (!isFailed) facts.push(...leasesOf(open, answer, at));
    const opened = isFailed ? undefined : pullRequestAfter(open.held, answer.content);
    if (opened) facts.push(opened);
    const wake = isFailed ? undefined : wakeAt(open, objectAt(data), at);
    if (wake) facts.push(wake);
  }

  #todosAt(value: unknown): readonly NewTodo[] | undefined {
    const todos = todosAt(value, this.#lastTodos);
    if (todos) this.#lastTodos = todos;
    return todos;
  }

  #outcome(facts: Fact[], { tool, todos, own, input }: OpenCall, answer: JsonObject, data: unknown): void {
    if (own) this.#keep(facts, callOwnList(this.#chain.intent.list, own));
    if (tool === "TodoWrite") {
      const written = this.#todosAt(objectAt(data).newTodos) ?? todos;
      if (written) this.#keep(facts, writeList(this.#chain.intent.list, written));
    } else if (input) {
      const change = taskChange(tool, input, answerText(answer.content), isObject(data) ? data : undefined);
      if (change) facts.push(...this.#tasks.apply(change));
    }
  }

  #keep(facts: Fact[], { list, finished, isRead }: WrittenList): void {
    if (!isRead) facts.push({ type: "list.written" });
    if (finished) facts.push({ type: "list.finished", list: finished });
    this.#change(facts, { list });
  }

  #decidePlan(facts: Fact[], { plan: before = null }: OpenCall, plan: SeenPlan | null, call: string): void {
    const { plan: current } = this.#chain.intent;
    if (plan && plan !== current) this.#change(facts, { plan });
    if (plan) return;
    // Nobody has seen it: the plan before it holds, also for one that was proposed at the same time.
    if (current?.key === call) this.#change(facts, { plan: before });
    for (const [id, other] of this.#open) if (other.plan?.key === call) this.#open.set(id, { ...other, plan: before });
  }
}

function lastWord(text: string): Fact {
  return isQuestion(text)
    ? { type: "turn.ended", isAsking: true, text: lastLine(text) }
    : { type: "turn.ended", isAsking: false };
}

function addIntent(facts: Fact[], before: Intent, after: Intent): void {
  if (before === after) return;
  if (before.list !== after.list) facts.push({ type: "list.changed", list: after.list });
  if (before.plan !== after.plan) facts.push({ type: "plan.changed", plan: after.plan });
}

function roleOf(type: unknown, prompt: Prompt | undefined): Link["role"] {
  if (prompt) return prompt.kind === "summary" ? "beside" : "begins";
  if (type === "user") return "follows";
  return type === "assistant" ? "begins" : "beside";
}

/** Lines of one reply share its id; without one each line is a reply. */
function replyId(record: JsonObject): string {
  return lineId(objectAt(record.message).id) ?? lineId(record.uuid) ?? "";
}
