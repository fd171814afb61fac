import { createHash } from "node:crypto";
import { type Milepost, type MilepostOptions, openMilepost as open } from "./app/milepost.js";
import type { ToolLoopVerdict } from "./core/detectors/openclaw/loop-decision.js";
import { type ToolLoopQuestion, toolLoop } from "./core/detectors/openclaw/tool-loop.js";

/**
 * Opens the store the environment names, or the one that is asked for; makes it when there is none. The project of the
 * working folder may tighten settings. Throws `StoreTrouble`.
 */
export function openMilepost(options: MilepostOptions = {}): Promise<Milepost> {
  return open({ environment: process.env, folder: workingFolder(), pid: process.pid, ...options });
}

function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // Somebody has deleted it.
    return undefined;
  }
}

/** What OpenClaw says before a call, given the calls before it: whether they are a loop, which, and in which words. */
export function detectToolLoop(question: ToolLoopQuestion): ToolLoopVerdict {
  return toolLoop(question, (text) => createHash("sha256").update(text).digest("hex"));
}

export {
  type CallEnded,
  type CallOrigin,
  type CallReport,
  type CallRequest,
  type CallStarted,
  type CallUpdated,
  type Milepost,
  type MilepostOptions,
  type Observed,
  type Place,
  StoreTrouble,
} from "./app/milepost.js";
export { type ListOptions, type ListStyle, renderList } from "./app/terminal/lists/render-list.js";
export type { LoopDetector, ToolLoopVerdict } from "./core/detectors/openclaw/loop-decision.js";
export type { LoopCall } from "./core/detectors/openclaw/loop-records.js";
export type { ToolLoopConfig } from "./core/detectors/openclaw/loop-rules.js";
export type { ToolLoopQuestion } from "./core/detectors/openclaw/tool-loop.js";
export type { Verdict } from "./core/grounding/verdict.js";
export type { Failure, Result } from "./core/result.js";
export { PROMPT_TEXT_MAX, promptText } from "./core/text/prompt-text.js";
export { terminalLines, terminalText } from "./core/text/terminal-text.js";
export type {
  NewPhase,
  NewTodo,
  Rewrite,
  Target,
  Targets,
  TodoCommand,
  TodoEdit,
  TodoError,
} from "./core/todo/command.js";
export { type Decision, decide } from "./core/todo/decide.js";
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
export { diffLists, type ListDiff } from "./core/todo/list-diff.js";
export { listRows } from "./core/todo/plain-text.js";
export type { TodoLimits, TodoPolicy } from "./core/todo/policy.js";
export { type Progress, progressOf } from "./core/todo/progress.js";
export { transitionLines } from "./core/todo/transitions.js";
export type { Answer, Dialect, Parsed, ToolCall, ToolDefinition, ToolInput, Written } from "./dialects/dialect.js";
export { DIALECTS, findDialect, TASK_DIALECTS } from "./dialects/registry.js";
export { speak } from "./dialects/speak.js";
export type { TaskDialect } from "./dialects/task-dialect.js";
export {
  append,
  type Cursor,
  type Decision as StoreDecision,
  type EventStore,
  type NewEvent,
  type Page,
  type StoredEvent,
  type Transaction,
  type Write,
} from "./store/event-store.js";
export type { Projection } from "./store/projection.js";
export type { Store } from "./store/store.js";
export type { AcpUpdate } from "./streams/acp/session-update.js";
export {
  createHermesUpdates,
  type HermesCallback,
  type HermesUpdates,
  type HermesUpdatesOptions,
} from "./streams/hermes/hermes-updates.js";
export {
  createOpenclawProjector,
  type OpenclawProjector,
  type OpenclawProjectorOptions,
  type ProjectedMessage,
} from "./streams/openclaw/projector/projector.js";
export {
  createOpenclawRelay,
  type OpenclawNotice,
  type OpenclawRelay,
  type OpenclawRelayOptions,
} from "./streams/openclaw/relay/parent-relay.js";
export {
  type AcpToolUpdate,
  createOpenclawTranslator,
  type OpenclawPrompt,
  type OpenclawTranslator,
} from "./streams/openclaw/translator/translator.js";
