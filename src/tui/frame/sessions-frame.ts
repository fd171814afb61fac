import type { SessionReport } from "../../app/transcripts/session-report.js";
import type { GroupName, SessionGroup } from "../../app/watching/session-groups.js";
import { counted } from "../../core/text/length.js";
import type { ViewState } from "../view-state.js";
import { currentSession, type Size, shownGroups, type World } from "../world.js";
import { drawCells, drawText, type Pen, type Style } from "./cells.js";
import { sessionHeight, sessionRows } from "./session-row.js";
import { windowOf } from "./window.js";

const TITLES: Readonly<Record<GroupName, readonly [string, Style]>> = {
  "needs-you": ["NEEDS YOU", "yellow"],
  pinned: ["PINNED", "cyan"],
  alerts: ["ALERTS", "red"],
  stalled: ["STALLED", "red"],
  running: ["RUNNING", "green"],
  idle: ["IDLE", "dim"],
  ended: ["ENDED", "dim"],
  snoozed: ["SNOOZED", "dim"],
};

type Entry =
  | { readonly kind: "heading"; readonly group: SessionGroup }
  | { readonly kind: "session"; readonly session: SessionReport; readonly depth: number };

function entriesOf(groups: readonly SessionGroup[]): readonly Entry[] {
  return groups.flatMap((group): readonly Entry[] => [
    { kind: "heading", group },
    ...group.families.flatMap(({ session, below }): readonly Entry[] => [
      { kind: "session", session, depth: 0 },
      ...below.map((child) => ({ kind: "session", session: child, depth: depthOf(child, session) }) as const),
    ]),
  ]);
}

const DEEPEST = 4;

/** Sub-agents of sub-agents stand further in; files may say anything of who is whose. */
function depthOf({ id }: SessionReport, root: SessionReport): number {
  return Math.max(1, Math.min(DEEPEST, id.slice(root.id.length).split("/").length - 1));
}

/** What a body of the view is: its rows, where its window begins, and what is not on the screen. */
export interface Body {
  readonly rows: readonly string[];
  readonly start: number;
  /** Said at the end of the last row: how much there is above and below. */
  readonly rest: string;
}

export function sessionsBody(world: World, state: ViewState, size: Size, pen: Pen, start: number): Body {
  const entries = entriesOf(shownGroups(world, state.filter));
  const current = currentSession(world, { ...state, opened: undefined });
  if (entries.length === 0) return { rows: emptyRows(world, state, size, pen), start: 0, rest: "" };
  const cursor = entries.findIndex((entry) => entry.kind === "session" && entry.session === current);
  const heights = entries.map((entry) => (entry.kind === "heading" ? 1 : sessionHeight(entry.session, size.columns)));
  const shown = windowOf(heights, cursor === 1 ? 0 : cursor, size.rows, start);
  const rows = entries.slice(shown.start, shown.end).flatMap((entry) => {
    if (entry.kind === "heading") return [headingRow(entry.group, size.columns, pen)];
    return sessionRows(entry.session, { ...rowLook(world, entry, size, pen), isSelected: entry.session === current });
  });
  return { rows: rows.slice(0, size.rows), start: shown.start, rest: restText(entries, shown) };
}

function rowLook(world: World, { session, depth }: Extract<Entry, { kind: "session" }>, size: Size, pen: Pen) {
  return {
    pen,
    now: world.now,
    width: size.columns,
    isNew: world.isNew(session),
    isPinned: world.isPinned(session.id),
    branch: depth === 0 ? world.branchOf(session.folder) : undefined,
    depth,
  };
}

function headingRow({ name, families }: SessionGroup, columns: number, pen: Pen): string {
  const [title, style] = TITLES[name];
  const text = ` ${title} ${families.length} `;
  return drawCells(
    [
      { text, width: text.length, style },
      { text: "─".repeat(Math.max(0, columns - text.length)), width: Math.max(0, columns - text.length), style: "dim" },
    ],
    pen,
  );
}

function restText(entries: readonly Entry[], { start, end }: { readonly start: number; readonly end: number }): string {
  const count = (part: readonly Entry[]) =>
    part.filter((entry) => entry.kind === "session" && entry.depth === 0).length;
  const [above, below] = [count(entries.slice(0, start)), count(entries.slice(end))];
  return [...(above > 0 ? [`${above} more ↑`] : []), ...(below > 0 ? [`${below} more ↓`] : [])].join("  ");
}

function emptyRows(
  { isReading, totals }: World,
  { filter }: ViewState,
  { columns }: Size,
  pen: Pen,
): readonly string[] {
  const words = isReading
    ? ["Reading transcripts ..."]
    : filter.trim() !== ""
      ? [`No session fits "${filter}". esc takes the filter away; ${counted(totals.sessions, "session")} in all.`]
      : [
          "No sessions yet.",
          "Start an agent: Claude Code, Codex, oh-my-pi, pi or Hermes. It appears here by itself.",
          "milepost setup lets you tick off, add and tell. milepost demo plays a session.",
        ];
  return ["", ...words.map((text) => drawText(`  ${text}`, columns, pen))];
}
