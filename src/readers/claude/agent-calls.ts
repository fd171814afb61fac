import { idAt, type JsonObject, objectAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { addBounded } from "../memory.js";

/** The tool that starts a sub-agent, up to 2.1 and since. */
const TOOLS: readonly string[] = ["Task", "Agent"];
/** More than run at once. */
const MOST_BEHIND = 100;

/** Sub-agents that run behind the conversation: by their own id, the call that started each. */
export type SavedAgents = readonly (readonly [string, string])[];

/** Sub-agents of one conversation. They are named by the call that starts them: their own id comes with its answer. */
export class AgentCalls {
  readonly #behind: Map<string, string>;

  constructor(saved: SavedAgents = []) {
    this.#behind = new Map(saved);
  }

  save(): SavedAgents {
    return [...this.#behind];
  }

  start(tool: string, call: string): readonly Fact[] {
    return TOOLS.includes(tool) ? [{ type: "agent.started", agent: call }] : NOTHING;
  }

  /** The answer to such a call is the agent's last word, or tells that it goes on behind the conversation. */
  end(tool: string, call: string, data: unknown): readonly Fact[] {
    if (!TOOLS.includes(tool)) return NOTHING;
    const { status, isAsync, agentId } = objectAt(data);
    if (status !== "async_launched" && isAsync !== true) return [{ type: "agent.ended", agent: call }];
    addBounded(this.#behind, idAt(agentId) ?? call, call, MOST_BEHIND);
    return NOTHING;
  }

  /** The client reports that these tasks are over; most of them are commands. */
  over(tasks: readonly unknown[]): readonly Fact[] {
    return tasks.flatMap((task): readonly Fact[] => {
      const agent = typeof task === "string" ? this.#behind.get(task) : undefined;
      if (agent === undefined || typeof task !== "string") return NOTHING;
      this.#behind.delete(task);
      return [{ type: "agent.ended", agent }];
    });
  }
}

const NOTHING: readonly Fact[] = [];

/** The ids of tasks that a report names as over; nothing for any other text. */
export function tasksOver(text: unknown): readonly string[] {
  if (typeof text !== "string" || !text.trimStart().startsWith("<task-notification")) return NO_TASKS;
  return [...text.slice(0, REPORT_MAX).matchAll(/<task-id>([!-~]{1,200}?)<\/task-id>/g)].flatMap(([, id]) => id ?? []);
}

/** What came while the agent was busy is handed over in an attachment. */
export function queuedTasksOver({ type, prompt }: JsonObject): readonly string[] {
  return type === "queued_command" ? tasksOver(prompt) : NO_TASKS;
}

const NO_TASKS: readonly string[] = [];
const REPORT_MAX = 20_000;
