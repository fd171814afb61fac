/** A session, or a sub-agent in one, as a person can name it. */
export interface NamedSession {
  /** The id of the session; of a sub-agent that of the session above it. */
  readonly session: string;
  readonly agent?: string | undefined;
}

/** Of the ids that somebody typed, `agent` belongs to `--agent`, or stands behind a slash. */
export type AskedName = NamedSession;

/** `SESSION/AGENT`, or one id. With `--agent` the sub-agent is named apart. */
export function readName(asked: string, agent?: string): AskedName {
  const slash = asked.indexOf("/");
  if (slash < 0 || agent !== undefined) return { session: asked, agent };
  return { session: asked.slice(0, slash), agent: asked.slice(slash + 1) || undefined };
}

/** The id by which it is known among all: `SESSION` or `SESSION/AGENT`. */
export function wholeName({ session, agent }: NamedSession): string {
  return agent === undefined ? session : `${session}/${agent}`;
}

/** A sub-agent of a sub-agent is in the session to some, and in its parent to others: its own id tells. */
export function isSameName(one: NamedSession, other: NamedSession): boolean {
  if (one.agent !== other.agent) return false;
  return one.session === other.session || (one.agent !== undefined && one.agent.length >= UNIQUE);
}

/** A UUID; shorter ids of sub-agents may be used in another session, too. */
const UNIQUE = 36;

/**
 * Those that are meant: with just that id, a session before a sub-agent; else all whose id begins so. A sub-agent is
 * also known by its own id alone.
 */
export function matchSessions<Known extends NamedSession>(known: readonly Known[], asked: AskedName): readonly Known[] {
  const whole = known.filter((one) => isCalled(one, asked, (id, typed) => id === typed));
  const roots = asked.agent === undefined ? whole.filter(({ agent }) => agent === undefined) : [];
  if (whole.length > 0) return roots.length > 0 ? roots : whole;
  const inSession = known.filter((one) => isCalled(one, asked, (id, typed, part) => fits(id, typed, part, "agent")));
  if (inSession.length > 0) return inSession;
  return known.filter((one) => isCalled(one, asked, (id, typed) => id.startsWith(typed)));
}

type Part = "session" | "agent";

/** A session that was named in full is that one, also where another one's id begins so. */
function fits(id: string, typed: string, part: Part, open: Part): boolean {
  return part === open ? id.startsWith(typed) : id === typed;
}

function isCalled(
  { session, agent }: NamedSession,
  asked: AskedName,
  isSame: (id: string, typed: string, part: Part) => boolean,
): boolean {
  if (asked.agent === undefined) return isSame(agent ?? session, asked.session, "session");
  return agent !== undefined && isSame(session, asked.session, "session") && isSame(agent, asked.agent, "agent");
}

const SHORT = 6;
/** A UUID of version 7 begins with its time: with fewer letters, sessions of the same minute look the same. */
const SHORT_TIMED = 13;

/** Enough to tell sessions apart, and to name one by. */
export function shortId(id: string): string {
  if (id.length <= 2 * SHORT) return id;
  const prefix = /^[a-z-]+:/.exec(id)?.[0] ?? "";
  const length = /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id.slice(prefix.length)) ? SHORT_TIMED : SHORT;
  return id.slice(0, prefix.length + length);
}

/** The beginning of an id that no other of these ids has, at least as long as the short one. */
export function distinctId(id: string, others: readonly string[]): string {
  for (let length = shortId(id).length; length < id.length; length += 1) {
    const beginning = id.slice(0, length);
    if (!others.some((other) => other !== id && other.startsWith(beginning))) return beginning;
  }
  return id;
}
