import { BoundedMap } from "../bounded-map.js";
import { type Fields, fieldsOf, textOf } from "../host-values.js";
import type { CallPlace, MilepostServer } from "../milepost-server.js";
import type { PluginInput } from "./opencode-api.js";

export type Place = Pick<CallPlace, "session" | "agent">;

/** Milliseconds. opencode itself answers, from its database. */
const LOOK_MS = 1000;
/** Sub-agents of sub-agents; more are a ring. */
const MOST_ABOVE = 10;
/** Of a process that serves many. */
export const MOST_SESSIONS = 1000;
/** Words that stay in a request as long as the message that they were said behind. */
const MOST_KEPT = 200;

interface Known {
  readonly parent: string | undefined;
  /** What kind of sub-agent works in it. */
  readonly kind?: string | undefined;
  readonly isNew: boolean;
}

/** opencode's sessions as Milepost is told of them: a sub-agent's session is part of the one that it works for. */
export class PluginSessions {
  readonly #server: MilepostServer;
  readonly #client: PluginInput["client"];
  readonly #known = new BoundedMap<Known>(MOST_SESSIONS);
  readonly #begun = new BoundedMap<Promise<Place>>(MOST_SESSIONS);
  readonly #owed = new BoundedMap<string[]>(MOST_SESSIONS);
  readonly #kept = new BoundedMap<readonly string[]>(MOST_KEPT);
  readonly #prompts = new BoundedMap<string>(MOST_SESSIONS);
  readonly #summedUp = new BoundedMap<true>(MOST_SESSIONS);
  readonly #compacted = new BoundedMap<true>(MOST_SESSIONS);
  /** What is being told, and may have words as its answer. */
  readonly #telling = new BoundedMap<Promise<unknown>>(MOST_SESSIONS);

  constructor(server: MilepostServer, client: PluginInput["client"]) {
    this.#server = server;
    this.#client = client;
  }

  /** What opencode says of a session that it has made. */
  made(info: Fields): void {
    const id = textOf(info.id);
    if (id !== undefined) this.#known.set(id, { parent: textOf(info.parentID), kind: textOf(info.agent), isNew: true });
  }

  /** A prompt begins a turn, which has its name. */
  prompted(id: string, prompt: string | undefined): void {
    if (prompt !== undefined) this.#prompts.set(id, prompt);
  }

  turnOf(id: string): string | undefined {
    return this.#prompts.get(id);
  }

  /** Whether its next request is one for a summary. */
  sumUp(id: string, isNext: boolean): void {
    if (isNext) this.#summedUp.set(id, true);
    else this.#summedUp.delete(id);
  }

  isSummedUp(id: string): boolean {
    return this.#summedUp.has(id);
  }

  placeOf(id: string): Promise<Place> {
    const begun = this.#begun.get(id);
    if (begun) return begun;
    const beginning = this.#begin(id);
    this.#begun.set(id, beginning);
    return beginning;
  }

  /**
   * Tells of a session's event. What is to be said stands behind the call that it is about, or waits for the next place
   * where its model reads.
   */
  tell(id: string, fields: Fields, call?: string): Promise<void> {
    const before = this.#telling.get(id) ?? Promise.resolve();
    const telling = before.then(() => this.#tellNow(id, fields, call));
    this.#telling.set(id, telling);
    return telling;
  }

  /** The same, where the answer is about this very event. */
  async ask(id: string, fields: Fields): Promise<string> {
    const place = await this.placeOf(id);
    await this.#telling.get(id);
    return this.#send(place, fields);
  }

  /** It is told when its model is next asked: what is open then may be less than now. */
  compacted(id: string): void {
    this.#summedUp.delete(id);
    this.#compacted.set(id, true);
  }

  /** Words that wait, once everything before has been told. */
  async words(id: string): Promise<readonly string[]> {
    if (this.#compacted.delete(id)) void this.tell(id, { hook_event_name: "SessionStart", source: "compact" });
    await this.#telling.get(id);
    const words = this.#owed.get(id) ?? [];
    this.#owed.delete(id);
    return words;
  }

  /** Words that every later request has again, behind the same message or call. */
  keep(place: string, words: readonly string[]): void {
    if (words.length === 0) return;
    this.#kept.set(place, [...(this.#kept.get(place) ?? []), ...words]);
  }

  kept(place: unknown): readonly string[] | undefined {
    return typeof place === "string" ? this.#kept.get(place) : undefined;
  }

  async #tellNow(id: string, fields: Fields, call: string | undefined): Promise<void> {
    const place = await this.placeOf(id);
    const words = await this.#send(place, fields);
    if (call === undefined) this.#owe(id, words);
    else if (words !== "") this.keep(call, [words]);
  }

  #send({ session, agent }: Place, fields: Fields): Promise<string> {
    return this.#server.hook({
      session_id: session,
      ...(agent === undefined ? undefined : { agent_id: agent }),
      ...fields,
    });
  }

  #owe(id: string, words: string): void {
    if (words !== "") this.#owed.set(id, [...(this.#owed.get(id) ?? []), words]);
  }

  /** The first that is heard of it in this process. */
  async #begin(id: string): Promise<Place> {
    const { parent, kind, isNew } = await this.#look(id);
    if (parent === undefined) {
      const place = { session: id };
      const start = { hook_event_name: "SessionStart", source: isNew ? "startup" : "resume" };
      this.#owe(id, await this.#send(place, start));
      return place;
    }
    const place = { session: await this.#rootOf(parent), agent: id };
    await this.#send(place, { hook_event_name: "SubagentStart", agent_type: kind });
    return place;
  }

  async #rootOf(id: string): Promise<string> {
    let root = id;
    for (let above = 0; above < MOST_ABOVE; above++) {
      const { parent } = await this.#look(root);
      if (parent === undefined) break;
      root = parent;
    }
    return root;
  }

  async #look(id: string): Promise<Known> {
    const known = this.#known.get(id) ?? { parent: await this.#parentOf(id), isNew: false };
    this.#known.set(id, known);
    return known;
  }

  async #parentOf(id: string): Promise<string | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, LOOK_MS, undefined);
      });
      const found = await Promise.race([this.#client?.session?.get?.({ path: { id } }), late]);
      return textOf(fieldsOf(fieldsOf(found).data).parentID);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
