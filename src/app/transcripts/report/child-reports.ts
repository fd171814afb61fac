import { currentList, nounOf } from "../../../core/session/client/current-list.js";
import type { Session } from "../../../core/session/session.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import { inProgress } from "../../../core/session/turn/child-todos.js";
import { type ChildReport, type OfferReport, type SessionReport, shownFinish, shownItems } from "../session-report.js";

/** Each session with its sub-agents; those below a sub-agent are that one's. */
export function withChildren(reports: readonly SessionReport[]): readonly SessionReport[] {
  const below = new Map<string, ChildReport[]>();
  for (const report of reports) {
    if (report.parent === null) continue;
    const siblings = below.get(report.parent);
    if (siblings) siblings.push(childReport(report));
    else below.set(report.parent, [childReport(report)]);
  }
  if (below.size === 0) return reports;
  return reports.map((one) => {
    const children = below.get(one.id);
    return children ? { ...one, children } : one;
  });
}

function childReport(session: SessionReport): ChildReport {
  const { id, title, state } = session;
  return { id, title, state, ...reportProgress(session), now: focusOf(session) ?? null };
}

/** How far it is with the list that is shown of it; cancelled todos are no work. */
export function reportProgress(session: SessionReport): { readonly done: number; readonly total: number } {
  const items = (shownFinish(session)?.todos ?? shownItems(session)).filter(({ status }) => status !== "cancelled");
  return { done: items.filter(({ status }) => status === "completed").length, total: items.length };
}

/** What it is on. */
export function focusOf(session: SessionReport): string | undefined {
  const focus = shownItems(session).find(({ status }) => status === "in_progress");
  return focus?.activeForm ?? focus?.text;
}

/** Todos whose last sub-agent has ended, and that are still in progress. */
export function offersOf(
  { list, tasks }: Pick<SessionView, "list" | "tasks">,
  { children = [] }: Pick<Session, "children">,
): readonly OfferReport[] {
  const current = currentList(list, { tool: undefined, tasks });
  return children.flatMap(({ agent, todo: number, isOffered }) => {
    const todo = isOffered ? inProgress(current.list, number) : undefined;
    return todo ? [{ agent, todo: number, text: todo.text, kind: nounOf(current) }] : [];
  });
}
