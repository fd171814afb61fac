import { basename } from "node:path";
import type { TodoList } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { branchOf } from "../session/git-folder.js";
import { SESSIONS } from "../session/session-view.js";
import type { OfferedTask } from "../tasks/links/offer-tasks.js";
import type { ListPlace } from "./list-place.js";

/** What every verb of `milepost todo` answers; with `--json` just this. */
export interface ListReport extends ListOwner {
  /** What was done, in a line; of `list` and `copy` the list as markdown. */
  readonly said: string;
  readonly changed: boolean;
  /** The markdown is on the clipboard. */
  readonly copied?: true;
  /** The numbers of the todos that were named or added. */
  readonly todos?: readonly number[];
  readonly list: TodoList;
  /** Tasks that todos stand for which were just finished. */
  readonly tasks?: readonly OfferedTask[];
}

export interface ListOwner {
  readonly session: string;
  readonly agent?: string;
  readonly client?: string;
  /** The last part of the session's folder. */
  readonly project?: string;
  readonly branch?: string;
}

/** Whose list it is, as far as that is known. */
export async function ownerOf(store: EventStore, { session, agent }: ListPlace): Promise<ListOwner> {
  const { client, folder } = await store.view(SESSIONS, sessionStream(session));
  const branch = folder === "" ? undefined : branchOf(folder);
  return {
    session,
    ...(agent === undefined ? undefined : { agent }),
    ...(client === "" ? undefined : { client }),
    ...(folder === "" ? undefined : { project: basename(folder) || folder }),
    ...(branch === undefined ? undefined : { branch }),
  };
}

export function counted(todos: number): string {
  return `${todos} todo${todos === 1 ? "" : "s"}`;
}
