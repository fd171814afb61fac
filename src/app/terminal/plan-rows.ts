import type { DecisionWay, PlanStatus } from "../../core/plan/plan.js";
import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import { ageText, agoText } from "../../core/text/time-text.js";
import type { Given, Output } from "../command-definition.js";
import type { PlanReport } from "../plans/plan-report.js";
import { markdownRows } from "./markdown/markdown-text.js";
import { nextStep } from "./next-step.js";
import { sessionName } from "./owner-text.js";
import { paint } from "./paint.js";
import { cutToWidth, fitWidth, screenWidth, stringWidth } from "./text-width.js";

type Style = Parameters<typeof paint>[1];

const STYLES: Readonly<Partial<Record<PlanStatus, Style>>> = { proposed: "yellow", approved: "green", rejected: "red" };

const GAP = "  ";
const AGENT_MAX = 12;
const PROJECT_MAX = 18;
/** Without room for agent and project. */
const NARROW = 70;

/** A heading, and a row for each plan. */
export function planTable(plans: readonly PlanReport[], output: Output, now: number): readonly string[] {
  const screen = screenWidth(output);
  const columns = screen < NARROW ? COLUMNS.filter(({ isOptional }) => !isOptional) : COLUMNS;
  const cells = plans.map((plan) => columns.map(({ text }) => text(plan, now)));
  const widths = columns.map(({ name, most }, at) =>
    Math.min(most, Math.max(stringWidth(name), ...cells.map((row) => stringWidth(row[at] ?? "")))),
  );
  const rowOf = (texts: readonly string[], title: string) => {
    const start = texts.map((text, at) => fitWidth(text, widths[at] ?? 0, columns[at]?.isRight === true)).join(GAP);
    return cutToWidth(`${start}${GAP}${title}`, screen);
  };
  const heading = rowOf(
    columns.map(({ name }) => name),
    "PLAN",
  );
  const rows = plans.map((plan, at) => {
    const row = rowOf(cells[at] ?? [], terminalText(plan.title));
    const style = STYLES[plan.status];
    return style === undefined ? paint(output, "dim", row) : paintStatus(row, plan.status, style, output);
  });
  return [paint(output, "dim", heading), ...rows];
}

interface Column {
  readonly name: string;
  readonly most: number;
  readonly isRight?: boolean;
  readonly isOptional?: boolean;
  readonly text: (plan: PlanReport, now: number) => string;
}

const COLUMNS: readonly Column[] = [
  { name: "ID", most: 10, text: ({ id }) => terminalText(id) },
  { name: "STATUS", most: 10, text: ({ status }) => status },
  { name: "AGE", most: 4, isRight: true, text: ({ proposedAt }, now) => ageOf(proposedAt, now) },
  { name: "AGENT", most: AGENT_MAX, isOptional: true, text: ({ agent }) => agentText(agent) },
  { name: "PROJECT", most: PROJECT_MAX, isOptional: true, text: ({ project }) => terminalText(project ?? "") },
];

function ageOf(at: string | null, now: number): string {
  return at === null ? "" : ageText(now - Date.parse(at));
}

function agentText(agent: string | null): string {
  return terminalText((agent ?? "").replace(/^claude-code$/, "claude"));
}

/** Behind the id, where nothing that an agent wrote can stand. */
function paintStatus(row: string, status: PlanStatus, style: Style, output: Output): string {
  const at = row.indexOf(status);
  if (at < 0) return row;
  return `${row.slice(0, at)}${paint(output, style, status)}${row.slice(at + status.length)}`;
}

const INDENT = "  ";

/** All of a plan; what the agent wrote is indented, so that none of its rows looks like one of ours. */
export function planDetail(plan: PlanReport, output: Output, given: Given, now: number): readonly string[] {
  const { id, title, status, text } = plan;
  const state = STYLES[status] ? paint(output, STYLES[status], status) : status;
  const inner = { ...output, columns: Math.max(1, output.columns - INDENT.length) };
  return [
    `${paint(output, "bold", `Plan ${terminalText(id)}`)}  ${state}${decisionText(plan, now)}`,
    ...[terminalText(title), ...aboutRows(plan, now)].map((row) => `${INDENT}${row}`),
    "",
    ...markdownRows(text, inner).map((row) => `${INDENT}${row}`.trimEnd()),
    "",
    ...decideRows(plan, given),
  ];
}

const WAYS: Readonly<Record<DecisionWay, string>> = {
  command: "with a command",
  elicitation: "in a form that its client showed",
  client: "in its client's own dialogue",
};

function decisionText({ decidedBy, decidedVia, decidedAt, supersededBy, status }: PlanReport, now: number): string {
  if (status === "superseded") return ` by plan ${terminalText(supersededBy ?? "")}`;
  if (decidedBy === null) return "";
  const when = decidedAt === null ? "" : `, ${agoText(now - Date.parse(decidedAt))}`;
  return ` by ${terminalText(decidedBy)} ${decidedVia === null ? "" : WAYS[decidedVia]}${when}`;
}

function aboutRows(plan: PlanReport, now: number): readonly string[] {
  const { session, agent, project, hash, supersedes, reason, proposedAt } = plan;
  const whose = session === null ? "no session" : terminalText(sessionName(agent ?? "", session));
  const age = proposedAt === null ? [] : [`proposed ${agoText(now - Date.parse(proposedAt))}`];
  return [
    [...(project === null ? [] : [terminalText(project)]), whose, ...age, `hash ${hash.slice(0, HASH_SHOWN)}`].join(
      " · ",
    ),
    ...(supersedes === null ? [] : [`replaces plan ${terminalText(supersedes)}`]),
    ...(reason === null ? [] : terminalLines(`reason: ${reason}`)),
  ];
}

const HASH_SHOWN = 8;

/** The commands that decide, as they run. */
export function decideRows({ id, hash, status }: PlanReport, given: Given): readonly string[] {
  if (status !== "proposed") return [`Only the text: ${nextStep(`plan show ${id} --raw`, given, ["store"])}`];
  return [
    `To approve: ${nextStep(`plan approve ${id} --hash ${hash.slice(0, HASH_SHOWN)}`, given, ["store"])}`,
    `To reject:  ${nextStep(`plan reject ${id} --reason "..."`, given, ["store"])}`,
  ];
}
