import { promptText } from "../../../core/text/prompt-text.js";
import type { Answer } from "../../dialect.js";

// What a model reads about its plan. A plan's title and a person's words are quoted: they cannot look like ours.

/** A plan as the answers need it. */
export interface ToldPlan {
  readonly id: string;
  readonly title: string;
  readonly status: "draft" | "proposed" | "approved" | "rejected" | "superseded";
  /** What the person said with the decision. */
  readonly reason?: string | undefined;
  readonly supersededBy?: string | undefined;
  /** What was approved, where the person changed what the model had proposed. */
  readonly editedText?: string | undefined;
}

/** Lines that a person can type as they are. */
export interface PlanCommands {
  readonly approve: string;
  readonly reject: string;
  readonly show: string;
}

const LONGEST_REASON = 2000;
const LONGEST_TITLE = 120;
/** Of a text that the person changed; the rest is in the store. */
const MOST_LINES = 400;
const LONGEST_LINE = 500;

/** `why`: what happened first. */
export function planAnswer(plan: ToldPlan, commands: PlanCommands, why?: string): Answer {
  const state = stateText(plan, commands);
  return { text: why === undefined ? state : `${why} ${state}`, isError: false };
}

export function noPlan(): Answer {
  return { text: 'This session has no plan. {"text":"# Title\\n\\n1. First step"} proposes one.', isError: false };
}

export function refusedPlan(why: string): Answer {
  return { text: `${why} Nothing was changed.`, isError: true };
}

function stateText(plan: ToldPlan, commands: PlanCommands): string {
  const { id, status, reason, supersededBy } = plan;
  const name = `${id} ${quoted(plan.title, LONGEST_TITLE)}`;
  switch (status) {
    case "draft":
      return `Plan ${name} is still being written. Propose it when it is whole.`;
    case "proposed":
      return [
        `Plan ${name} is proposed and waits for the person: do not start before it is approved. The person decides with`,
        commands.approve,
        commands.reject,
        "Then {} tells the decision.",
      ].join("\n");
    case "approved":
      return [`Plan ${name} is approved: start.${said(reason)}`, ...changedLines(plan, commands)].join("\n");
    case "rejected":
      return `Plan ${name} is rejected.${said(reason)} ${reason ? "Change it and" : "Ask what to change, then"} propose it anew; do not start.`;
    case "superseded":
      return `Plan ${name} is superseded${supersededBy === undefined ? "" : ` by ${supersededBy}`}: do not start it.`;
  }
}

function said(reason: string | undefined): string {
  return reason ? ` The person said: ${quoted(reason, LONGEST_REASON)}.` : "";
}

/** What is quoted ends where the quote ends. */
function quoted(text: string, max: number): string {
  return `"${promptText(text, max).replaceAll('"', "'")}"`;
}

/** The model knows only what it wrote itself. */
function changedLines({ editedText }: ToldPlan, { show }: PlanCommands): readonly string[] {
  if (editedText === undefined) return [];
  const lines = editedText.split(/\r?\n/);
  const shown = lines.slice(0, MOST_LINES).map((line) => `> ${indented(line)}`.trimEnd());
  const rest = lines.length > MOST_LINES ? [`> ... ${lines.length - MOST_LINES} more lines: ${show}`] : [];
  return ["The person changed it first. This is what was approved:", ...shown, ...rest];
}

/** Steps below steps stay below them. */
function indented(line: string): string {
  const [blank = ""] = /^[ \t]{0,20}/.exec(line) ?? [];
  return blank.replaceAll("\t", "  ") + promptText(line, LONGEST_LINE);
}
