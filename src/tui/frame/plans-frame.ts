import type { PlanReport } from "../../app/plans/plan-report.js";
import { ageText } from "../../core/text/time-text.js";
import type { ViewState } from "../view-state.js";
import { currentPlan, type Size, shownPlans, type World } from "../world.js";
import { drawCells, drawText, type Pen, type Style } from "./cells.js";
import { agentWord } from "./session-words.js";
import type { Body } from "./sessions-frame.js";
import { windowOf } from "./window.js";

const STYLES: Readonly<Record<string, Style>> = { proposed: "yellow", approved: "green", rejected: "red" };

/** Plans, those that wait for a decision first. */
export function plansBody(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const plans = shownPlans(world, state);
  if (plans === undefined) return { rows: ["", drawText("  Reading plans ...", columns, pen)], start: 0, rest: "" };
  if (plans.length === 0) {
    const none =
      state.filter.trim() === ""
        ? "No plans yet. An agent's plan is here as soon as it is proposed."
        : "No plan fits the filter.";
    return { rows: ["", drawText(`  ${none}`, columns, pen)], start: 0, rest: "" };
  }
  const current = currentPlan(world, state);
  const cursor = plans.findIndex(({ id }) => id === current?.id);
  const shown = windowOf(
    plans.map(() => 1),
    cursor,
    rows,
    start,
  );
  const drawn = plans
    .slice(shown.start, shown.end)
    .map((plan) => planRow(plan, plan === current, world.now, columns, pen));
  const below = plans.length - shown.end;
  return { rows: drawn, start: shown.start, rest: below > 0 ? `${below} more ↓` : "" };
}

function planRow(plan: PlanReport, isCursor: boolean, now: number, columns: number, pen: Pen): string {
  const { id, status, agent, project, title, proposedAt } = plan;
  const isNarrow = columns < 72;
  const fixed = isNarrow ? 13 : 8 + 13 + 13 + 6 + 12;
  const isOver = status !== "proposed" && status !== "approved";
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: status, width: isNarrow ? 11 : 12, style: STYLES[status] ?? "dim" },
      { text: agent === null ? "-" : agentWord({ agent }), width: isNarrow ? 0 : 8 },
      { text: project ?? "-", width: isNarrow ? 0 : 13 },
      { text: proposedAt === null ? "" : ageText(now - Date.parse(proposedAt)), width: isNarrow ? 0 : 6, style: "dim" },
      { text: title, width: Math.max(0, columns - 1 - fixed), style: isOver ? "dim" : undefined },
      { text: isNarrow ? "" : id, width: isNarrow ? 1 : 12, style: "dim" },
    ],
    pen,
    isCursor,
  );
}
