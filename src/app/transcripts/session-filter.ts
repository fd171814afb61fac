import { parseDuration } from "../../core/text/duration.js";
import { isSameProject } from "../session/find/this-project.js";
import type { SessionReport } from "./session-report.js";
import { isOnTable } from "./session-report.js";

/** Which sessions are wanted: a session, with its sub-agents, that every filter fits. */
export interface SessionFilter {
  /** As a person typed it. */
  readonly said: string;
  fits(session: SessionReport, subAgents: readonly SessionReport[]): boolean;
}

export interface Wanted {
  readonly here: boolean;
  readonly agent?: string | undefined;
  readonly state?: string | undefined;
  readonly since?: string | undefined;
}

export function filtersOf(
  { here, agent, state, since }: Wanted,
  folder: string,
  now: number,
): readonly SessionFilter[] {
  const filters: (SessionFilter | undefined)[] = [
    here ? { said: "--here", fits: (session) => isSameProject(session.folder ?? "", folder) } : undefined,
    agent === undefined ? undefined : { said: `--agent ${agent}`, fits: (session) => session.agent === agent },
    state === undefined ? undefined : { said: `--state ${state}`, fits: isIn(state) },
    since === undefined ? undefined : { said: `--since ${since}`, fits: isAfter(parseSince(since, now) ?? 0) },
  ];
  return filters.filter((filter) => filter !== undefined);
}

/** Who is asked something by a sub-agent is waited for, whatever its session does meanwhile. */
function isIn(state: string): SessionFilter["fits"] {
  return (session, subAgents) =>
    session.state === state || subAgents.some((one) => one.state === state && isOnTable(one));
}

function isAfter(since: number): SessionFilter["fits"] {
  return ({ updatedAt }) => updatedAt !== null && Date.parse(updatedAt) >= since;
}

/** `2h` ago, a day from its beginning here, or a time. Undefined for anything else. */
export function parseSince(text: string, now: number): number | undefined {
  // A number without a unit may be a year.
  const length = /^\d+$/.test(text) ? undefined : parseDuration(text);
  if (length !== undefined) return now - length;
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\S+))?$/.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  // Without an offset it is the person's own time, also for a day.
  const at = Date.parse(`${year}-${month}-${day}T${time ?? "00:00"}`);
  return Number.isNaN(at) ? undefined : at;
}
