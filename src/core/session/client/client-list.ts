import { isSameJson } from "../../json.js";
import { fields, list, maybe, type Shape, text } from "../../shape.js";
import type { Goal, SeenTask } from "../observation.js";
import { isSeenTask, type TaskChange, TaskFold } from "./client-tasks.js";

/** What a client keeps by itself, besides what its list tool wrote into the session's list. */
export interface ClientList {
  /** The tool that last wrote the session's todo list, where that was not ours. */
  readonly tool?: string | undefined;
  /** Tasks of the session, its sub-agents' included. Never todos: only the client can change them. */
  readonly tasks: readonly SeenTask[];
  /** An objective above the list. */
  readonly goal?: Goal | null;
}

export const NO_CLIENT_LIST: ClientList = { tasks: [] };

/** What a client's own tool did to what the client keeps. */
export type ClientEvent =
  | TaskChange
  | { readonly type: "goal.changed"; readonly goal: Goal | null }
  /** The session's todo list is written with another tool from here on; empty: with ours. */
  | { readonly type: "list-tool.changed"; readonly tool: string };

const GOAL: Shape = fields({ text, status: text });

export const CLIENT_EVENTS: Readonly<Record<"goal.changed" | "list-tool.changed", Shape>> = {
  "goal.changed": fields({ goal: maybe(GOAL) }),
  "list-tool.changed": fields({ tool: text }),
};

export const isClientList: Shape = fields({ tool: maybe(text), tasks: list(isSeenTask), goal: maybe(GOAL) });

/** As many as a list of ours may have: they are read and written with every hook of their session. */
const MOST_TASKS = 1000;

export function evolveClientList(before: ClientList, event: ClientEvent): ClientList {
  switch (event.type) {
    case "goal.changed":
      return isSameJson(before.goal ?? null, event.goal ?? null) ? before : { ...before, goal: event.goal ?? null };
    case "list-tool.changed": {
      const { tool: _, ...others } = before;
      return event.tool === "" ? others : { ...others, tool: event.tool };
    }
    default: {
      const fold = new TaskFold(before.tasks, MOST_TASKS);
      return fold.apply(event).length === 0 ? before : { ...before, tasks: fold.tasks };
    }
  }
}
