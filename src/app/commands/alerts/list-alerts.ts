import { ok, type Result } from "../../../core/result.js";
import { distinctId } from "../../../core/session/match-session.js";
import { ENDED_AFTER } from "../../../core/session/session-state.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { ageText } from "../../../core/text/time-text.js";
import { type CommandContext, defineCommand, type Given, type Output } from "../../command-definition.js";
import { text, toggle } from "../../fields.js";
import { nextStep } from "../../terminal/next-step.js";
import { paint } from "../../terminal/paint.js";
import { cutToWidth, screenWidth } from "../../terminal/text-width.js";
import { reportsOf } from "../../transcripts/asked/asked-reports.js";
import { openBoard } from "../../transcripts/open-session-board.js";
import type { AlertReport } from "../../transcripts/report/alert-report.js";
import { boardOf } from "../../transcripts/session-board.js";
import type { SessionReport } from "../../transcripts/session-report.js";

interface SessionAlerts extends Pick<SessionReport, "title" | "agent" | "state" | "project"> {
  readonly session: string;
  readonly alerts: readonly AlertReport[];
}

interface Listed {
  readonly sessions: readonly SessionAlerts[];
}

export const listAlerts = defineCommand({
  details: `Alerts that are not over, of sessions that were active in the last day; with a session, of that one. An
alert is over when something has gone forward since: a file was changed, a call had another outcome, a person has
spoken. --all shows those that are over, too.`,
  examples: ["milepost alerts", "milepost alerts list --all --json"],
  words: ["session"],
  input: {
    session: text("SESSION", "session id, or a prefix of it (default: all sessions of the last day)"),
    all: toggle("also alerts that are over"),
  },
  async run(context, { session, all }): Promise<Result<Listed>> {
    const reports = session === undefined ? ok(await recentReports(context)) : await reportsOf(context, session);
    if (!reports.ok) return reports;
    const found = reports.value.map((report) => alertsOf(report, all)).filter(({ alerts }) => alerts.length > 0);
    return ok({ sessions: found });
  },
  show: (listed, output, given) => (listed.sessions.length === 0 ? noneText(given) : alertsText(listed, output, given)),
});

const MOST_SESSIONS = 100;

async function recentReports(context: CommandContext): Promise<readonly SessionReport[]> {
  const board = await openBoard(context);
  const now = Date.now();
  const { attachment, stored } = board;
  const progress = (done: number) => context.progress(`Read ${done} of ${attachment.count} transcripts`);
  await attachment.readNewest(MOST_SESSIONS, { since: now - ENDED_AFTER, progress });
  const reports = await boardOf(attachment, stored, { limit: MOST_SESSIONS, now });
  for (const trouble of attachment.troubles) await context.notice(trouble);
  await board.keep();
  return reports;
}

function alertsOf({ id, title, agent, state, project, alerts }: SessionReport, isAll: boolean): SessionAlerts {
  return { session: id, title, agent, state, project, alerts: alerts.filter(({ isOver }) => isAll || !isOver) };
}

function noneText(given: Given): string {
  const all =
    given.all === true ? "" : ` Those that are over: ${nextStep("alerts list --all", given, ["session", "store"])}`;
  return `No alerts.${all}\n`;
}

function alertsText({ sessions }: Listed, output: Output, given: Given): string {
  const ids = sessions.map(({ session }) => session);
  const now = Date.now();
  const fitRow = (row: string) => cutToWidth(row, screenWidth(output));
  const rows = sessions.flatMap(({ session, title, agent, state, alerts }) => [
    paint(output, "bold", fitRow(`${agent}  ${distinctId(session, ids)}  ${state}  ${terminalText(title)}`)),
    ...alerts.map((alert) => fitRow(`  ${alertText(alert, now)}`)),
  ]);
  return `${[...rows, paint(output, "dim", muteHint(sessions, given))].join("\n")}\n`;
}

function alertText({ detector, level, at, message, isOver }: AlertReport, now: number): string {
  const when = at === null ? "" : ` ${ageText(now - Date.parse(at))} ago`;
  return `${isOver ? "over" : level.padEnd(4)}  ${detector}${when}: ${terminalText(message)}`;
}

function muteHint([first]: readonly SessionAlerts[], given: Given): string {
  const detector = first?.alerts[0]?.detector ?? "";
  const mute = nextStep(`alerts mute ${detector}`, { ...given, session: first?.session }, ["session", "store"]);
  return `If this is fine: ${mute}`;
}
