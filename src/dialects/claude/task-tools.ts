import { defined, type JsonObject } from "../../core/json.js";
import { FREE_POLICY } from "../../core/task/policy.js";
import { isOpen } from "../../core/task/task.js";
import { excessOf, excessText } from "../../core/value-limits.js";
import { type Answer, LIST_TOOL, type ToolCall, type ToolDefinition } from "../dialect.js";
import type { Steps, TaskBoard, TaskDialect } from "../task-dialect.js";
import { invalid, readInput, toolUseError, unparsed } from "./client-checks.js";
import { findTaskIssues, type Parameters, parameterSchema, withParsedLists } from "./task-input.js";
import { type Repaired, repairCreate, repairUpdate } from "./task-repair.js";
import { updateTask } from "./task-update.js";
import { boardRefusal, findTask, isInternal, refused, statusOf, withoutProto } from "./task-view.js";
import { describeIssues } from "./todo-issues.js";

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  readonly isReading?: boolean;
  /** What the client repairs before it complains. */
  repair?(input: JsonObject, parameters: Parameters): Repaired;
  /** `input` has been checked against the parameters. */
  run(input: JsonObject, board: TaskBoard): Steps<Answer>;
}

const TASK_ID = { kind: "text", description: "Its number, without #" } as const;
const RECORD = { kind: "record", isOptional: true } as const;
const OPTIONAL = { kind: "text", isOptional: true } as const;
const IDS = { kind: "texts", isOptional: true } as const;

const TOOLS: { readonly [name: string]: Tool } = {
  TaskCreate: {
    title: "Create a task",
    description: "Add a task to this session's list. It starts as pending, with a number that is never given again.",
    parameters: {
      subject: { kind: "text", description: "What to do, in a few words" },
      description: { kind: "text", description: "What has to be known to do it" },
      activeForm: { ...OPTIONAL, description: "What is being done, shown while it is in progress" },
      metadata: { ...RECORD, description: "Anything else to keep with it" },
    },
    repair: repairCreate,
    run: createTask,
  },
  TaskGet: {
    title: "Look at a task",
    description: "One task with its description and what it blocks or is blocked by.",
    parameters: { taskId: TASK_ID },
    isReading: true,
    run: getTask,
  },
  TaskUpdate: {
    title: "Change a task",
    description: "Change one task: its texts, its owner, its status, or what blocks it. `deleted` takes it away.",
    parameters: {
      taskId: TASK_ID,
      subject: { ...OPTIONAL, description: "A new subject" },
      description: { ...OPTIONAL, description: "A new description" },
      activeForm: { ...OPTIONAL, description: "A new active form" },
      status: { kind: "status", isOptional: true, description: "A new status" },
      addBlocks: { ...IDS, description: "Tasks that have to wait for this one" },
      addBlockedBy: { ...IDS, description: "Tasks that this one has to wait for" },
      owner: { ...OPTIONAL, description: "Who works on it" },
      metadata: { ...RECORD, description: "Keys to set; null takes a key away" },
    },
    repair: repairUpdate,
    run: updateTask,
  },
  TaskList: {
    title: "List tasks",
    description: "All tasks with their numbers, statuses, owners and open blockers.",
    parameters: {},
    isReading: true,
    run: listTasks,
  },
};

/** Claude Code's task tools: a list per session, statuses that move freely, edges that are taken as they come. */
export const claudeTasks: TaskDialect = {
  name: "claude-tasks",
  summary: "Claude Code TaskCreate, TaskGet, TaskUpdate and TaskList: tasks of a session, with owners and blockers",
  tools: Object.entries(TOOLS).map(definition),
  policy: FREE_POLICY,
  scope: "session",
  answer,
};

function definition([name, { title, description, parameters, isReading = false }]: [string, Tool]): ToolDefinition {
  return {
    name,
    title,
    description,
    inputSchema: parameterSchema(parameters),
    annotations: { ...LIST_TOOL, readOnlyHint: isReading, idempotentHint: isReading },
  };
}

function* answer({ tool: name, input }: ToolCall, board: TaskBoard): Steps<Answer> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!tool) return refused(toolUseError(`Error: No such tool available: ${name}`));
  const read = readInput(input);
  if (typeof read === "string") return refused(invalid(unparsed(name, read)));
  const { input: given, issues, hint = "" } = repaired(tool, withParsedLists(read, tool.parameters));
  if (issues.length > 0) return refused(invalid(`${hint}${describeIssues(name, issues)}`));
  const excess = excessOf(given.metadata);
  if (excess) return refused(toolUseError(`Error: ${excessText("metadata", excess)}`));
  return yield* tool.run(given, board);
}

function repaired({ parameters, repair }: Tool, input: JsonObject): Repaired {
  return repair?.(input, parameters) ?? { input, issues: findTaskIssues(input, parameters) };
}

function* createTask({ subject, description, activeForm, metadata }: JsonObject, board: TaskBoard): Steps<Answer> {
  const added = yield* board.add({
    subject: String(subject),
    description: String(description),
    activeForm: activeForm === undefined ? undefined : String(activeForm),
    metadata: metadata === undefined ? undefined : withoutProto(metadata as JsonObject),
  });
  if (!added.ok) return boardRefusal(added.error);
  const id = String(added.value.number);
  const text = `Task #${id} created successfully: ${subject}`;
  return { text, isError: false, data: { task: { id, subject, description } } };
}

function* getTask({ taskId }: JsonObject, board: TaskBoard): Steps<Answer> {
  const task = yield* findTask(board, String(taskId));
  if (!task) return { text: "Task not found", isError: false, data: { task: null } };
  const { subject, description } = task;
  const [status, blocks, blockedBy] = [statusOf(task), task.blocks.map(String), task.blockedBy.map(String)];
  const lines = [`Task #${task.number}: ${subject}`, `Status: ${status}`, `Description: ${description}`];
  if (blockedBy.length > 0) lines.push(`Blocked by: ${names(blockedBy)}`);
  if (blocks.length > 0) lines.push(`Blocks: ${names(blocks)}`);
  const data = { task: { id: String(task.number), subject, description, status, blocks, blockedBy } };
  return { text: lines.join("\n"), isError: false, data };
}

function* listTasks(_: JsonObject, board: TaskBoard): Steps<Answer> {
  const all = (yield* board.list({})).map(({ task }) => task);
  const open = new Set(all.filter(isOpen).map(({ number }) => number));
  const shown = all.filter((task) => statusOf(task) !== undefined && !isInternal(task));
  const tasks = shown.map((task) => {
    const blockedBy = task.blockedBy.filter((blocker) => open.has(blocker)).map(String);
    const { number, subject, assignee: owner } = task;
    return defined({ id: String(number), subject, status: statusOf(task), owner, blockedBy });
  });
  const lines = tasks.map(({ id, subject, status, owner, blockedBy }) => {
    const blockers = blockedBy.length > 0 ? ` [blocked by ${names(blockedBy)}]` : "";
    return `#${id} [${status}] ${subject}${owner ? ` (${owner})` : ""}${blockers}`;
  });
  return { text: lines.join("\n") || "No tasks found", isError: false, data: { tasks } };
}

function names(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(", ");
}
