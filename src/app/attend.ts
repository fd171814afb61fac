import { ok, type Result } from "../core/result.js";
import { digestOf } from "../core/session/digest.js";
import type { SessionEvent } from "../core/session/events.js";
import { dueReminder, type Moment, reminderText } from "../core/session/reminders.js";
import type { Session } from "../core/session/session.js";
import { promptText } from "../core/text/prompt-text.js";
import type { TodoList } from "../core/todo/list.js";
import type { EventStore, NewEvent, Transaction } from "../store/event-store.js";
import type { Script } from "../store/script.js";
import { sessionStream } from "../store/stream.js";
import { callsStream } from "./calls.js";
import { LISTS, withListEvents } from "./lists.js";
import { SESSIONS, sessionEvent, withEvents } from "./sessions.js";
import type { Settings } from "./settings.js";

/** Something that was seen of a session from outside. */
export interface Sighting {
  readonly session: string;
  readonly agent?: string | undefined;
  readonly events?: readonly NewEvent[];
  readonly calls?: readonly NewEvent[];
  /** One answer of the model; a client that tells of batches has told of this one elsewhere. */
  readonly reply?: NewEvent | undefined;
  /** Something may be said now. */
  readonly moment?: Moment | undefined;
  /** What has happened if nothing is said: an agent that is asked to go on has not stopped. */
  readonly ifSilent?: readonly NewEvent[] | undefined;
  /** The model's context was cut or is new: it should know what is open. */
  readonly digest?: { readonly cause: string; readonly process: string } | undefined;
}

/** What the model is told, in order. */
export type Said = readonly string[];

/** Writes down what was seen and says what is due, in one commit: a reminder is never said without being written. */
export async function attend(store: EventStore, sighting: Sighting, settings: Settings): Promise<Result<Said>> {
  const { session: id, agent, calls = [], ifSilent = [] } = sighting;
  const stream = sessionStream(id, agent);
  return store.commit(function* (transaction) {
    const before = yield* transaction.view(SESSIONS, stream);
    const seen = yield* unknownOf(transaction, seenEvents(sighting, before));
    const list = withListEvents(yield* transaction.view(LISTS, stream), seen);
    const session = withEvents(before, seen);
    const said = dueWords(sighting, settings, { session, list, isNews: seen.length > 0 });
    const own = said.length === 0 ? ifSilent : said.map(({ event }) => sessionEvent(event));
    const events = [...seen, ...own];
    return ok({
      writes: [
        { stream, events },
        { stream: callsStream(id), events: calls },
      ],
      answer: said.map(({ text }) => text),
    });
  });
}

function seenEvents({ events = [], reply }: Sighting, { hasBatches }: Session): readonly NewEvent[] {
  const isCounted = reply !== undefined && (!hasBatches || (reply.data as { readonly batch?: boolean }).batch === true);
  return isCounted ? [...events, reply] : events;
}

/** A hook that is wired twice reports twice; the second report must not count. */
function* unknownOf(transaction: Transaction, events: readonly NewEvent[]): Script<readonly NewEvent[]> {
  const unknown: NewEvent[] = [];
  for (const event of events) {
    if (event.id === undefined || !(yield* transaction.isKnown(event.id))) unknown.push(event);
  }
  return unknown;
}

interface Word {
  readonly text: string;
  readonly event: SessionEvent;
}

interface Standing {
  readonly session: Session;
  readonly list: TodoList;
  /** Something has happened that was not known. */
  readonly isNews: boolean;
}

function dueWords(sighting: Sighting, settings: Settings, standing: Standing): readonly Word[] {
  const { session, list, isNews } = standing;
  const { moment, digest } = sighting;
  const words: Word[] = [];
  if (digest && isNews) words.push(...digestWord(list, session, digest, settings));
  if (moment === undefined) return words;
  if (moment !== "stop") words.push(...toldWords(session));
  // The last answer of a turn is no news yet when the agent is about to stop.
  if (!isNews && moment !== "stop") return words;
  const reminder = dueReminder(session, list, moment, settings.reminders);
  if (reminder) {
    const text = reminderText(reminder, session, list);
    words.push({ text, event: { type: "reminder.sent", reminder, text } });
  }
  return words;
}

function digestWord(
  list: TodoList,
  session: Session,
  { cause, process }: NonNullable<Sighting["digest"]>,
  settings: Settings,
): readonly Word[] {
  // Two starts before one answer (resumed, then compacted at once) need it once.
  if (session.digestBy === process) return [];
  const digest = digestOf(list, `Milepost: the open todos of this session (${cause}).`, settings.digestTokens);
  if (!digest) return [];
  return [{ text: digest.text, event: { type: "digest.sent", cause, todos: digest.shown, process } }];
}

const WORD_MAX = 2000;

function toldWords({ words }: Session): readonly Word[] {
  if (words.length === 0) return [];
  const texts = words.map((word) => `- ${promptText(word, WORD_MAX)}`);
  const text = ["The person says through `milepost tell`:", ...texts].join("\n");
  return [{ text, event: { type: "word.delivered", words: words.length } }];
}
