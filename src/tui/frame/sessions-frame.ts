import type { SessionReport } from "../../app/transcripts/session-report.js";
import type { GroupName, SessionGroup } from "../../app/watching/session-groups.js";
import { counted } from "../../core/text/length.js";
import { currentSession, shownGroups } from "../world.js";
import { type Canvas, drawCells, type Style } from "./cells.js";
import { type RowLook, sessionHeight, sessionRows } from "./session-row.js";
import { type Body, type Shown, wordsBody } from "./view-body.js";
import { heldCursor, type Window, windowOf } from "./window.js";

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

/** All sessions in their groups: who needs the person first. */
export function sessionsBody(shown: Shown, canvas: Canvas): Body {
  const { world, state, start } = shown;
  const entries = entriesOf(shownGroups(world, state.filter));
  if (entries.length === 0) return wordsBody(emptyWords(shown), canvas);
  const current = currentSession(world, { ...state, opened: undefined });
  const cursor = entries.findIndex((entry) => entry.kind === "session" && entry.session === current);
  const heights = entries.map((entry) => (entry.kind === "heading" ? 1 : sessionHeight(entry.session, canvas.columns)));
  const window = windowOf(heights, heldCursor(heights, cursor, canvas.rows), canvas.rows, start);
  const rows = entries
    .slice(window.start, window.end)
    .flatMap((entry) =>
      entry.kind === "heading"
        ? [headingRow(entry.group, canvas)]
        : sessionRows(entry.session, lookOf(shown, entry, entry.session === current), canvas),
    );
  return { rows: rows.slice(0, canvas.rows), start: window.start, rest: restOf(entries, window) };
}

function lookOf(
  { world }: Shown,
  { session, depth }: Extract<Entry, { kind: "session" }>,
  isSelected: boolean,
): RowLook {
  return {
    now: world.now,
    isSelected,
    isNew: world.isNew(session),
    isPinned: world.isPinned(session.id),
    branch: depth === 0 ? world.branchOf(session.folder) : undefined,
    depth,
  };
}

function headingRow({ name, families }: SessionGroup, { columns, pen }: Canvas): string {
  const [title, style] = TITLES[name];
  const text = ` ${title} ${families.length} `;
  const width = Math.max(0, columns - text.length);
  return drawCells(
    [
      { text, width: text.length, style },
      { text: "─".repeat(width), width, style: "dim" },
    ],
    pen,
  );
}

/** Counted in sessions, without headings and sub-agents. */
function restOf(entries: readonly Entry[], { start, end }: Window): string {
  const count = (part: readonly Entry[]) =>
    part.filter((entry) => entry.kind === "session" && entry.depth === 0).length;
  const [above, below] = [count(entries.slice(0, start)), count(entries.slice(end))];
  return [...(above > 0 ? [`${above} more ↑`] : []), ...(below > 0 ? [`${below} more ↓`] : [])].join("  ");
}

function emptyWords({ world: { isReading, totals }, state: { filter } }: Shown): readonly string[] {
  if (isReading) return ["Reading transcripts ..."];
  if (filter.trim() !== "")
    return [`No session fits "${filter}". esc takes the filter away; ${counted(totals.sessions, "session")} in all.`];
  return [
    "No sessions yet.",
    "Start an agent (Claude Code, Codex and many more). It appears here by itself.",
    "milepost setup lets you tick off, add and tell. milepost demo plays a session.",
  ];
}
