import { basename } from "node:path";
import type { Failure } from "../../../core/result.js";
import { distinctId, type NamedSession, wholeName } from "../../../core/session/match-session.js";
import { counted } from "../../../core/text/length.js";
import { nearestId } from "../../../core/text/nearest.js";
import { agoText } from "../../../core/text/time-text.js";
import { sessionStream } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import { storeNow } from "../../store-place.js";
import { givenStore, nextStep, sameLine } from "../../terminal/next-step.js";
import type { AskedTranscripts } from "../../transcripts/asked/asked-transcripts.js";
import type { SeenSession } from "../../transcripts/seen-session.js";
import { storeToRead } from "../../transcripts/store-to-read.js";
import { SESSIONS } from "../session-view.js";

// What is said where a name means no session, or several: always with a command that works.

export interface StoredName extends NamedSession {
  /** When it was last written to, by the store's clock. */
  readonly at: number;
}

/** A session that a name may mean. */
export interface Match extends NamedSession {
  readonly at?: number;
  readonly seen?: SeenSession;
}

/** What was looked for, and where. */
export interface Search {
  readonly context: CommandContext;
  readonly asked: { readonly session?: string | undefined; readonly agent?: string | undefined };
  readonly stored: readonly StoredName[];
  readonly transcripts: AskedTranscripts;
}

const MOST_NAMED = 5;

export async function severalFound(search: Search, matches: readonly Match[]): Promise<Failure> {
  const { context, asked } = search;
  const store = await storeToRead(context);
  const now = await storeNow(store);
  const described = matches.slice(0, MOST_NAMED).map(async (match) => {
    const { folder, client } = match.seen
      ? { folder: match.seen.view.folder, client: match.seen.view.agent }
      : await store.view(SESSIONS, sessionStream(match.session));
    const age = match.seen ? Date.now() - match.seen.grewAt : now - (match.at ?? now);
    const facts = [basename(folder) || "no project", ...(client === "" ? [] : [client]), agoText(age)];
    return `${shortName(search, match, matches)} (${facts.join(", ")})`;
  });
  const names = (await Promise.all(described)).join(", ");
  const more = matches.length > MOST_NAMED ? `, and ${matches.length - MOST_NAMED} more` : "";
  const [first] = matches;
  const next = first && again(search, shortName(search, first, matches));
  const typed = asked.agent ?? asked.session ?? "";
  return {
    code: "bad-usage",
    message: `${counted(matches.length, "session")} begin with ${typed}: ${names}${more}. Did you mean: ${next}`,
  };
}

/** As short as it can be said. */
function shortName(
  { stored, transcripts }: Search,
  match: NamedSession,
  matches: readonly NamedSession[] = [],
): string {
  const own = ownId(match);
  // Sub-agents of two sessions may have the same id.
  if (matches.some((other) => other !== match && ownId(other) === own)) return wholeName(match);
  return distinctId(own, [...stored.map(ownId), ...transcripts.ids]);
}

function ownId({ session, agent }: NamedSession): string {
  return agent ?? session;
}

export function unknownSession(search: Search, typed: string): Failure {
  const { context, stored, transcripts } = search;
  const ids = [...new Set([...stored.map(ownId), ...transcripts.ids])];
  const near = nearestId(typed, ids) ?? ids.find((id) => typed.length >= PART && id.includes(typed));
  const next =
    near === undefined
      ? `All sessions: ${nextStep("sessions --all", { store: givenStore(context) }, ["store"])}`
      : `Did you mean: ${again(search, distinctId(near, ids))}`;
  return {
    code: "unknown-session",
    message: [`No session is called ${typed}.`, ...transcripts.troubles, next].join(" "),
  };
}

/** Letters from which on a part of an id is no accident. */
const PART = 4;

export function unknownAgent(search: Search, { session, agent = "" }: NamedSession): Failure {
  const { context, stored, transcripts } = search;
  const known = [...stored, ...transcripts.names].flatMap((one) => (one.session === session ? (one.agent ?? []) : []));
  const ids = [...new Set(known)];
  const near = nearestId(agent, ids) ?? (ids.length === 1 ? ids[0] : undefined);
  const line = near !== undefined && again(search, search.asked.agent === undefined ? `${session}/${near}` : near);
  const next = line
    ? `Did you mean: ${line}`
    : `What is known of it: ${nextStep(`sessions ${session}`, { store: givenStore(context) }, ["store"])}`;
  return {
    code: "unknown-agent",
    message: [`Session ${session} has no sub-agent called ${agent}.`, ...transcripts.troubles, next].join(" "),
  };
}

/** The same command for this one. */
function again({ context, asked }: Search, name: string): string {
  const typed = asked.agent ?? asked.session ?? "";
  const where = { session: name, store: givenStore(context) };
  return sameLine(context.line, typed, name) ?? nextStep("todo list", where, Object.keys(where));
}
