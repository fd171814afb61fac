import type { SessionWork } from "../../../core/grounding/seen-work.js";
import { type ClientList, NO_CLIENT_LIST } from "../../../core/session/client/client-list.js";
import { type CurrentList, currentList } from "../../../core/session/client/current-list.js";
import type { Goal } from "../../../core/session/observation.js";
import type { FinishedList } from "../../../core/session/session-facts.js";
import { todosOf } from "../../../core/todo/list.js";
import { sessionStream } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import type { FoundSession } from "../../session/find/find-session.js";
import { SESSIONS } from "../../session/session-view.js";
import { readSettings } from "../../settings.js";
import { sweptList } from "../../todo/sweep-closed.js";
import { storedFinish, storedWork } from "../../todo/todo-work.js";
import { storeToRead } from "../store-to-read.js";
import { hasHooks } from "../stored-session.js";
import type { AttachedList } from "./attached-list.js";

/** The one list of a session that commands show: the same that its model is told of. */
export interface KnownList extends CurrentList {
  readonly session: string;
  readonly agent: string | undefined;
  /** Empty where nobody told: a session of no project. */
  readonly folder: string;
  /** As its transcript tells it; empty where none was read. */
  readonly branch: string;
  readonly client: string;
  /** What ran, where the list, or what was last finished, is not one that the store keeps. */
  readonly work?: SessionWork | undefined;
  readonly goal: Goal | null;
  /** Its hooks report: what a person tells it arrives. */
  readonly isWired: boolean;
  /** Not looked for where the store knows enough. */
  readonly hasTranscript: boolean;
  /** `transcript`: all that is known of it is read from there. `nowhere`: no list was ever written. */
  readonly from: "store" | "transcript" | "nowhere";
  /** When the transcript last grew that the list was read from. */
  readonly readAt?: number | undefined;
  /** What the agent's last write to the list was answered, where it was refused; empty: nobody has told. */
  readonly refusal?: string | undefined;
  /** The last list that came to its end, where there is no other. */
  readonly finished: FinishedList | null;
}

/** Transcripts are only read where the store has no todos: then its client may keep tasks, or the list itself. */
export async function knownList(context: CommandContext, found: FoundSession): Promise<KnownList> {
  const store = await storeToRead(context);
  const { session, agent } = found;
  const stream = sessionStream(session, agent);
  const list = await sweptList(store, stream, readSettings(context.environment).clearAfter);
  const whole = await store.view(SESSIONS, sessionStream(session));
  const own = agent === undefined ? whole : await store.view(SESSIONS, stream);
  const told = { ...NO_CLIENT_LIST, ...own.clientList };
  const { client, folder } = whole;
  const refusal = own.refusal === "none" ? undefined : (own.refusalText ?? "");
  const stored: Told = {
    session,
    agent,
    client,
    folder,
    isWired: hasHooks({ session: whole }),
    list,
    refusal,
    finished: null,
    ...told,
  };
  if (todosOf(list).length > 0) return knownBy(stored, undefined);
  const work = await storedWork(store, found);
  const finished = await storedFinish(store, found);
  const known = knownBy({ ...stored, finished, work }, await found.transcriptList());
  return todosOf(known.list).length > 0 ? { ...known, finished: null } : known;
}

/** What the store knows. */
type Told = Pick<
  KnownList,
  "session" | "agent" | "client" | "folder" | "isWired" | "list" | "refusal" | "finished" | "work"
> &
  ClientList;

/** As in the table of sessions: hooks are believed about the list, a transcript about the client's own tasks. */
function knownBy(told: Told, found: AttachedList | undefined): KnownList {
  const { session, agent, isWired, list, tasks, tool, goal } = told;
  const isListTold = list.revision > 0 || !found;
  const isTaskTold = !found || found.tasks.length === 0;
  const current = currentList(isListTold ? list : found.list, { tool, tasks: isTaskTold ? tasks : found.tasks });
  const isRead = current.keeper === "client" ? !isTaskTold && tasks.length === 0 : !isListTold;
  const isThere = todosOf(current.list).length > 0 || list.revision > 0;
  const from = !isThere ? "nowhere" : isRead ? "transcript" : "store";
  return {
    ...current,
    session,
    agent,
    client: told.client || (found?.client ?? ""),
    folder: told.folder || (found?.folder ?? ""),
    branch: found?.branch ?? "",
    work: workBy(told, found, current.keeper === "client" ? isTaskTold : isListTold),
    goal: goal ?? found?.goal ?? null,
    isWired,
    hasTranscript: found !== undefined,
    from,
    readAt: from === "transcript" ? found?.grewAt : undefined,
    refusal: isListTold ? told.refusal : found.refusal,
    finished: isListTold ? told.finished : found.finished,
  };
}

/** Of whoever told of the list. */
function workBy(told: Told, found: AttachedList | undefined, isTold: boolean): SessionWork | undefined {
  return isTold ? told.work : found?.work;
}
