import { BoundedMap } from "../bounded-map.js";
import type { Fields } from "../host-values.js";
import {
  type EndedCall,
  type EndedRun,
  type EventPlace,
  endedFields,
  endReason,
  isInner,
  isOver,
  joined,
  OWN_PREFIX,
  promptFields,
  realCall,
  runFields,
  type SessionEnd,
} from "./plugin-events.js";

/** Tells of an event as a hook does; answers what the model should read. */
type Hook = (fields: Fields) => Promise<string>;

interface Known {
  /** The run that was prepared last, and what its prompt was given. */
  run?: string | undefined;
  words: Promise<string>;
  /** What a compaction took from the model, until its next call of ours tells it. Prompts keep nothing of ours. */
  digest: Promise<string>;
  /** Its run goes on without that so far. */
  isDigestDue?: boolean;
  /** Words that found no place where they were said. */
  owed: string;
}

interface OpenCall {
  readonly at: number;
  isTold: boolean;
}

/** Longest forgotten first: a session that comes back is told as one that is resumed. */
const MOST_SESSIONS = 200;
const MOST_CALLS = 1000;

const NOTHING = Promise.resolve("");

/** What our server was told of the sessions of this process, and what their models were told. */
export class HeardSessions {
  readonly #hook: Hook;
  readonly #known = new BoundedMap<Known>(MOST_SESSIONS);
  /** A compaction may only say under which key its session is. */
  readonly #keys = new BoundedMap<string>(MOST_SESSIONS);
  readonly #calls = new BoundedMap<OpenCall>(MOST_CALLS);
  /** They go on under their names, with nothing of what was said before. */
  readonly #cleared = new BoundedMap<true>(MOST_SESSIONS);

  constructor(hook: Hook) {
    this.#hook = hook;
  }

  /** The run that a session is in, as far as it was told. */
  runOf(session: string): string | undefined {
    return this.#known.get(session)?.run;
  }

  /**
   * What is put before a prompt. A run's prompt may be built again, also when a try of it has ended: it is given the
   * same words, and is one prompt.
   */
  async prompted(prompt: string, hasHistory: boolean, place: EventPlace): Promise<string> {
    const { runId } = place;
    const session = this.#sessionOf(place);
    if (session === undefined) return "";
    const { known, isNew } = this.#know(session);
    if (runId === undefined || known.run !== runId) {
      known.run = runId;
      const begun = this.#cleared.delete(session) ? "clear" : hasHistory ? "resume" : "startup";
      known.words = this.#start(session, { prompt, source: isNew ? begun : undefined, place });
    }
    const { owed } = known;
    known.owed = "";
    known.isDigestDue = false;
    return joined(await known.digest, await known.words, owed);
  }

  /** Why it must not run; mostly nothing. */
  async called(tool: string, input: unknown, call: string | undefined, place: EventPlace): Promise<string> {
    const session = this.#sessionOf(place);
    if (session === undefined || call === undefined || isInner(call)) return "";
    this.#calls.set(callKey(call, place), { at: Date.now(), isTold: false });
    return this.#tell(session, place, { hook_event_name: "PreToolUse", ...realCall(tool, input), tool_use_id: call });
  }

  /** What its model reads behind the answer. */
  async answered(ended: EndedCall, place: EventPlace): Promise<string> {
    const session = this.#sessionOf(place);
    if (session === undefined || ended.toolCallId === undefined) return "";
    const { known } = this.#know(session);
    if (ended.toolName.startsWith(OWN_PREFIX)) known.digest = NOTHING;
    const open = this.#calls.get(callKey(ended.toolCallId, place));
    const durationMs = ended.durationMs ?? (open && Date.now() - open.at);
    const words = this.#tell(session, place, endedFields({ ...ended, durationMs }));
    if (open) open.isTold = true;
    const { owed, isDigestDue } = known;
    known.owed = "";
    known.isDigestDue = false;
    return joined(isDigestDue ? await known.digest : "", owed, await words);
  }

  /** Every call comes by here, also one that was refused before it ran; most were told of already. */
  async ended(ended: EndedCall, place: EventPlace): Promise<void> {
    const { toolCallId: call } = ended;
    const session = this.#sessionOf(place);
    if (session === undefined || call === undefined || isInner(call)) return;
    const key = callKey(call, place);
    const open = this.#calls.get(key);
    this.#calls.delete(key);
    if (open?.isTold) return;
    const words = await this.answered(ended, place);
    const { known } = this.#know(session);
    known.owed = joined(known.owed, words);
  }

  async compacted(place: EventPlace): Promise<void> {
    const session = this.#sessionOf(place);
    if (session === undefined) return;
    const { known } = this.#know(session);
    known.digest = this.#tell(session, place, { hook_event_name: "SessionStart", source: "compact" });
    known.isDigestDue = true;
    await known.digest;
  }

  async stopped(run: EndedRun, place: EventPlace): Promise<void> {
    const session = this.#sessionOf(place);
    if (session === undefined) return;
    const { known } = this.#know(session);
    known.owed = "";
    known.owed = await this.#tell(session, place, runFields(run, place));
  }

  async left(end: SessionEnd, place: EventPlace): Promise<void> {
    const session = this.#sessionOf(place);
    if (session === undefined) return;
    this.#known.delete(session);
    const reason = endReason(end);
    if (reason === "clear" && end.nextSessionId === session) this.#cleared.set(session, true);
    if (isOver(reason)) await this.#tell(session, place, { hook_event_name: "SessionEnd", reason });
  }

  async #start(session: string, { prompt, source, place }: Started): Promise<string> {
    const started = source && this.#tell(session, place, { hook_event_name: "SessionStart", source });
    return joined((await started) ?? "", await this.#tell(session, place, promptFields(prompt, place)));
  }

  #tell(session: string, { workspaceDir }: EventPlace, fields: Fields): Promise<string> {
    return this.#hook({ session_id: session, ...(workspaceDir !== undefined && { cwd: workspaceDir }), ...fields });
  }

  #sessionOf({ sessionId, sessionKey }: EventPlace): string | undefined {
    if (sessionId === undefined) return sessionKey === undefined ? undefined : this.#keys.get(sessionKey);
    if (sessionKey !== undefined) this.#keys.set(sessionKey, sessionId);
    return sessionId;
  }

  #know(session: string): { readonly known: Known; readonly isNew: boolean } {
    const found = this.#known.get(session);
    const known = found ?? { words: NOTHING, digest: NOTHING, owed: "" };
    this.#known.set(session, known);
    return { known, isNew: !found };
  }
}

interface Started {
  readonly prompt: string;
  readonly source: string | undefined;
  readonly place: EventPlace;
}

/** Some models number their calls anew in each reply. */
function callKey(call: string, { runId = "" }: EventPlace): string {
  return `${runId}/${call}`;
}
