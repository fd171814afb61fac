import { count, fields, list, maybe, text } from "../../shape.js";
import { promptText } from "../../text/prompt-text.js";
import { type Todo, type TodoList, todosOf } from "../../todo/list.js";

/** A sub-agent that began while a todo was in progress: that todo is what it is for. */
export interface ChildTodo {
  readonly agent: string;
  readonly todo: number;
  readonly isOver?: true;
  /** Its end was that of the todo's last running sub-agent: the todo was offered for completion. */
  readonly isOffered?: true;
}

interface Children {
  readonly children?: readonly ChildTodo[] | undefined;
}

interface Parent extends Children {
  /** Sub-agents that are running. */
  readonly agents: readonly string[];
}

/** More than a session has at once; of todos that were offered long ago nothing is shown. */
const MOST = 20;

export function childStarted(parent: Parent, agent: string, todo: number | undefined): Parent {
  const { children = [] } = parent;
  const agents = [...parent.agents.filter((other) => other !== agent), agent];
  const others = children.filter((child) => child.agent !== agent);
  if (todo !== undefined) return { agents, children: [...others, { agent, todo }].slice(-MOST) };
  return others.length === children.length ? { agents } : { agents, children: others };
}

export function childEnded(parent: Parent, agent: string): Parent {
  const { children = [] } = parent;
  const agents = parent.agents.filter((other) => other !== agent);
  if (!children.some((child) => child.agent === agent && !child.isOver)) return { agents };
  const isOffered = offeredBy(parent, agent) !== undefined;
  const ended = (child: ChildTodo) => ({ ...child, isOver: true as const, ...(isOffered && { isOffered }) });
  return { agents, children: children.map((child) => (child.agent === agent ? ended(child) : child)) };
}

/** The todo that this end makes worth a question: none of its sub-agents is left, and nobody has asked before. */
export function offeredBy({ children = [] }: Children, agent: string): number | undefined {
  const child = children.find((one) => one.agent === agent && !one.isOver);
  const isOpen = (one: ChildTodo) => one !== child && one.todo === child?.todo && (!one.isOver || one.isOffered);
  return child && !children.some(isOpen) ? child.todo : undefined;
}

export function inProgress(list: TodoList, number?: number): Todo | undefined {
  return todosOf(list).find((todo) => todo.status === "in_progress" && (number ?? todo.number) === todo.number);
}

interface Names {
  readonly noun: string;
  /** What marks it done; undefined where the model has no such tool. */
  readonly tool: string | undefined;
}

/** A question, never more: only the one who gave the work knows whether it is done. */
export function childOffer(agent: string, { number, text: about }: Todo, { noun, tool }: Names): string {
  const done = tool === undefined ? "Check whether it is done." : `If it is done, mark it as completed with ${tool}.`;
  const started = `Sub-agent ${promptText(agent, 40)}, which was started for ${noun} #${number}, has ended`;
  return `${started}. Still in progress: ${promptText(about)}. ${done}`;
}

export const isChildTodos = list(
  fields({
    agent: text,
    todo: count,
    isOver: maybe((value) => value === true),
    isOffered: maybe((value) => value === true),
  }),
);
