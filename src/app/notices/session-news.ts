import { reasonText } from "../../core/session/state/reason.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { type SessionReport, shownItems } from "../transcripts/session-report.js";

// The room of notices: what a person is told of who does not look. session-news.ts says what is news, notifier.ts how
// often it is told, desktop-way.ts what the terminal takes, own-command.ts starts the person's own program.

/** Something that a person may want to know at once. Its texts are one row each, safe for a terminal. */
export interface Notice {
  readonly kind: "waits" | "stuck" | "ended";
  readonly session: string;
  readonly title: string;
  readonly text: string;
}

/** Milliseconds. A session that nobody knew is news only if it has just begun to wait: others are found late. */
const JUST_NOW = 30_000;

/**
 * What has happened between two looks, at most one notice for each session. The first look tells nothing: whoever opens
 * the view sees it all. Sub-agents count only when they wait.
 */
export function newsOf(
  before: ReadonlyMap<string, SessionReport>,
  after: readonly SessionReport[],
  now: number,
): readonly Notice[] {
  if (before.size === 0) return [];
  return after.flatMap((session) => {
    const old = before.get(session.id);
    if (old === session) return [];
    const found = old ? newsBetween(old, session) : newcomerNews(session, now);
    if (!found || (session.parent !== null && found.kind !== "waits")) return [];
    return [{ ...found, session: session.id, title: titleOf(session) }];
  });
}

type News = Pick<Notice, "kind" | "text">;

function newcomerNews(session: SessionReport, now: number): News | undefined {
  const since = Date.parse(session.why.since ?? "");
  return session.state === "waiting" && Math.abs(now - since) <= JUST_NOW ? waits(session) : undefined;
}

/** What needs the person most stands for all. */
function newsBetween(old: SessionReport, session: SessionReport): News | undefined {
  if (session.state === "waiting" && !isSameWait(old, session)) return waits(session);
  if (session.state === "ended") return old.state !== "ended" && isSudden(session) ? ended(session) : undefined;
  return stuck(old, session);
}

function isSameWait(old: SessionReport, session: SessionReport): boolean {
  const [was, is] = [old.waitingFor, session.waitingFor];
  return old.state === "waiting" && was?.kind === is?.kind && was?.text === is?.text;
}

function waits({ why, waitingFor }: SessionReport): News {
  const what = reasonText(waitingFor?.kind ?? why.reason);
  return { kind: "waits", text: `Waits for you (${what})${waitingFor?.text ? `: ${shown(waitingFor.text)}` : ""}` };
}

/** A day of silence is no event, and somebody who clears a session goes on in the next one. */
function isSudden({ why }: SessionReport): boolean {
  return why.reason !== "long-quiet" && why.reason !== "parent-ended" && why.word !== "clear";
}

function ended(session: SessionReport): News {
  const items = shownItems(session);
  const open = items.filter(({ status }) => status === "pending" || status === "in_progress").length;
  const left = open === 0 ? "" : `, ${counted(open, "todo")} of ${items.length} open`;
  const how = session.why.reason === "process-gone" ? "Ended: its process is gone" : "Ended";
  return { kind: "ended", text: `${how}${left}` };
}

function stuck(old: SessionReport, session: SessionReport): News | undefined {
  const { state, why } = session;
  const isNew = old.state !== state || old.why.reason !== why.reason;
  if (isNew && state === "stalled") return { kind: "stuck", text: "Stuck: no event for a while" };
  if (isNew && why.reason === "failed") return { kind: "stuck", text: "Stuck: its turn has failed" };
  if (isNew && why.reason === "usage-limit") return { kind: "stuck", text: "Stuck: the usage limit is reached" };
  const known = new Set(loudAlerts(old).map(alertMark));
  const alert = loudAlerts(session).find((one) => !known.has(alertMark(one)));
  // What follows the first sentence is advice for the model.
  return alert && { kind: "stuck", text: `Stuck: ${shown(alert.message.split(/(?<=[.!?]) /, 1)[0] ?? "")}` };
}

/** A note is for whoever looks. */
function loudAlerts({ alerts }: SessionReport): SessionReport["alerts"] {
  return alerts.filter(({ level, isOver }) => level !== "note" && !isOver);
}

function alertMark({ detector, level, at }: SessionReport["alerts"][number]): string {
  return `${detector} ${level} ${at}`;
}

function titleOf({ agent, project, title, id, parent }: SessionReport): string {
  const who = `${agent || "session"}${parent === null ? "" : ", sub-agent"}`;
  return shown(`${project || title || id} (${who})`);
}

const LONGEST = 200;

function shown(text: string): string {
  const row = Array.from(terminalText(text));
  return row.length > LONGEST ? `${row.slice(0, LONGEST - 1).join("")}…` : row.join("");
}
