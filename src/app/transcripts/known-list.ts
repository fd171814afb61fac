import { type ClientList, NO_CLIENT_LIST } from "../../core/session/client/client-list.js";
import { type CurrentList, currentList } from "../../core/session/client/current-list.js";
import type { Goal } from "../../core/session/observation.js";
import type { Session } from "../../core/session/session.js";
import type { Work } from "../../core/session/session-facts.js";
import { EMPTY_LIST, todosOf } from "../../core/todo/list.js";
import { sessionStream } from "../../store/stream.js";
import type { CommandContext } from "../command-definition.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { sweptList } from "../todo/sweep-closed.js";
import type { AttachedList } from "./attached-list.js";

/** The one list of a session that commands show: the same that its model is told of. */
export interface KnownList extends CurrentList {
  readonly session: string;
  readonly client: string;
  readonly folder: string;
  /** What ran for which todo, where the list is read from a transcript. */
  readonly work?: readonly Work[] | undefined;
  readonly goal: Goal | null;
  /** Its hooks report: what a person tells it arrives. */
  readonly isWired: boolean;
  /** `transcript`: all that is known of it is read from there. `nowhere`: no list was ever written. */
  readonly from: "store" | "transcript" | "nowhere";
}

export interface Looked {
  readonly known: KnownList;
  /** It has a transcript. Not looked for where the store knows enough. */
  readonly isSeen: boolean;
  /** Transcripts that could not be read, and why: it may be in one of them. */
  readonly troubles: readonly string[];
}

/** Transcripts are only read where the store has no todos: then its client may keep tasks, or the list itself. */
export async function knownList(context: CommandContext, session: string, agent?: string): Promise<Looked> {
  const { store } = await context.open("read");
  const stream = sessionStream(session, agent);
  const list = await sweptList(store, stream, readSettings(context.environment).clearAfter);
  const whole = await store.view(SESSIONS, sessionStream(session));
  const own = agent === undefined ? whole : await store.view(SESSIONS, stream);
  const told = { ...NO_CLIENT_LIST, ...own.clientList };
  const stored: Told = { session, client: whole.client, folder: whole.folder, isWired: isWired(whole), list, ...told };
  if (todosOf(list).length > 0) return { known: knownBy(stored), isSeen: false, troubles: [] };
  // Readers of transcripts load only here.
  const { attachedList } = await import("./attached-list.js");
  const { found, troubles } = await attachedList(context, session, agent);
  return { known: knownBy(stored, found), isSeen: found !== undefined, troubles };
}

function isWired({ turns, process }: Session): boolean {
  return turns > 0 || process !== "";
}

/** What the store knows. */
type Told = Pick<KnownList, "session" | "client" | "folder" | "isWired" | "list"> & ClientList;

/** One that only its transcript knows. */
export function attachedKnown(found: AttachedList): KnownList {
  const { session, client, folder } = found;
  return knownBy({ session, client, folder, isWired: false, list: EMPTY_LIST, ...NO_CLIENT_LIST }, found);
}

/** As in the table of sessions: hooks are believed about the list, a transcript about the client's own tasks. */
function knownBy({ session, client, folder, isWired, list, tasks, tool, goal }: Told, found?: AttachedList): KnownList {
  const isListTold = list.revision > 0 || !found;
  const isTaskTold = !found || found.tasks.length === 0;
  const current = currentList(isListTold ? list : found.list, { tool, tasks: isTaskTold ? tasks : found.tasks });
  const isRead = current.keeper === "client" ? !isTaskTold && tasks.length === 0 : !isListTold;
  const isThere = todosOf(current.list).length > 0 || list.revision > 0;
  const from = !isThere ? "nowhere" : isRead ? "transcript" : "store";
  return {
    ...current,
    session,
    client: client || (found?.client ?? ""),
    folder: folder || (found?.folder ?? ""),
    work: current.keeper === "session" && !isListTold ? found.work : undefined,
    goal: goal ?? found?.goal ?? null,
    isWired,
    from,
  };
}
