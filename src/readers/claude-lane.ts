import type { Fact, SeenPlan, Tokens } from "../core/session/observation.js";
import type { NewTodo } from "../core/todo/command.js";
import { Chain, type Intent, type Link, type SavedChain } from "./claude-chain.js";
import { type Prompt, promptAt } from "./claude-prompt.js";
import { askedAt, ClaudeTasks } from "./claude-tasks.js";
import { answerText, startOfCall, todosAt } from "./claude-tools.js";
import { ClaudeUsage, type SavedUsage } from "./claude-usage.js";
import { idAt, isObject, type JsonObject, listAt, objectAt, oneLine, textAt } from "./json.js";
import { isQuestion } from "./question.js";
import { writeList } from "./whole-list.js";

/** What has to be known of a call until its answer comes. */
interface OpenCall {
  readonly tool: string;
  readonly todos?: readonly NewTodo[];
  /** Of the task tools: what was asked for. */
  readonly input?: JsonObject;
  /** What the plan was before this one was proposed. */
  readonly plan?: SeenPlan | null;
}

export interface SavedLane {
  readonly chain: SavedChain;
  readonly usage: SavedUsage;
  readonly tasks: ReturnType<ClaudeTasks["save"]>;
  readonly open: readonly (readonly [string, OpenCall])[];
  readonly isCommand: boolean;
  readonly isUnanswered: boolean;
  readonly calling: string;
}

const TASK_TOOLS = ["TaskCreate", "TaskUpdate", "TaskList"];
const MOST_OPEN = 200;
const PLAN_MAX = 100_000;

/** One conversation: a session's own, or a sub-agent's. Lines in, facts out. */
export class ClaudeLane {
  readonly #chain: Chain;
  readonly #usage: ClaudeUsage;
  readonly #tasks: ClaudeTasks;
  readonly #open: Map<string, OpenCall>;
  /** A command of the person's was the last thing: whether a turn begins shows when the model answers. */
  #isCommand: boolean;
  #isUnanswered: boolean;
  /** The last reply that made a call: it is not the last word, whatever else it says. */
  #calling: string;

  constructor(saved?: SavedLane) {
    this.#chain = new Chain(saved?.chain);
    this.#usage = new ClaudeUsage(saved?.usage);
    this.#tasks = new ClaudeTasks(saved?.tasks);
    this.#open = new Map(saved?.open);
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
      tasks: this.#tasks.save(),
      open: [...this.#open],
      isCommand: this.#isCommand,
      isUnanswered: this.#isUnanswered,
      calling: this.#calling,
    };
  }

  /** A whole run has told what it used; `before`: what was used before it. */
  settle(before: Tokens, usage: unknown): Tokens {
    return this.#usage.settle(before, usage);
  }

