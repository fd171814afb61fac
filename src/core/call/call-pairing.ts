import { keptText } from "../grounding/file-table.js";

/** What a client says of a call when it starts or ends: its own id where it has one, else only the tool's name. */
export interface ToldCall {
  readonly id?: string | undefined;
  readonly tool: string;
}

/** A call that has started and not ended. `isNamed`: the client gave the id; else it was made here. */
export interface StartedCall {
  readonly id: string;
  readonly tool: string;
  readonly isNamed: boolean;
}

export interface CallPairingOptions {
  /** Makes the id of a call that comes without one. */
  readonly newId: () => string;
  /** How many calls may be open; the oldest is forgotten for one more. */
  readonly most?: number | undefined;
}

/** More than any client runs at once. An agent that only ever starts calls must not fill the memory. */
const MOST_OPEN = 1000;
const ID_MAX = 200;
const TOOL_MAX = 200;

/**
 * Which open call an end belongs to: by id wherever the client has one, else the oldest call of that tool. Several
 * calls of one tool that end in another order than they started cannot be told apart without ids.
 */
export class CallPairing {
  readonly #newId: () => string;
  readonly #most: number;
  /** By id, the oldest first. */
  readonly #open = new Map<string, StartedCall>();
  /** Ids by tool, the oldest first; a tool without open calls has no entry. */
  readonly #queues = new Map<string, Set<string>>();

  constructor({ newId, most = MOST_OPEN }: CallPairingOptions) {
    this.#newId = newId;
    this.#most = Math.max(1, most);
  }

  /** The call's id: the client's, or a new one. A start that repeats an open call's id says nothing new. */
  start({ id: told, tool }: ToldCall): string {
    const id = usableId(told);
    if (id !== undefined && this.#open.has(id)) return id;
    const call = { id: id ?? this.#freeId(), tool: toolKey(tool), isNamed: id !== undefined };
    this.#add(call);
    return call.id;
  }

  /** The call that is over; undefined where no such call is open. The tool is not needed where there is an id. */
  end({
    id: told,
    tool,
  }: {
    readonly id?: string | undefined;
    readonly tool?: string | undefined;
  }): string | undefined {
    const id = usableId(told) ?? (tool === undefined ? undefined : this.#oldestOf(toolKey(tool)));
    return id !== undefined && this.#remove(id) ? id : undefined;
  }

  /** Opens a call again whose end could not be delivered: it is the next of its tool to end. */
  putBack({ id, tool }: { readonly id: string; readonly tool: string }): void {
    if (this.#open.has(id)) return;
    const later = this.endAll();
    // Not as a named one: those are looked at last where an end has no id.
    for (const call of [{ id, tool: toolKey(tool), isNamed: false }, ...later]) this.#add(call);
  }

  /** The oldest first. */
  openCalls(): readonly StartedCall[] {
    return [...this.#open.values()];
  }

  /** At the end of a turn: everything still open is closed, and returned. */
  endAll(): readonly StartedCall[] {
    const calls = this.openCalls();
    this.#open.clear();
    this.#queues.clear();
    return calls;
  }

  #add(call: StartedCall): void {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= this.#most && oldest !== undefined) this.#remove(oldest);
    this.#open.set(call.id, call);
    const name = queueName(call.tool, call.isNamed);
    const queue = this.#queues.get(name);
    if (queue) queue.add(call.id);
    else this.#queues.set(name, new Set([call.id]));
  }

  #remove(id: string): boolean {
    const call = this.#open.get(id);
    if (!call) return false;
    this.#open.delete(id);
    const name = queueName(call.tool, call.isNamed);
    const queue = this.#queues.get(name);
    queue?.delete(id);
    if (queue?.size === 0) this.#queues.delete(name);
    return true;
  }

  /** A client that named a call at its start names it at its end, too: so an end without id looks there last. */
  #oldestOf(tool: string): string | undefined {
    for (const isNamed of [false, true]) for (const id of this.#queues.get(queueName(tool, isNamed)) ?? []) return id;
    return undefined;
  }

  #freeId(): string {
    const made = this.#newId();
    let id = made;
    for (let next = 2; this.#open.has(id); next += 1) id = `${made}-${next}`;
    return id;
  }
}

/** An id that nobody could hold is none: the call goes by its tool. */
function usableId(id: string | undefined): string | undefined {
  return id !== undefined && id !== "" && id.length <= ID_MAX ? id : undefined;
}

function toolKey(tool: string): string {
  return keptText(tool, TOOL_MAX);
}

function queueName(tool: string, isNamed: boolean): string {
  return `${isNamed ? "id" : "no-id"} ${tool}`;
}
