import { firstAbort } from "../../core/first-abort.js";
import { defined } from "../../core/json.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { Delivery, WordRecord } from "../../core/session/told-words.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { ageText, isoTime } from "../../core/text/time-text.js";
import { type EventStore, isEventName } from "../../store/event-store.js";
import { type CommandContext, defineCommand, type Given } from "../command-definition.js";
import { many, number, text, toggle } from "../fields.js";
import { deliveryOf, leaveToClient, storeWord, toldTo } from "../session/deliver-word.js";
import { findReader } from "../session/find/find-reader.js";
import { type FoundSession, findSession } from "../session/find/find-session.js";
import { type HandedOver, handOver } from "../session/hand-over.js";
import { mention, mentionStored, type SessionMention } from "../session/session-mention.js";
import type { KnownSession } from "../session/session-view.js";
import { storeNow } from "../store-place.js";
import { givenStore, nextStep, shellWord } from "../terminal/next-step.js";

const TEXT_MAX = 2000;
const SECOND = 1000;
/** Milliseconds for an idle client to begin a turn with what it was given. */
const START_MS = 3 * SECOND;
/** Of those that were read, the last ones are listed. */
const SEEN_SHOWN = 5;

/** What became of a message. */
interface Told extends SessionMention {
  readonly text: string;
  /** What the session was doing when it was told. */
  readonly state: string;
  readonly delivery: Delivery;
  readonly handedOver: HandedOver["outcome"] | null;
  readonly note: string | null;
}

interface Listed extends SessionMention {
  /** By the store's clock. */
  readonly now: string;
  readonly words: readonly WordReport[];
}

interface WordReport extends Pick<WordRecord, "text" | "delivery"> {
  readonly by: string | null;
  readonly at: string | null;
  readonly seenAt: string | null;
}

interface Message {
  readonly text: string;
  readonly actor: string | undefined;
  readonly seconds: number | undefined;
  readonly isLater: boolean;
}

export const tell = defineCommand({
  details: `A working agent reads it with its next step. An idle one is woken where its client has a way for that (codex
queue, Claude Code's messages between sessions); else it reads it with your next prompt. Needs the hooks of milepost
setup: where nobody would read it, it is refused.

Without a text: what was told, and whether it is stored, queued (the client keeps it) or seen (the model has it).`,
  examples: ['milepost tell "Leave the database alone, I am migrating it"'],
  words: ["text"],
  input: {
    text: many(text("TEXT", "the message, quoted or not", { mayBeEmpty: true })),
    session: text("SESSION", "session id, or a prefix of it (default: the newest in this project)"),
    as: text("WHO", "sender of the message"),
    wait: number("SECONDS", "seconds to wait until the model has it", { least: 0, most: 86_400, isFraction: true }),
    later: toggle("do not wake an idle agent"),
  },
  async run(context, { text, session, as: actor, wait: seconds, later: isLater }): Promise<Result<Told | Listed>> {
    const said = text?.join(" ").trim();
    if (said === "" || (said ?? "").length > TEXT_MAX)
      return fail("bad-text", `A message has 1 to ${TEXT_MAX} characters.`);
    if (actor !== undefined && !isEventName(actor))
      return fail("bad-actor", "An actor is 1 to 300 visible characters.");
    if (said === undefined) return listTold(context, session);
    const flags = { as: actor, wait: seconds, later: isLater };
    const misplaced = session === undefined ? await sessionInText(context, text ?? [], flags) : undefined;
    if (misplaced) return fail(misplaced);
    const { store } = await context.open("write");
    const found = await findReader(context, session);
    return found.ok ? tellSession(store, context, found.value, { text: said, actor, seconds, isLater }) : found;
  },
  show: (value) => ("words" in value ? listText(value) : toldText(value)),
});

const MOST_WORDS = 200;

/** `tell 7b1f0c keep it`: the id of a session is not a part of the message, which would go to another one. */
async function sessionInText(
  context: CommandContext,
  words: readonly string[],
  flags: Given,
): Promise<Failure | undefined> {
  const [first = "", ...rest] = words.length === 1 ? (words[0]?.split(" ", MOST_WORDS) ?? []) : words;
  if (rest.length === 0 || !LIKE_AN_ID.test(first)) return undefined;
  const found = await findSession(context, { session: first });
  if (!found.ok) return undefined;
  const tellIt = nextStep("tell", { session: first, ...flags, store: givenStore(context) });
  const line = `${tellIt} ${shellWord(rest.join(" "))}`;
  return {
    code: "bad-usage",
    message: `${first} is the id of a session, and no part of the message. Did you mean: ${line}`,
  };
}