  /** A line of the file. The same line twice is the same line. */
  read(record: JsonObject): readonly Fact[] {
    const uuid = idAt(record.uuid);
    if (uuid !== undefined && this.#chain.has(uuid)) return [];
    const before = this.#chain.intent;
    const message = objectAt(record.message);
    const prompt = record.type === "user" ? promptAt(record, message.content) : undefined;
    const reply = record.type === "assistant" ? replyId(record) : undefined;
    const link = { parent: parentAt(record), role: roleOf(record, prompt), reply };
    const isBack = uuid !== undefined && this.#chain.place({ uuid, ...link });
    // Somebody may have gone back: then another list holds, before this line changes anything.
    const facts = intentFacts(before, this.#chain.intent);
    // What was taken back before anybody answered has not been said.
    if (isBack && this.#isUnanswered && prompt?.kind === "person") facts.push({ type: "turn.undone" });
    if (prompt) facts.push(...this.#readPrompt(prompt));
    else if (record.type === "user") facts.push(...this.#readAnswers(record, message));
    else if (record.type === "assistant") facts.push(...this.#readReply(record, message));
    else if (record.type === "system" && record.subtype === "compact_boundary")
      facts.push({ type: "context.compacted" });
    return facts;
  }

  #readPrompt(prompt: Prompt): readonly Fact[] {
    this.#isCommand = prompt.kind === "command" || (this.#isCommand && prompt.kind === "note");
    if (prompt.kind === "interruption") return [{ type: "turn.ended", isAsking: false }];
    if (prompt.kind !== "person") return [];
    this.#isUnanswered = true;
    const title = oneLine(prompt.text, TITLE_MAX);
    const started: Fact = { type: "turn.started" };
    return title === undefined ? [started] : [started, { type: "title.given", title, by: "person" }];
  }

  #readReply(record: JsonObject, message: JsonObject): readonly Fact[] {
    this.#isUnanswered = false;
    if (record.isApiErrorMessage === true) return [{ type: "turn.ended", isAsking: false }];
    if (message.model === "<synthetic>") return [];
    const facts: Fact[] = this.#isCommand ? [{ type: "turn.started" }] : [];
    this.#isCommand = false;
    const reply = replyId(record);
    const tokens = this.#usage.count(reply, message.usage);
    if (tokens) facts.push({ type: "tokens.used", tokens });
    for (const block of listAt(message.content)) {
      if (!isObject(block)) continue;
      if (block.type === "tool_use") {
        this.#calling = reply;
        facts.push(...this.#readCall(block));
      }
      if (block.type === "text" && this.#isLastWord(reply, message.stop_reason))
        facts.push({ type: "turn.ended", isAsking: isQuestion(textAt(block.text) ?? "") });
    }
    return facts;
  }

  /** Versions before 2.1.325 do not say on each line why a reply stopped. */
  #isLastWord(reply: string, reason: unknown): boolean {
    return reason !== "tool_use" && reason !== "pause_turn" && (reply === "" || reply !== this.#calling);
  }

  #readCall(block: JsonObject): readonly Fact[] {
    const call = idAt(block.id);
    const tool = textAt(block.name);
    if (call === undefined || tool === undefined || this.#open.has(call)) return [];
    const input = objectAt(block.input);
    const facts: Fact[] = [startOfCall(call, tool, input)];
    const todos = tool === "TodoWrite" ? todosAt(input.todos) : undefined;
    const isPlan = tool === "ExitPlanMode";
    this.#open.set(call, {
      tool,
      ...(todos ? { todos } : undefined),
      ...(TASK_TOOLS.includes(tool) ? { input: askedAt(input) } : undefined),
      ...(isPlan ? { plan: this.#chain.intent.plan } : undefined),
    });
    if (this.#open.size > MOST_OPEN) this.#open.delete(this.#open.keys().next().value ?? "");
    if (isPlan) facts.push(...this.#propose(textAt(input.plan), "proposed"));
    return facts;
  }

  #propose(text: string | undefined, status: SeenPlan["status"]): readonly Fact[] {
    if (text === undefined) return [];
    return this.#change({ plan: { text: text.slice(0, PLAN_MAX).toWellFormed(), status } });
  }

  #change(intent: Partial<Intent>): readonly Fact[] {
    const before = this.#chain.intent;
    this.#chain.change(intent);
    return intentFacts(before, this.#chain.intent);
  }

  #readAnswers(record: JsonObject, message: JsonObject): readonly Fact[] {
    const blocks = listAt(message.content).filter(isObject);
    const answers = blocks.filter(({ type }) => type === "tool_result");
    // What the tool returned beside its text belongs to the one answer of the line.
    const data = answers.length === 1 ? (record.toolUseResult ?? record.tool_use_result) : undefined;
    return answers.flatMap((answer) => this.#readAnswer(answer, data));
  }

  #readAnswer(answer: JsonObject, data: unknown): readonly Fact[] {
    const call = idAt(answer.tool_use_id);
    const open = call === undefined ? undefined : this.#open.get(call);
    if (call === undefined || !open) return [];
    this.#open.delete(call);
    const text = answerText(answer.content);
    const isFailed = answer.is_error === true;
    const wasStopped = !isFailed && objectAt(data).interrupted === true;
    const status = isFailed ? "failed" : wasStopped ? "cancelled" : "completed";
    const problem = isFailed ? oneLine(text) : undefined;
    return [{ type: "call.ended", call, status, problem }, ...this.#outcome(open, text, isFailed, data)];
  }

  #outcome(open: OpenCall, text: string, isFailed: boolean, data: unknown): readonly Fact[] {
    const { tool, todos, input, plan } = open;
    if (tool === "ExitPlanMode") return this.#decidePlan(plan ?? null, text, isFailed, objectAt(data));
    if (isFailed) return [];
    if (tool === "TodoWrite") {
      const written = todosAt(objectAt(data).newTodos) ?? todos;
      return written ? this.#change({ list: writeList(this.#chain.intent.list, written) }) : [];
    }
    return input ? this.#tasks.answered(tool, input, text, isObject(data) ? data : undefined) : [];
  }

  #decidePlan(before: SeenPlan | null, text: string, isFailed: boolean, data: JsonObject): readonly Fact[] {
    // The tool is not there, or was asked wrongly: nobody has seen a plan.
    if (isFailed && text.startsWith("<tool_use_error>")) return this.#change({ plan: before });
    const proposed = textAt(data.plan) ?? this.#chain.intent.plan?.text;
    return this.#propose(proposed, isFailed ? "rejected" : "approved");
  }
}

const TITLE_MAX = 120;

function intentFacts(before: Intent, after: Intent): Fact[] {
  const facts: Fact[] = [];
  if (before.list !== after.list) facts.push({ type: "list.changed", list: after.list });
  if (before.plan !== after.plan) facts.push({ type: "plan.changed", plan: after.plan });
  return facts;
}

function roleOf({ type }: JsonObject, prompt: Prompt | undefined): Link["role"] {
  if (prompt) return prompt.kind === "summary" ? "beside" : "begins";
  if (type === "user") return "follows";
  return type === "assistant" ? "begins" : "beside";
}

function parentAt(record: JsonObject): string | null | undefined {
  return record.parentUuid === null ? null : idAt(record.parentUuid);
}

/** Lines of one reply share its id; without one each line is a reply. */
function replyId(record: JsonObject): string {
  return idAt(objectAt(record.message).id) ?? idAt(record.uuid) ?? "";
}
