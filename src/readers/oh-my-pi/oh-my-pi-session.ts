import { isObject, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt, timeAt } from "../../core/json.js";
import type { Fact, Observation } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import { answerText } from "../claude/tool-results.js";
import { lineId } from "../memory.js";
import { type Format, observation, type Reader } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { type SavedLists, TwoLists } from "../two-lists.js";
import { Branch, type Link, type SavedBranch } from "./branch.js";
import { PiCalls, piSessionIn, realResult, type SavedCalls } from "./call-entries.js";
import { editedPhases, isListRead, writtenPhases } from "./lists.js";
import { PiUsage, type SavedUsage } from "./pi-usage.js";

const OH_MY_PI = "oh-my-pi";
const PI = "pi";

/** The session files of oh-my-pi, and of pi, which it comes from. */
export const ohMyPiSession: Format = {
  name: "oh-my-pi-session",
  agent: OH_MY_PI,
  recognises: ({ type, id, version, timestamp, cwd }) =>
    type === "session" &&
    version !== OPENCLAW_VERSION &&
    sessionAt(id) !== undefined &&
    (typeof cwd === "string" || timeAt(timestamp) !== undefined),
  open: (_, { saved, isThorough = false, folder = "" } = {}) =>
    new PiReader(folder, isThorough, saved as SavedReader | undefined),
};

/** OpenClaw, which comes from pi, too, writes the same first line with this number. */
const OPENCLAW_VERSION = 4;

interface Seen {
  readonly agent: string;
  readonly model: string | undefined;
}

interface State {
  readonly session: string;
  /** The first version had no ids: each entry follows the one before it. */
  readonly isLinear: boolean;
  /** From the line before the header of newer files. */
  readonly title: string;
  readonly seen: Seen;
  /** Of a sub-agent: it works on nothing, so that what comes next from its session is its task. */
  readonly isFree?: boolean;
}

interface SavedReader extends State {
  readonly branch: SavedBranch;
  readonly calls: SavedCalls;
  readonly usage: SavedUsage;
  /** The list of our own tool: who goes back to an earlier entry goes on with it as it is. */
  readonly lists?: Pick<SavedLists, "ours"> & { readonly hasBranch: boolean };
}

const NEW: State = { session: "", isLinear: false, title: "", seen: { agent: OH_MY_PI, model: undefined } };
const NOTHING_SAVED = { branch: undefined, calls: [], usage: undefined, lists: undefined };
const NOTHING: readonly Observation[] = [];
const TITLE_MAX = 120;

class PiReader implements Reader {
  readonly #folder: string;
  readonly #branch: Branch;
  readonly #calls: PiCalls;
  readonly #usage: PiUsage;
  readonly #lists: TwoLists;
  #state: State;

  constructor(folder: string, isThorough: boolean, saved?: SavedReader) {
    const { branch, calls, usage, lists, ...state } = saved ?? { ...NEW, ...NOTHING_SAVED };
    this.#folder = folder;
    this.#branch = new Branch(isThorough, branch);
    this.#calls = new PiCalls(calls);
    this.#usage = new PiUsage(usage);
    this.#lists = new TwoLists({ ours: lists?.ours, agents: lists?.hasBranch ? this.#branch.list : undefined });
    this.#state = state;
  }

  get isLost(): boolean {
    return this.#branch.isLost;
  }

  save(): SavedReader {
    const [branch, calls, usage] = [this.#branch.save(), this.#calls.save(), this.#usage.save()];
    const { ours, agents } = this.#lists.save();
    return { ...this.#state, branch, calls, usage, lists: { ours, hasBranch: agents !== undefined } };
  }

  read(record: JsonObject): readonly Observation[] {
    const facts = this.#factsOf(record);
    const { session } = this.#state;
    if (facts.length === 0 || session === "") return NOTHING;
    const at = timeAt(record.timestamp);
    return facts.map((fact) => observation(fact, session, at));
  }

  #factsOf(record: JsonObject): readonly Fact[] {
    if (record.type === "title") return this.#readTitle(record);
    if (record.type === "session") return this.#readHeader(record);
    return this.#state.session === "" ? [] : this.#readEntry(record);
  }

  /** A line of a fixed width, so that it can be written anew in its place. */
  #readTitle(record: JsonObject): readonly Fact[] {
    this.#set({ title: oneLine(record.title, TITLE_MAX) ?? "" });
    return given(record.title);
  }

