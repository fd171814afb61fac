import { type SessionReport, shownFinish, shownItems } from "../session-report.js";

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
