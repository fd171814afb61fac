import { acpPlace, agentsAbove } from "../app/acp/acp-place.js";
import type { Answer, NamedDialect } from "../app/calls/dialect-names.js";
import { holderName } from "../app/calls/task-call.js";
import { failureOf } from "../app/escaped-error.js";
import { type CallRequest, isKey, type Milepost, type Place } from "../app/milepost.js";
import { hookedPlace } from "../app/session/find/hooked-place.js";
import { holdSession, leaveSession } from "../app/session/server-session.js";
import { readSettings } from "../app/settings.js";
import { listName } from "../app/tasks/list-name.js";
import { isDeeperThan } from "../core/json.js";
import { type Failure, fail, ok, type Result } from "../core/result.js";
import { promptText } from "../core/text/prompt-text.js";
import { DEEPEST_VALUE } from "../core/value-limits.js";
import { Heartbeat } from "./heartbeat.js";
import { HookTool } from "./hook-tool.js";
import { type Caller, type CallNote, identify, type Surroundings } from "./identity.js";
import type { Asking, PlanApproval, PlanReply } from "./plan-approval.js";
import { ServerStore } from "./server-store.js";
import { SilenceWatch } from "./silence-watch.js";

export interface ToolCall extends CallNote {
  readonly tool: string;
  readonly input: unknown;
  /** Its text, where numbers in it lost something. */
  readonly source?: string | undefined;
}

type CallPlace = Pick<Caller, "session" | "agent" | "isGuessed">;

const LONGEST_MESSAGE = 1000;

/** Milliseconds that a call waits for others, in all. A model that hears "busy" in time can do something else. */
const CALL_PATIENCE = 800;

/** What a model calls. */
export class Calls {
  readonly #dialect: NamedDialect;
  readonly #surroundings: Surroundings;
  readonly #store: ServerStore;
  readonly #thrown: (error: unknown) => void;
  readonly #running = new Set<Promise<unknown>>();
  readonly #heartbeat = new Heartbeat(() => this.#store.opened);
  readonly #silence: SilenceWatch;
  /** Tells this server from others that seem to serve the same session. */
  readonly #name = crypto.randomUUID().slice(0, 8);
  /** The hooks of the same client. */
  readonly hooks: HookTool;
  /** The session that is ours, where the client names none. Calls that come at once wait for one answer. */
  #held: Promise<string | undefined> = Promise.resolve(undefined);
  #approval: Promise<PlanApproval> | undefined;
  /** Processes above us that `milepost acp` may have told of; asked for once. */
  #agents: readonly string[] | undefined;

