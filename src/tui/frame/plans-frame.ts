import type { PlanReport } from "../../app/plans/plan-report.js";
import { ageText } from "../../core/text/time-text.js";
import { currentPlan, shownPlans } from "../world.js";
import { type Canvas, drawCells, type Style } from "./cells.js";
import { agentWord } from "./session-words.js";
import { type Body, type Shown, windowBody, wordsBody } from "./view-body.js";

const STYLES: Readonly<Record<string, Style>> = { proposed: "yellow", approved: "green", rejected: "red" };

/** Plans, those that wait for a decision first. */
export function plansBody({ world, state, start }: Shown, canvas: Canvas): Body {
  const plans = shownPlans(world, state);
  if (plans === undefined) return wordsBody(["Reading plans ..."], canvas);
  if (plans.length === 0) {
    const isAll = state.filter.trim() === "";
    const none = isAll
      ? "No plans yet. An agent's plan is here as soon as it is proposed."
      : "No plan fits the filter.";
    return wordsBody([none], canvas);
  }
  const current = currentPlan(world, state);
  const cursor = plans.findIndex(({ id }) => id === current?.id);
  const draw = (plan: PlanReport, isCursor: boolean) => planRow(plan, { isCursor, now: world.now }, canvas);
  return windowBody(plans, draw, { cursor, start, rows: canvas.rows });
}

interface PlanLook {
  readonly isCursor: boolean;
  readonly now: number;
}

function planRow(plan: PlanReport, { isCursor, now }: PlanLook, { columns, pen }: Canvas): string {
  const { id, status, agent, project, title, proposedAt } = plan;
  const isNarrow = columns < 72;
  const isOver = status !== "proposed" && status !== "approved";
  const left = [
    { text: isCursor ? "▌" : " ", width: 1, style: "cyan" as const },
    { text: status, width: isNarrow ? 11 : 12, style: STYLES[status] ?? "dim" },
    { text: agent === null ? "-" : agentWord({ agent }), width: isNarrow ? 0 : 8 },
    { text: project ?? "-", width: isNarrow ? 0 : 13 },
    {
      text: proposedAt === null ? "" : ageText(now - Date.parse(proposedAt)),
      width: isNarrow ? 0 : 6,
      style: "dim" as const,
    },
  ];
  const right = { text: isNarrow ? "" : ` ${id}`, width: isNarrow ? 1 : 12, style: "dim" as const };
  const used = left.reduce((sum, { width }) => sum + width, right.width);
  const middle = { text: title, width: Math.max(0, columns - used), style: isOver ? ("dim" as const) : undefined };
  return drawCells([...left, middle, right], pen, isCursor);
}