  #readHeader(header: JsonObject): readonly Fact[] {
    const session = sessionAt(header.id);
    // Only the first one counts: a file is one session.
    if (session === undefined || this.#state.session !== "") return [];
    const { version, modelId, cwd, title } = header;
    const isLinear = !(typeof version === "number" && version >= FIRST_WITH_IDS);
    const seen = { agent: typeof modelId === "string" ? PI : OH_MY_PI, model: textAt(modelId) };
    const parent = piSessionIn(this.#folder);
    this.#set({ session, isLinear, seen, ...(parent !== undefined && { isFree: true }) });
    const who = { type: "session.seen", ...seen, folder: textAt(cwd), parent } as const;
    return [who, ...given(this.#state.title || title)];
  }

  #readEntry(entry: JsonObject): readonly Fact[] {
    const before = this.#branch.revision;
    this.#branch.follow(this.#state.isLinear ? undefined : linkOf(entry));
    const facts = [...this.#tell(entry)];
    // Somebody may have gone back, or the entry has changed the list, or both: the list is what it is after the entry.
    if (this.#branch.revision !== before)
      facts.push(...this.#lists.write(() => ({ list: this.#branch.list, isRead: true })));
    return facts;
  }

  #tell(entry: JsonObject): readonly Fact[] {
    switch (entry.type) {
      case "message":
        return this.#readMessage(objectAt(entry.message), entry);
      case "custom":
        return entry.customType === EXIT ? this.#leave() : this.#write(editedPhases(entry));
      case "compaction":
        return [{ type: "context.compacted" }];
      case "model_change":
        return this.#readModel(entry);
      case "model_usage":
        return this.#usage.add(entry.usage, false);
      case "title_change":
        return given(entry.title);
      case "session_info":
        return given(entry.name);
      default:
        return [];
    }
  }

  #readMessage(message: JsonObject, entry: JsonObject): readonly Fact[] {
    if (message.role === "user") return this.#readPrompt(message);
    if (message.role === "assistant") return this.#readReply(message, entry);
    return message.role === "toolResult" ? this.#readResult(message, timeAt(entry.timestamp)) : [];
  }

  /** The agent itself also speaks as the user at times: then it says so. To a sub-agent, its session does. */
  #readPrompt({ content, attribution, synthetic }: JsonObject): readonly Fact[] {
    if (synthetic === true) return [];
    const isTask = attribution === "agent";
    if (isTask && this.#state.isFree !== true) return [];
    if (this.#state.isFree) this.#set({ isFree: false });
    const words = answerText(content);
    const title = isTask ? given(words.replace(TASK_HEADING, "")) : given(words, "person");
    return [{ type: "turn.started" }, ...title];
  }

  #handIn({ toolName, isError }: JsonObject): readonly Fact[] {
    if (toolName !== AGENT_END || isError === true || this.#state.isFree === undefined) return [];
    this.#set({ isFree: true });
    return [{ type: "turn.ended", isAsking: false }];
  }

  #leave(): readonly Fact[] {
    if (this.#state.isFree !== undefined) this.#set({ isFree: true });
    return [{ type: "session.left" }];
  }

  #readReply(message: JsonObject, entry: JsonObject): readonly Fact[] {
    const { stopReason, model } = message;
    const facts = [...this.#see({ ...this.#state.seen, model: textAt(model) ?? this.#state.seen.model })];
    facts.push(...this.#usage.add(message.usage, true));
    // What a broken reply still wanted to call was never run.
    if (stopReason === "error") return [...facts, { type: "turn.ended", isAsking: false, because: "failed" }];
    if (stopReason === "aborted") return [...facts, { type: "turn.ended", isAsking: false, because: "interrupted" }];
    const calls = listAt(message.content).filter(isCall);
    const text = answerText(message.content);
    facts.push(...saidFacts(text, calls.length === 0));
    // Files of the first version have no ids.
    const reply = lineId(entry.id) ?? lineId(calls[0]?.id);
    for (const call of calls) facts.push(...this.#calls.start(call, reply));
    return calls.length > 0 ? facts : [...facts, { type: "turn.ended", isAsking: isQuestion(text) }];
  }

  #readResult(told: JsonObject, at: number | undefined): readonly Fact[] {
    const message = realResult(told);
    const use = this.#calls.listUse(message);
    const written = writtenPhases(message, use !== undefined);
    const isWrite = written !== undefined && use !== "read" && !isListRead(message);
    const wrote: readonly Fact[] = isWrite ? [{ type: "list.written" }] : [];
    const asked = this.#calls.askedOfOurs(message);
    const ended = [...this.#calls.end(message, at), ...this.#handIn(message)];
    return [...ended, ...wrote, ...this.#write(written), ...(asked ? this.#lists.call(asked) : [])];
  }

  #write(phases: ReturnType<typeof editedPhases>): readonly Fact[] {
    const finished = phases && this.#branch.write(phases);
    return finished ? [{ type: "list.finished", list: finished }] : [];
  }

  /** pi names provider and model apart, oh-my-pi both in one; for other roles than the main one it names others. */
  #readModel({ model, modelId, role }: JsonObject): readonly Fact[] {
    const isMain = role === undefined || role === "default";
    const ofPi = textAt(modelId);
    if (ofPi !== undefined) return this.#see({ agent: PI, model: ofPi });
    const name = isMain ? textAt(model)?.replace(/^[^/]*\//, "") : undefined;
    return this.#see({ agent: OH_MY_PI, model: name || this.#state.seen.model });
  }

  #see(seen: Seen): readonly Fact[] {
    const { agent, model } = this.#state.seen;
    if (seen.agent === agent && seen.model === model) return [];
    this.#set({ seen });
    return [{ type: "session.seen", ...seen }];
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }
}

const FIRST_WITH_IDS = 2;
/** oh-my-pi's last entry; a resumed session goes on behind it. pi writes none. */
const EXIT = "session_exit";
/** A sub-agent hands in its work with this tool. */
const AGENT_END = "yield";
/** What oh-my-pi writes above a sub-agent's task. */
const TASK_HEADING = /^Complete assignment thoroughly:\s*/;

function linkOf({ id, parentId }: JsonObject): Link | undefined {
  const own = lineId(id);
  return own === undefined ? undefined : { id: own, parent: lineId(parentId) ?? null };
}

function isCall(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "toolCall";
}

function given(value: unknown, by: "agent" | "person" = "agent"): readonly Fact[] {
  const title = oneLine(value, TITLE_MAX);
  return title === undefined ? [] : [{ type: "title.given", title, by }];
}
