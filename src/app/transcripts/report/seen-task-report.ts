import { type JudgeTask, judgeTasks } from "../../../core/grounding/judged.js";
import type { SessionWork } from "../../../core/grounding/seen-work.js";
import type { Verdict } from "../../../core/grounding/verdict.js";
import type { SeenTask } from "../../../core/session/observation.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import { type FactsReport, reportJudged } from "../../todo/todo-report.js";

/** A task that an agent keeps with its own tools, or one of ours that the session holds. */
export interface SeenTaskReport extends Omit<SeenTask, "activeForm" | "owner"> {
  readonly activeForm: string | null;
  readonly owner: string | null;
  /** As those of todos. */
  readonly verdict: Verdict | null;
  readonly facts: FactsReport | null;
}

/** Those that are there, and have a name. */
export function taskReports(tasks: SessionView["tasks"], work?: SessionWork): readonly SeenTaskReport[] {
  const shown = tasks.filter(({ isDeleted, subject }) => !isDeleted && subject !== "");
  const judge = work && shown.length > 0 ? judgeTasks(tasks, work) : undefined;
  return shown.map((task) => seenTask(task, judge));
}

function seenTask(task: SeenTask, judge: JudgeTask | undefined): SeenTaskReport {
  const { id, subject, status, activeForm = null, owner = null, blocks, blockedBy } = task;
  return { id, subject, status, activeForm, owner, blocks, blockedBy, ...reportJudged(judge?.(task)) };
}
