import { currentList, nounOf } from "../../../core/session/client/current-list.js";
import type { Session } from "../../../core/session/session.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import { inProgress } from "../../../core/session/turn/child-todos.js";
import type { ChildReport, OfferReport, SessionReport } from "../session-report.js";
import { childNotice } from "./child-notice.js";
import { focusOf, reportProgress } from "./report-progress.js";

/** Each session with its sub-agents; those below a sub-agent are that one's. */
export function withChildren(reports: readonly SessionReport[], at: number): readonly SessionReport[] {
  const below = new Map<string, ChildReport[]>();
  for (const report of reports) {
    if (report.parent === null) continue;
    const siblings = below.get(report.parent);
    if (siblings) siblings.push(childReport(report, at));
    else below.set(report.parent, [childReport(report, at)]);
  }
  if (below.size === 0) return reports;
  return reports.map((one) => {
    const children = below.get(one.id);
    return children ? { ...one, children } : one;
  });
}

function childReport(session: SessionReport, at: number): ChildReport {
  const { id, title, state } = session;
  return {
    id,
    title,
    state,
    ...reportProgress(session),
    now: focusOf(session) ?? null,
    notice: childNotice(session, at),
  };
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
