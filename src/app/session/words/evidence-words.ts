import { type EvidencePolicy, readSessionEvent, type SessionEvent } from "../../../core/session/events.js";
import { mayRefuse, type ReminderSettings } from "../../../core/session/reminders.js";
import type { Session } from "../../../core/session/session.js";
import { agentWork, MOST_REFUSALS } from "../../../core/session/turn/check-counts.js";
import type { NewEvent, Transaction } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import type { Settings } from "../../settings.js";
import type { Now } from "../list-words.js";
import type { Sighting } from "../record-sighting.js";
import { SESSIONS, sessionEvent } from "../session-view.js";

// What is asked of work that is called done with no check: a reminder, or that it is not done yet. docs/evidence.md.

/** What holds for a session's list: what a person said of it, else the settings. */
export function evidencePolicy({ evidence }: Session, settings: Settings): EvidencePolicy {
  return evidence ?? settings.evidence;
}

/**
 * Sub-agents are not asked: their session is. Where a client reports which calls belong together, nothing is said
 * before all of them are known: the check may be one of them.
 */
export function evidenceSettings(
  { agent, isWhole }: Sighting,
  settings: Settings,
  { whole }: Now,
): Pick<ReminderSettings, "asksForCheck" | "requiresCheck"> {
  if (agent !== undefined) return { asksForCheck: false, requiresCheck: false };
  const policy = evidencePolicy(whole, settings);
  return {
    asksForCheck: policy !== "off" && (isWhole === true || !whole.hasBatches),
    requiresCheck: policy === "require",
  };
}

/** Refused often enough: the agent is let go, and that is written down for the person. */
export function missedEvents(sighting: Sighting, settings: Settings, { session, whole }: Now): readonly NewEvent[] {
  const { moment, stop = {}, agent } = sighting;
  if (moment !== "stop" || agent !== undefined || whole.mode === "plan") return [];
  const { refusals, isMissed } = session.checks;
  if (isMissed || refusals < MOST_REFUSALS || evidencePolicy(whole, settings) !== "require") return [];
  return mayRefuse(session, moment, stop) ? [sessionEvent({ type: "check.missed", refusals })] : [];
}

/** With what a sub-agent that has ended has changed and checked: for its session that is its own work. */
export function* withAgentWork(
  transaction: Transaction,
  session: string,
  events: readonly NewEvent[],
): Script<readonly NewEvent[]> {
  const told: NewEvent[] = [];
  for (const event of events) {
    const known = event.type === "agent.ended" ? readSessionEvent(event.type, event.data) : undefined;
    if (known?.type !== "agent.ended") told.push(event);
    else told.push({ ...event, ...sessionEvent(yield* ended(transaction, session, known.agent)) });
  }
  return told;
}

function* ended(transaction: Transaction, session: string, agent: string): Script<SessionEvent> {
  const { checks } = yield* transaction.view(SESSIONS, sessionStream(session, agent));
  const work = checks && agentWork(checks);
  return { type: "agent.ended", agent, ...(work && { work }) };
}
