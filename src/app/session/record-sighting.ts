import { ok, type Result } from "../../core/result.js";
import type { ToolWay } from "../../core/session/client/list-tool.js";
import { type HeldTask, readSessionEvent } from "../../core/session/events.js";
import { isTaskReminderDue } from "../../core/session/held-tasks.js";
import { isRepeated, knownIds, newIds, type Once, onceId } from "../../core/session/once.js";
import { isRefusable, type Moment, type Stop } from "../../core/session/reminders.js";
import type { Session } from "../../core/session/session.js";
import type { AgentMode } from "../../core/session/session-plan.js";
import { arrivedWord } from "../../core/session/told-words.js";
import { evolveAll } from "../../core/todo/evolve.js";
import type { TodoList } from "../../core/todo/list.js";
import { shrinkEvents } from "../../core/todo/list-size.js";
import type { Decision, EventStore, NewEvent, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { StoreTrouble } from "../../store/trouble.js";
import { callsStream } from "../calls/call-events.js";
import type { Settings } from "../settings.js";
import { heldBy, lapsedHeld, releaseHeld, renewHeld } from "../tasks/leases/keep-leases.js";
import { storedDoubts } from "../todo/list-doubts.js";
import { dueSweep, sweepWrite } from "../todo/sweep-closed.js";
import { LISTS, withListEvents } from "../views.js";
import { withChildTodos } from "./child-offers.js";
import { sharedFileWrites } from "./files/shared-file-writes.js";
import {
  type DigestDue,
  digestWord,
  hasOurTool,
  type Now,
  reminderWords,
  taskReminderWord,
  type Word,
  wayWords,
} from "./list-words.js";
import { isListless, isSwitchedOff, sharedOf, subAgentWords, withoutList } from "./listless.js";
import { SESSIONS, sessionEvent, withEvents } from "./session-view.js";
import { copiedList, newsOf, seenEvents } from "./sighting-news.js";
import { alertWords, blockWords, childHeard, openclawChange } from "./words/alert-words.js";
import { missedEvents } from "./words/evidence-words.js";
import { editWords, noticeWords, toldWords } from "./words/waiting-words.js";

/** What a hook or a reader saw of a session. */
export interface Sighting {
  readonly session: string;
  readonly agent?: string | undefined;
  /** How a second report of it is known; its id is that of the first event. */
  readonly once?: Once;
  readonly events?: readonly NewEvent[];
  readonly calls?: readonly NewEvent[];
  /** What the client's own tools keep for the whole session, whichever agent called them. */
  readonly shared?: readonly NewEvent[];
  /** One reply of the model. Until the client reports batches, each call counts as a reply. */
  readonly reply?: { readonly event: NewEvent; readonly isBatch: boolean } | undefined;
  /** Client, folder and process, for a session whose start was not reported. */
  readonly who?: {
    readonly client: string;
    readonly folder?: string | undefined;
    readonly process: string;
    /** Who tells of it, where that is not the client's own hooks. */
    readonly via?: string | undefined;
  };
  /** Whether the client lets the session's agent work; undefined where this report does not tell. */
  readonly mode?: AgentMode | undefined;
  /** Every call of the reply is known: the client has told which ones belong together. */
  readonly isWhole?: boolean;
  /** The signature of a call that is about to be made: it can be refused. */
  readonly probe?: string | undefined;
  /** The client accepts text for the model at this event. */
  readonly moment?: Moment | undefined;
  /** What the person, or the client in a person's name, has said. It is compared, never stored. */
  readonly prompt?: string | undefined;
  /** What is known of a stop. */
  readonly stop?: Stop;
  /** Events that hold only if nothing is said: an agent that is asked to go on has not stopped. */
  readonly ifSilent?: readonly NewEvent[] | undefined;
  /** The model's context was cut or is new: it should know what is open. */
  readonly digest?: DigestDue | undefined;
  /** The session it was forked from: a list that was never written begins as a copy of that session's. */
  readonly forkedFrom?: string | undefined;
  /** The session has just begun: a model that is not told of our tool by its client is told by us. */
  readonly isOpening?: boolean;
  /** When it happened, for what is told when nobody listens any more. */
  readonly lateAt?: number | undefined;
  /** The dialect of the server that heard it, where its session may not have spoken yet. */
  readonly speaks?: string | undefined;
  /** How the model reaches our tools, where its client may not tell it of them; asked only when one is named. */
  readonly way?: (() => ToolWay) | undefined;
}

/** What the model is told, in order. */
export type Said = readonly string[];

/** The store could be read but not written: the trouble, and what may be said without a record of it. */
export class Unrecorded extends StoreTrouble {
  readonly said: Said;

  constructor({ code, message, cause }: StoreTrouble, said: Said) {
    super(code, message, cause);
    this.said = said;
  }
}

/**
 * A digest is owed to a model whose context is new, even on a full disk. Anything else would be said again and again.
 */
export async function recordDigest(recorded: Promise<Result<Said>>, said: () => Said): Promise<Result<Said>> {
  try {
    return await recorded;
  } catch (error) {
    throw error instanceof StoreTrouble && said().length > 0 ? new Unrecorded(error, said()) : error;
  }
}

/** Records what was seen and decides what the model is told, in one commit: no reminder is sent unrecorded. */
export async function recordSighting(store: EventStore, sighting: Sighting, settings: Settings): Promise<Result<Said>> {
  const { session: id, agent, calls = [], lateAt } = sighting;
  const root = sessionStream(id);
  const stream = sessionStream(id, agent);
  const doubts = sighting.digest && (await storedDoubts(store, { session: id, agent }));
  let digest: Said = [];
  const decide: Decision<Said> = function* (transaction) {
    const whole = yield* transaction.view(SESSIONS, root);
    const before = yield* transaction.view(SESSIONS, stream);
    const arrival = yield* arrivalOf(transaction, sighting, before);
    // Claude Code reports the end of a session for commands that never start one.
    const isNothing = isEnd(sighting) && (yield* transaction.version(root)) === 0;
    if (arrival.isRepeated || isNothing) return ok({ writes: [], answer: [] });
    const isOff = isSwitchedOff(sighting, whole, settings);
    const shared = yield* newsOf(transaction, root, sharedOf(sighting, isOff));
    const { seen, list, shrunk } = yield* seenIn(transaction, sighting, settings, { whole, before, isOff });
    const common = commonEvents(sighting, settings, whole, lateAt ?? transaction.now).concat(shared.events);
    // Detectors compare times: these will be written down as now.
    const timed = (events: readonly NewEvent[]) => events.map((event) => ({ ...event, at: lateAt ?? transaction.now }));
    const after = withEvents(whole, timed(agent === undefined ? [...common, ...seen] : common));
    const session = agent === undefined ? after : withEvents(before, timed(seen));
    const seenNow = { session, list, whole: after, isNews: seen.length + shared.events.length > 0, doubts };
    const now = isOff ? withoutList(seenNow) : seenNow;
    const said = dueWords(sighting, settings, now);
    digest = said.filter(({ event }) => event.type === "digest.sent").map(({ text }) => text);
    const told =
      said.length === 0 ? silentEvents(sighting, settings, now) : said.map(({ event }) => sessionEvent(event));
    const alerts = alertWords(withEvents(session, timed(told)), settings, sighting.moment);
    const blocked = blockWords(session, settings, sighting.probe);
    const held = yield* heldTaskWrites(transaction, sighting, whole.held ?? [], seen);
    return ok({
      writes: [
        { stream: root, events: [...lateStart(sighting, whole), ...common] },
        sweepWrite(stream, shrunk),
        { stream, events: arrival.mark([...seen, ...told, ...alerts.events]) },
        { stream: callsStream(id), events: [...calls, ...shared.unchanged] },
        ...held,
        ...(yield* sharedFileWrites(transaction, sighting, after.folder)),
      ],
      answer: [...said.map(({ text }) => text), ...alerts.texts, ...openingWords(sighting, settings, now), ...blocked],
    });
  };
  return recordDigest(store.commit(decide, { isObserved: hasCallsOnly(sighting) }), () => digest);
}

interface Around {
  readonly whole: Session;
  /** The session itself, or the sub-agent that was seen. */
  readonly before: Session;
  readonly isOff: boolean;
}

/** What is news of this sighting, and the list as it is then. `shrunk`: what makes a list small that grew too large. */
function* seenIn(transaction: Transaction, sighting: Sighting, settings: Settings, { whole, before, isOff }: Around) {
  const stream = sessionStream(sighting.session, sighting.agent);
  const kept = yield* transaction.view(LISTS, stream);
  const told = [
    ...(yield* seenEvents(transaction, sighting, whole.hasBatches || before.hasBatches)),
    ...(yield* copiedList(transaction, kept, isOff ? undefined : sighting.forkedFrom)),
    ...arrivedWord(before, sighting.prompt ?? "").map((event) => sessionEvent(event)),
  ];
  // A list that an older version let grow would slow down every hook of its session.
  const shrunk = shrinkEvents(kept);
  const list = yield* listAfter(transaction, stream, evolveAll(kept, shrunk), told, settings);
  const seen = isOff ? told : withChildTodos(told, sighting, settings, { whole, list });
  return { seen, list, shrunk };
}

function* listAfter(
  transaction: Transaction,
  stream: string,
  known: TodoList,
  seen: readonly NewEvent[],
  { clearAfter }: Settings,
): Script<TodoList> {
  const due = yield* dueSweep(transaction, stream, known, clearAfter);
  return withListEvents(evolveAll(known, due), seen);
}

function silentEvents(sighting: Sighting, settings: Settings, now: Now): readonly NewEvent[] {
  return [...(sighting.ifSilent ?? []), ...missedEvents(sighting, settings, now)];
}

/** As far as can be told before the session is looked at: Claude Code reports a reply by its batch. */
function hasCallsOnly({ events = [], shared = [], calls = [], reply, ifSilent, who }: Sighting): boolean {
  if (calls.length === 0 || events.length + shared.length > 0 || ifSilent) return false;
  return reply === undefined || (!reply.isBatch && who?.client === "claude-code");
}

function isEnd({ events = [] }: Sighting): boolean {
  return events[0]?.type === "session.ended";
}

interface Arrival {
  readonly isRepeated: boolean;
  /** The first event gets the id by which a second report is known. */
  readonly mark: (events: readonly NewEvent[]) => readonly NewEvent[];
}

/** Asked after the stream is locked: of two reports at the same time, the second one finds the first. */
export function* arrivalOf(
  transaction: Transaction,
  { once, lateAt }: Pick<Sighting, "once" | "lateAt">,
  before: Session,
): Script<Arrival> {
  if (!once) return { isRepeated: false, mark: (events) => events };
  const now = lateAt ?? transaction.now;
  const session = withEvents(before, []);
  const maybe = knownIds(once, session, now);
  const known: string[] = [];
  for (const id of new Set([...maybe, ...newIds(once, session, now)]))
    if (yield* transaction.isKnown(id)) known.push(id);
  if (known.some((id) => maybe.includes(id) && isRepeated(once, session, id, now)))
    return { isRepeated: true, mark: () => [] };
  const mark: Arrival["mark"] = ([first, ...others]) => {
    if (!first) return [];
    const hasSaid = [first, ...others].some(({ type }) => type === "reminder.sent" || type === "digest.sent");
    const id = onceId(once, withEvents(session, [first, ...others]), now, hasSaid);
    // An event under a known id would not be written.
    return [known.includes(id) ? first : { ...first, id }, ...others];
  };
  return { isRepeated: false, mark };
}

/** Renews the session's leases; releases them when it has ended. */
function* heldTaskWrites(
  transaction: Transaction,
  { session: id, agent }: Sighting,
  held: readonly HeldTask[],
  seen: readonly NewEvent[],
): Script<readonly Write[]> {
  if (held.length === 0) return [];
  if (agent === undefined && seen.some(({ type }) => type === "session.ended"))
    return yield* releaseHeld(transaction, id, held);
  const gone = seen.flatMap((event) => {
    const known = readSessionEvent(event.type, event.data);
    return known?.type === "agent.ended" ? heldBy(id, held, known.agent) : [];
  });
  const released = yield* releaseHeld(transaction, id, gone);
  const own = heldBy(id, held, agent).filter((one) => !gone.includes(one));
  const lapsed = { stream: sessionStream(id), events: yield* lapsedHeld(transaction, own) };
  return [...released, lapsed, ...(yield* renewHeld(transaction, id, own))];
}

function lateStart({ who, events = [] }: Sighting, { client }: Session): readonly NewEvent[] {
  if (!who || client !== "" || events.some(({ type }) => type === "session.started")) return [];
  const { folder, ...known } = who;
  return [sessionEvent({ type: "session.started", source: "call", ...known, folder: folder || undefined })];
}

/** What a sighting tells of the whole session, whoever was seen. */
function commonEvents(sighting: Sighting, settings: Settings, whole: Session, now: number): NewEvent[] {
  const { agent } = sighting;
  return [...modeChange(sighting, whole), ...openclawChange(whole, settings), ...childHeard(agent, whole, now)];
}

/** A session that nobody has told about may work. */
function modeChange({ mode }: Sighting, whole: Session): readonly NewEvent[] {
  return mode === undefined || mode === (whole.mode ?? "default") ? [] : [sessionEvent({ type: "mode.changed", mode })];
}

function openingWords(sighting: Sighting, settings: Settings, { whole }: Now): Said {
  const { isOpening, way } = sighting;
  if (isOpening) return wayWords(whole.client, settings, way);
  return subAgentWords(sighting, settings, hasOurTool(whole.client, settings));
}

function dueWords(sighting: Sighting, settings: Settings, now: Now): readonly Word[] {
  const { moment, digest } = sighting;
  const { session, list, isNews } = now;
  const words: Word[] = isNews || digest?.isOwed ? [...digestWord(sighting, settings, now)] : [];
  if (moment === undefined || isListless(sighting, settings)) return words;
  if (!isRefusable(moment)) words.push(...toldWords(session), ...editWords(session, list), ...noticeWords(session));
  // Who plans does no work yet, so no list can be behind it.
  if (now.whole.mode === "plan") return words;
  if (
    isNews &&
    !isRefusable(moment) &&
    settings.reminders.isOn &&
    isTaskReminderDue(session, settings.taskStaleAfter)
  ) {
    words.push(...taskReminderWord(sighting, settings, now));
  }
  return [...words, ...reminderWords(sighting, settings, now)];
}