/** Numbers of one's own, such as 2048, are shorter or have no letter. */
const LIKE_AN_ID = /^(?=.*\d)(?=.*[a-f-])[0-9a-f][0-9a-f-]{3,}$/i;

async function tellSession(
  store: EventStore,
  context: CommandContext,
  known: KnownSession,
  { text, actor, seconds, isLater }: Message,
): Promise<Result<Told>> {
  const { client, folder, state } = known.session;
  const word = { text, ...defined({ by: actor }) };
  const stored = await storeWord(store, known.id, word, actor);
  if (!stored.ok) return stored;
  const place = { environment: context.environment, userFolder: context.program.userFolder };
  const handed = state === "idle" && !isLater ? await handOver(known, word, place) : undefined;
  if (handed?.outcome === "kept") await leaveToClient(store, stored.value);
  const isGiven = handed !== undefined && handed.outcome !== "failed";
  const milliseconds = seconds === undefined ? (isGiven ? START_MS : 0) : seconds * SECOND;
  const { signal } = firstAbort(AbortSignal.timeout(milliseconds), context.interrupted());
  const seen = milliseconds > 0 ? await deliveryOf(store, stored.value, signal) : "stored";
  const delivery = seen === "stored" && handed?.outcome === "kept" ? "queued" : seen;
  const about = mention({ session: known.id, client, folder });
  return ok({ ...about, text, state, delivery, handedOver: handed?.outcome ?? null, note: handed?.note ?? null });
}

async function listTold(context: CommandContext, asked: string | undefined): Promise<Result<Listed>> {
  const found = await findSession(context, { session: asked });
  if (!found.ok) return found;
  const { session } = found.value;
  const { store } = await context.open("read");
  const told = await toldTo(store, session);
  if (!told.ok) return told;
  const seen = told.value.filter(({ delivery }) => delivery === "seen").slice(-SEEN_SHOWN);
  const words = told.value.filter((word) => word.delivery !== "seen" || seen.includes(word));
  const about = await aboutSession(store, found.value);
  return ok({ ...about, now: isoTime(await storeNow(store)), words: words.map(reportWord) });
}

async function aboutSession(store: EventStore, found: FoundSession): Promise<SessionMention> {
  const { session } = found;
  const stored = await mentionStored(store, session);
  if (stored.folder !== null) return stored;
  const seen = await found.transcriptList();
  return seen ? mention({ session, ...seen }) : stored;
}

function reportWord({ text, by, at, delivery, seenAt }: WordRecord): WordReport {
  return { text, by: by ?? null, at: maybeTime(at), delivery, seenAt: maybeTime(seenAt) };
}

function maybeTime(at: number | undefined): string | null {
  return at === undefined ? null : isoTime(at);
}

function whoText({ session, agent, folder }: SessionMention): string {
  return `${agent || "agent"}${folder === null ? "" : ` in ${terminalText(folder)}`} (session ${session})`;
}

function toldText({ state, delivery, handedOver, note, ...about }: Told): string {
  const who = whoText(about);
  const trouble = note === null ? "" : `${terminalText(note)}\n`;
  if (delivery === "seen") return `${trouble}${who} has it.\n`;
  if (delivery === "queued") return `${trouble}${who} is idle: its client has queued it and begins a turn with it.\n`;
  if (handedOver === "tried")
    return `${who} was sent it and has not taken it yet; it reads it with your next prompt at the latest.\n`;
  return `${trouble}${who} ${WAITS[state] ?? WAITS.running}\n`;
}

const WAITS: Readonly<Record<string, string>> = {
  running: "reads it with its next step.",
  waiting: "waits for your answer; it reads this with the step after that.",
  idle: "is idle: it reads this with your next prompt.",
};

function listText({ now, words, ...about }: Listed): string {
  const who = whoText(about);
  if (words.length === 0) return `Nothing was told to ${who}. milepost tell --help says how.\n`;
  const rows = words.map(({ text, by, at, delivery, seenAt }) => {
    const sender = by === null ? "" : ` (${terminalText(by)})`;
    const age = ageText(Date.parse(now) - Date.parse(seenAt ?? at ?? now));
    return `${delivery.padEnd(6)}  ${age.padStart(4)}  ${terminalText(text)}${sender}`;
  });
  return `${[`Told to ${who}:`, ...rows].join("\n")}\n`;
}
