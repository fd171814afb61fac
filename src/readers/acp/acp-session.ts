import { type JsonObject, listAt, objectAt, scalarText, textAt } from "../../core/json.js";
import { type Ask, permissionFor } from "../../core/session/state/asked-text.js";
import { cutText } from "../../core/value-limits.js";
import type { AcpNews } from "./acp-fact.js";
import { toolOf } from "./acp-tool.js";
import { AcpCalls } from "./told-calls.js";

/** Characters of what the agent said last: whether it asks something is in its last lines. */
const LAST_WORDS = 4000;

/** One conversation, as it is told between editor and agent. */
export class AcpSession {
  readonly #agent: string;
  readonly #calls = new AcpCalls();
  /** What is told of earlier turns is no news: the agent repeats it for an editor that opens the session again. */
  isReplayed = false;
  #words = "";
  /** Prompts that were sent and not answered: an editor may send one more in the middle of a turn. */
  #prompts = 0;
  #last: unknown;

  constructor(agent: string) {
    this.#agent = agent;
  }

  startTurn(): readonly AcpNews[] {
    this.#prompts += 1;
    if (this.#prompts > 1) return [];
    this.#words = "";
    return [{ type: "turn.started" }];
  }

  endTurn({ stopReason }: JsonObject, hasFailed: boolean, at: number): readonly AcpNews[] {
    this.#prompts = Math.max(0, this.#prompts - 1);
    if (this.#prompts > 0) return [];
    const because = hasFailed ? "failed" : stopReason === "cancelled" ? "interrupted" : undefined;
    return [...this.#calls.endAll(at), { type: "turn.ended", because, lastWords: this.#words }];
  }

  /** A permission is asked for with the call that it is for. */
  ask({ toolCall, options }: JsonObject, at: number): readonly AcpNews[] {
    const update = objectAt(toolCall);
    return [...this.#calls.hear(update, at), { type: "asked", ask: askOf(update, listAt(options)) }];
  }

  update(update: JsonObject, at: number): readonly AcpNews[] {
    if (this.isReplayed) return [];
    const news = this.#read(update, at);
    this.#last = update;
    return news;
  }

  #read(update: JsonObject, at: number): readonly AcpNews[] {
    switch (update.sessionUpdate) {
      case "tool_call":
      case "tool_call_update":
        return this.#calls.hear(update, at);
      case "plan":
        return this.#plan(update);
      case "plan_update":
        return this.#plan(objectAt(update.plan));
      case "agent_message_chunk":
        this.#words = `${this.#words}${textAt(objectAt(update.content).text) ?? ""}`.slice(-LAST_WORDS);
        return [];
      case "current_mode_update":
        return modeOf(update.currentModeId ?? update.modeId);
      case "compaction_update":
        return compactionOf(update.status);
      default:
        return [];
    }
  }

  #plan({ entries }: JsonObject): readonly AcpNews[] {
    if (!Array.isArray(entries) || !isWholePlan(this.#agent, objectAt(this.#last))) return [];
    return [{ type: "plan.told", plan: { entries: entries.slice(0, MOST_ENTRIES).map(plainEntry) } }];
  }
}

/** As many todos as a list of ours may have, and of each what a plan has. */
const MOST_ENTRIES = 1000;

function plainEntry(entry: unknown): JsonObject {
  const { content, priority, status } = objectAt(entry);
  return {
    content: typeof content === "string" ? cutText(content) : null,
    priority: scalarText(priority),
    status: scalarText(status),
  };
}

/** Behind a call of its list tool oh-my-pi shows all of the list; at other times what it reminds its model of. */
function isWholePlan(agent: string, last: JsonObject): boolean {
  return agent !== "oh-my-pi" || (last.sessionUpdate === "tool_call_update" && last.status === "completed");
}

export function modeOf(mode: unknown): readonly AcpNews[] {
  if (typeof mode !== "string") return [];
  return [{ type: "mode.told", mode: /(?:^|[#/])plan$/i.test(mode) ? "plan" : "default" }];
}

function compactionOf(status: unknown): readonly AcpNews[] {
  if (status === "in_progress") return [{ type: "compaction", isOver: false }];
  return status === "completed" ? [{ type: "compaction", isOver: true }] : [];
}

const MOST_CHOICES = 9;

function askOf(update: JsonObject, options: readonly unknown[]): Ask {
  const { tool, input } = toolOf(update);
  const asked = permissionFor(tool, input);
  const choices = options.slice(0, MOST_CHOICES).flatMap((option) => {
    const name = objectAt(option).name;
    return typeof name === "string" && name.length <= 100 ? [name] : [];
  });
  // What leaves plan mode is a question about the plan.
  const kind = update.kind === "switch_mode" ? "plan" : asked.kind;
  return { ...asked, kind, ...(choices.length > 0 && { choices }) };
}
