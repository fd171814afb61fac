import { fail, ok, type Result } from "../../core/result.js";
import { ENDED_AFTER, SHOWN_STATES } from "../../core/session/session-state.js";
import { nearest } from "../../core/text/nearest.js";
import { agentNamed, KNOWN_TITLES } from "../agent-aliases.js";
import { type CommandContext, defineCommand, type Given } from "../command-definition.js";
import { choice, number, text, toggle } from "../fields.js";
import { nextStep, sameLine } from "../terminal/next-step.js";
import { paint } from "../terminal/paint.js";
import { showSessions } from "../terminal/sessions/session-detail.js";
import { tableRows } from "../terminal/sessions/session-table.js";
import { reportsOf } from "../transcripts/asked/asked-reports.js";
import { moreThan, type OpenBoard, openBoard } from "../transcripts/open-session-board.js";
import { RESUMED_AGENTS } from "../transcripts/report/resume-command.js";
import { boardOf } from "../transcripts/session-board.js";
import { filtersOf, parseSince, type SessionFilter, type Wanted } from "../transcripts/session-filter.js";
import { fewOf, type SessionReport } from "../transcripts/session-report.js";

interface Listed {
  readonly sessions: readonly SessionReport[];
  /** How many more there are. */
  readonly more: number;
  /** Not every transcript was read: there may be a few less. */
  readonly isMoreEstimated?: true;
  /** Filters that fit no session at all; else all of them, which fit none together. */
  readonly unmatched?: readonly string[];
  /** The one that was asked for. */
  readonly session?: string;
}

interface Asked extends Wanted {
  readonly limit?: number | undefined;
  readonly all: boolean;
}

export const sessions = defineCommand({
  details: `Every session on this machine: those that wait for you, then the newest. No setup is needed: transcripts of
${KNOWN_TITLES} are read, never changed, and never copied. Each session is followed by the command that resumes it.
With an id, or the prefix of an id: that session, with its list. A sub-agent is named by its own id, or as
SESSION/AGENT.`,
  examples: [
    "milepost sessions --here",
    "milepost sessions acc5a7",
    "milepost sessions --state waiting",
    "milepost sessions --since 2h --agent codex",
    "milepost sessions --here --json | jq -r '.sessions[] | [.state, .title] | @tsv'",
  ],
  words: ["session"],
  input: {
    session: text("SESSION", "session id, or a prefix of it"),
    limit: number("N", "maximum number of sessions (default: 20, or all with --all)", { least: 1 }),
    all: toggle("all sessions"),
    here: toggle("only sessions of this project"),
    state: choice(SHOWN_STATES, "only sessions in this state"),
    agent: text("CLIENT", "only sessions of one agent", { choices: RESUMED_AGENTS }),
    since: text("SINCE", "only sessions that were active since then: 2h, 3d, 2026-11-16", { check: checkSince }),
  },
  async run(context, { session, ...asked }): Promise<Result<Listed>> {
    return session === undefined ? listSessions(context, asked) : showOne(context, session);
  },
  show(listed, output, given) {
    const { sessions: found, session } = listed;
    if (session !== undefined) return showSessions(found, output);
    if (found.length === 0) return `${nothingFound(listed, given)}\n`;
    const rows = tableRows(found, output, Date.now());
    return `${[...rows, ...moreRows(listed, given).map((row) => paint(output, "dim", row))].join("\n")}\n`;
  },
});

function checkSince(typed: string): string | undefined {
  return parseSince(typed, 0) === undefined ? "use a duration such as 2h, or a date such as 2026-11-16" : undefined;
}

async function showOne(context: CommandContext, asked: string): Promise<Result<Listed>> {
  const found = await reportsOf(context, asked);
  return found.ok ? ok({ sessions: found.value, session: asked, more: 0 }) : found;
}