  /** `thrown` is told of every error that was thrown; the answer has only its line. */
  constructor(
    dialect: NamedDialect,
    surroundings: Surroundings,
    open: () => Promise<Milepost>,
    thrown: (error: unknown) => void = () => undefined,
  ) {
    this.#dialect = dialect;
    this.#surroundings = surroundings;
    this.#store = new ServerStore(open);
    this.#thrown = thrown;
    const heard = (place: Place) => this.#keep(place);
    const settings = () => readSettings(surroundings.environment);
    this.#silence = new SilenceWatch({ opened: () => this.#store.opened, settings });
    const { name, hasMainListOnly } = dialect;
    this.hooks = new HookTool(surroundings, this.#store, { dialect: name, hasMainListOnly, heard });
  }

  /** Every call gets an answer. Store trouble, or a defect of ours, becomes an error answer, and the server goes on. */
  async answer(call: ToolCall): Promise<Answer> {
    const caller = identify(this.#surroundings, call);
    if (!caller.ok) return refused(caller.error);
    const answer = await this.#run(() => this.#call(call, caller.value));
    return answer.ok ? answer.value : refused(answer.error);
  }

  /** A call of `plan`: answered like any other; then the person is asked, where the client can do that. */
  async answerPlan(call: ToolCall, asking: Asking): Promise<PlanReply> {
    const caller = identify(this.#surroundings, call);
    const reply = caller.ok ? await this.#run(() => this.#askPerson(call, caller.value, asking)) : caller;
    return reply.ok ? reply.value : { type: "answer", answer: refused(reply.error) };
  }

  async #run<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      this.#thrown(error);
      return fail(failureOf(error));
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.hooks.close();
    await this.#heartbeat.stop();
    await this.#silence.stop();
    await this.#leave().catch(() => undefined);
    await this.#store.retire();
  }

  /** While nobody waits for it. Trouble is said by the call that has it, too. */
  prepare(): void {
    this.hooks.hearStarts().catch(() => undefined);
  }

  #call(call: ToolCall, caller: Caller): Promise<Result<Answer>> {
    return this.#store.use(CALL_PATIENCE, async (milepost) => {
      const settled = await this.#settled(milepost, caller);
      return settled.ok ? await this.#callIn(milepost, call, settled.value) : settled;
    });
  }

  async #settled(milepost: Milepost, caller: Caller): Promise<Result<Caller>> {
    const place = caller.isSure ? ok(caller) : await this.#placeOf(milepost, caller);
    return place.ok ? ok({ ...caller, ...place.value }) : place;
  }

  /** What asks is loaded with the first plan: few servers ever see one. */
  async #askPerson(call: ToolCall, claimed: Caller, asking: Asking): Promise<Result<PlanReply>> {
    const use = <T>(work: (milepost: Milepost) => Promise<T>) => this.#store.use(CALL_PATIENCE, work);
    const caller = await use((milepost) => this.#settled(milepost, claimed));
    if (!caller.ok) return caller;
    this.#approval ??= import("./plan-approval.js").then(({ PlanApproval }) => {
      const open = async () => (await this.#store.milepost()).store;
      return new PlanApproval({ use: (work) => use(({ store }) => work(store)), open, name: this.#storeName() });
    });
    const approval = await this.#approval;
    const make = () => use((milepost) => this.#callIn(milepost, call, caller.value));
    return approval.answer({ caller: caller.value, input: call.input, asking, make });
  }

  /** Setup may have named it for the server alone: the person's own shell has to be told. */
  #storeName(): string | undefined {
    const { store, environment } = this.#surroundings;
    return store ?? (environment.MILEPOST_STORE || undefined);
  }

  /** A session that is heard of lives, and so do its leases. */
  #keep({ session = "", agent }: Place): void {
    this.#heartbeat.notice({ session, owner: holderName(session, agent, undefined), isSubAgent: agent !== undefined });
    this.#silence.hear(session);
  }

  async #callIn(milepost: Milepost, { tool, input, source }: ToolCall, caller: Caller): Promise<Result<Answer>> {
    const { client, call, folder, session, agent } = caller;
    // The next server in this folder gets the session, but not the leases.
    const holder = caller.isGuessed ? this.#name : undefined;
    const request: CallRequest = {
      dialect: this.#dialect.name,
      tool,
      input,
      source,
      session,
      agent,
      ...this.#lists(folder),
      holder,
      namedStore: this.#storeName(),
      origin: { client, folder, server: SERVER, call },
    };
    const key = ["mcp", session, ...(caller.turn === undefined ? [] : [caller.turn]), call].join(":");
    // Input this deep is refused by every dialect; comparing it with an earlier one could overflow the stack.
    const isRepeatable = call !== undefined && isKey(key) && !isDeeperThan(input, DEEPEST_VALUE);
    const answer = await milepost.call(isRepeatable ? { ...request, key } : request);
    this.#heartbeat.hear({ session, owner: holderName(session, agent, holder), isSubAgent: agent !== undefined });
    // Some models number their calls from 1 in each turn. A call that was sent again has the same input.
    return !answer.ok && answer.error.code === "key-reused" ? await milepost.call(request) : answer;
  }

  /** The list of tasks that is meant, where somebody has said; and the one of the project. */
  #lists(folder: string): Pick<CallRequest, "list" | "project"> {
    const { list, environment } = this.#surroundings;
    const named = list ?? (environment.CLAUDE_CODE_TASK_LIST_ID || environment.MILEPOST_LIST || undefined);
    const project = named === undefined ? listName(undefined, environment, folder) : undefined;
    return { list: named, project: project?.ok ? project.value : undefined };
  }

  /** The hook before this call knows the session: the server's environment may be outdated. Or nobody does. */
  async #placeOf(milepost: Milepost, { session, agent, call, isGuessed }: Caller): Promise<Result<CallPlace>> {
    const { process, server } = this.#surroundings;
    const heard = this.hooks.placeOf(call);
    if (heard?.session !== undefined) return ok({ session: heard.session, agent: heard.agent, isGuessed: false });
    if (!isGuessed) {
      const told = await milepost.placeOf(process, call);
      return ok({ session: told?.session ?? session, agent: told?.agent, isGuessed });
    }
    const hooked = await hookedPlace(milepost.store, process);
    if (hooked !== undefined) return ok({ session: hooked, agent, isGuessed: false });
    this.#agents ??= agentsAbove(process);
    const seen = this.#agents.length === 0 ? undefined : await acpPlace(milepost.store, this.#agents);
    // Nobody tells of a session, or of too many: the next call does not wait for it again.
    if (seen === undefined) this.#agents = [];
    if (seen !== undefined) return ok({ session: seen, agent, isGuessed: false });
    const holding = this.#held.then((held) => holdSession(milepost.store, { folderSession: session, server }, held));
    this.#held = holding.then((held) => (held.ok ? held.value : undefined)).catch(() => undefined);
    const held = await holding;
    return held.ok ? ok({ session: held.value, agent, isGuessed }) : held;
  }

  async #leave(): Promise<void> {
    const held = await this.#held;
    const milepost = held === undefined ? undefined : await this.#store.opened;
    if (held !== undefined && milepost) await leaveSession(milepost.store, this.#surroundings.server, held);
  }
}

/** As setup names it. */
const SERVER = "milepost";

function refused({ code, message }: Failure): Answer {
  const told = code === "store-busy" ? `Busy, try again. ${message}` : message;
  return { text: `${promptText(told, LONGEST_MESSAGE)} [${code}]`, isError: true };
}
