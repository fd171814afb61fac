import { counted } from "../../../core/text/length.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import type { ChildReport, SessionReport } from "../../transcripts/session-report.js";
import { shellWord } from "../next-step.js";

const isAtWork = ({ state }: ChildReport) => state === "running" || state === "waiting";

/** ` · 2 sub-agents, 1 running`; nothing once all have ended. */
export function subAgentCount({ children }: Pick<SessionReport, "children">): string {
  return children.every(({ state }) => state === "ended") ? "" : ` · ${countText(children)}`;
}

function countText(children: readonly ChildReport[]): string {
  const [running, waiting] = ["running", "waiting"].map(
    (word) => children.filter(({ state }) => state === word).length,
  );
  return [
    counted(children.length, "sub-agent"),
    ...(running ? [`${running} running`] : []),
    ...(waiting ? [`${waiting} waiting`] : []),
  ].join(", ");
}

const MOST = 20;

/** A tree: each sub-agent with its state, its progress and what it is on; those below it under it. */
export function subAgentRows(session: SessionReport, all: readonly SessionReport[]): readonly string[] {
  const { children } = session;
  return children.length === 0 ? [] : [`${countText(children)}:`, ...treeRows(children, all, "", [session.id])];
}

function treeRows(
  children: readonly ChildReport[],
  all: readonly SessionReport[],
  indent: string,
  above: readonly string[],
): readonly string[] {
  // Those that are at work are never left out for others.
  const shown = [...children.filter(isAtWork), ...children.filter((child) => !isAtWork(child))].slice(0, MOST);
  const left = children.length - shown.length;
  const rows = shown.flatMap((child, at) => {
    const isLast = at === shown.length - 1 && left === 0;
    const own = all.find(({ id }) => id === child.id)?.children ?? [];
    // Files may say anything of who is whose.
    const isNew = !above.includes(child.id) && above.length < MOST;
    const under = isNew ? treeRows(own, all, `${indent}${isLast ? "  " : "│ "}`, [...above, child.id]) : [];
    return [`${indent}${isLast ? "└" : "├"} ${childText(child)}`, ...under];
  });
  return left === 0 ? rows : [...rows, `${indent}└ ${left} more`];
}

/** What a person may have to act on; all else the row shows already. */
const SHOWN_NOTICES = ["stall", "error", "timeout"];

function childText({ id, title, state, done, total, now, notice }: ChildReport): string {
  const name = terminalText(id.split("/").at(-1) ?? id);
  const progress = total === 0 ? [] : [`${done}/${total}`];
  const about = now === null ? title : `▸ ${now}`;
  const told = notice && SHOWN_NOTICES.includes(notice.kind) ? [terminalText(notice.text)] : [];
  return [name, state, ...progress, ...(about === "" ? [] : [terminalText(about)]), ...told].join("  ");
}

/** Todos that may be done, because the sub-agents that worked on them are. */
export function offerRows({ id, offers }: Pick<SessionReport, "id" | "offers">): readonly string[] {
  return offers.flatMap(({ agent, todo, text, kind }) => [
    `${kind} ${todo} may be done, sub-agent ${terminalText(agent)} has ended: ${terminalText(text)}`,
    ...(kind === "task" ? [] : [`milepost todo done ${todo} --session ${shellWord(id)}`]),
  ]);
}