async function listSessions(context: CommandContext, asked: Asked): Promise<Result<Listed>> {
  const board = await openBoard(context);
  const now = Date.now();
  const agent = asked.agent === undefined ? undefined : agentNamed(asked.agent);
  const filters = filtersOf({ ...asked, agent }, context.folder, now);
  const limit = asked.limit ?? (asked.all ? EVERY : USUAL);
  await readFor(context, board, { ...asked, limit }, now);
  const isPicky = filters.length > 0;
  const isWhole = asked.all || isPicky;
  const most = isWhole ? EVERY : limit;
  const found = await boardOf(board.attachment, board.stored, { limit: most, now, ...wanting(filters) });
  for (const trouble of board.attachment.troubles) await context.notice(trouble);
  await board.keep();
  if (found.length === 0 && isPicky) return noneFound(context, board, filters, asked.agent);
  return ok(isWhole ? firstOf(found, limit) : { sessions: found, ...(await moreThan(board, found)) });
}

const EVERY = Number.MAX_SAFE_INTEGER;
/** How many are shown to whoever does not say. */
const USUAL = 20;

/** Filters look at all sessions; without one, the newest are enough. */
async function readFor(
  { progress }: CommandContext,
  board: OpenBoard,
  asked: Asked & { readonly limit: number },
  now: number,
): Promise<void> {
  const { attachment, stored } = board;
  const { all, here, agent, state, since, limit } = asked;
  if (all) attachment.widen();
  if (all) stored.widen();
  const isAll = all || here || agent !== undefined || state !== undefined || since !== undefined;
  await attachment.readNewest(isAll ? EVERY : limit, {
    since: since === undefined ? undefined : parseSince(since, now),
    atLeastSince: now - ENDED_AFTER,
    progress: (done) => progress(`Read ${done} of ${attachment.count} transcripts`),
  });
}

function wanting(filters: readonly SessionFilter[]) {
  if (filters.length === 0) return undefined;
  return {
    isWanted: (session: SessionReport, subAgents: readonly SessionReport[]) =>
      filters.every(({ fits }) => fits(session, subAgents)),
  };
}

async function noneFound(
  { line }: CommandContext,
  { attachment, stored }: OpenBoard,
  filters: readonly SessionFilter[],
  typed: string | undefined,
): Promise<Result<Listed>> {
  const limit = EVERY;
  const agents = new Set(RESUMED_AGENTS);
  const unmatched: string[] = [];
  // --since has left out what the others may fit.
  await attachment.readNewest(limit);
  for (const filter of filters) {
    const fitting = await boardOf(attachment, stored, { limit, now: Date.now(), ...wanting([filter]) });
    if (fitting.length === 0) unmatched.push(filter.said);
    for (const report of fitting) agents.add(report.agent);
  }
  if (typed !== undefined && !agents.has(agentNamed(typed)))
    return fail("bad-usage", unknownAgent(line, typed, [...agents]));
  const said = unmatched.length > 0 ? unmatched : filters.map((filter) => filter.said);
  return ok({ sessions: [], more: 0, unmatched: said });
}

function unknownAgent(line: readonly string[], typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  const again = near && sameLine(line, typed, near);
  const next = again
    ? `Did you mean: ${again}`
    : `There are ${known.join(", ")}. All sessions: milepost sessions --all`;
  return `No session is of an agent called ${typed}. ${next}`;
}

/** Sub-agents stand below their session, and take no place. */
function firstOf(found: readonly SessionReport[], limit: number): Listed {
  const total = found.filter(({ parent }) => parent === null).length;
  return { sessions: fewOf(found, limit), more: Math.max(0, total - limit) };
}

const NO_SESSIONS = "No sessions yet. Start an agent (Claude Code, Codex and many more), then run this again.";

function nothingFound({ unmatched = [] }: Listed, given: Given): string {
  if (unmatched.length === 0) return NO_SESSIONS;
  const all = nextStep("sessions --all", given, ["store"]);
  return `No session fits ${unmatched.join(" and ")}. All sessions: ${all}`;
}

function moreRows({ more, isMoreEstimated }: Listed, given: Given): readonly string[] {
  if (more === 0) return [];
  const here = given.here === true ? " --here" : "";
  const all = nextStep(`sessions --all${here}`, given, ["state", "agent", "since", "store"]);
  return [`${isMoreEstimated ? "about " : ""}${more} more: ${all}`];
}
