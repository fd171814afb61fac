export { type CallRequest, type Milepost, openMilepost, type Place } from "./app/milepost.js";
export type { Failure, Result } from "./core/result.js";
export { PROMPT_TEXT_MAX, promptText } from "./core/text/prompt-text.js";
export { terminalLines, terminalText } from "./core/text/terminal-text.js";
export type { NewPhase, NewTodo, Target, TodoCommand, TodoEdit, TodoError } from "./core/todo/command.js";
export { type Decision, decide } from "./core/todo/decide.js";
export { diffLists, type ListDiff } from "./core/todo/diff.js";
export type { PhaseOrder, TodoDetails, TodoEvent } from "./core/todo/events.js";
export { evolve, evolveAll } from "./core/todo/evolve.js";
export {
  EMPTY_LIST,
  type Evidence,
  type Phase,
  PRIORITIES,
  type Priority,
  TODO_STATUSES,
  type Todo,
  type TodoList,
  type TodoStatus,
} from "./core/todo/list.js";
export { listRows } from "./core/todo/plain-text.js";
export type { TodoLimits, TodoPolicy } from "./core/todo/policy.js";
export { type Progress, progressOf } from "./core/todo/progress.js";
export { transitionLines } from "./core/todo/transitions.js";
export type { Answer, Dialect, Parsed, ToolCall, ToolDefinition, ToolInput, Written } from "./dialects/dialect.js";
export { speak } from "./dialects/speak.js";
export { DIALECTS, findDialect } from "./dialects/table.js";
