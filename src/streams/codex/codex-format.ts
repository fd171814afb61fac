import type { TodoList } from "../../core/todo/list.js";
import { type WorkStatus, workTodos } from "../../dialects/work-status.js";
import type { HostFormat, HostNews, NewsPlace } from "../host-format.js";

/** A notification of `codex app-server`: JSON lines without a `jsonrpc` member. */
export interface CodexNotification {
  readonly method: "turn/plan/updated" | "item/started" | "item/plan/delta" | "item/completed";
  readonly params: { readonly threadId: string; readonly turnId: string; readonly [field: string]: unknown };
  readonly emittedAtMs: number;
}

const STATUSES: Readonly<Record<WorkStatus, string>> = {
  pending: "pending",
  in_progress: "inProgress",
  completed: "completed",
};

/** Lists and plans as Codex' app-server tells its clients of them: our session is the thread. */
export class CodexFormat implements HostFormat {
  messages(news: HostNews, place: NewsPlace): readonly CodexNotification[] {
    if (news.type === "list") return [planUpdated(news.list, place)];
    // What is decided on a plan, Codex tells by the next turn.
    const isProposed = news.type === "plan" && news.status === "proposed" && news.text !== undefined;
    return isProposed ? planItem((news.text ?? "").toWellFormed(), place) : [];
  }
}

function planUpdated(list: TodoList, place: NewsPlace): CodexNotification {
  const plan = workTodos(list).map(({ text, status }) => ({ step: text.toWellFormed(), status: STATUSES[status] }));
  const explanation = list.explanation?.toWellFormed() ?? null;
  return notification("turn/plan/updated", { explanation, plan }, place);
}

/** A proposed plan is an item of its turn, one for each turn; it comes whole, so one delta has all of it. */
function planItem(text: string, place: NewsPlace): readonly CodexNotification[] {
  const { at } = place;
  const id = `${turnId(place)}-plan`;
  const item = { type: "plan", id, text: "", startedAtMs: at, completedAtMs: null };
  return [
    notification("item/started", { item, startedAtMs: at }, place),
    notification("item/plan/delta", { itemId: id, delta: text }, place),
    notification("item/completed", { item: { ...item, text, completedAtMs: at }, completedAtMs: at }, place),
  ];
}

function notification(method: CodexNotification["method"], params: object, place: NewsPlace): CodexNotification {
  return { method, params: { threadId: place.session, turnId: turnId(place), ...params }, emittedAtMs: place.at };
}

/** Codex' own ids of turns are in no hook: ours are counted. */
function turnId({ session, turn }: NewsPlace): string {
  return `${session}-turn-${turn}`;
}
