import type { TodoList } from "../../core/todo/list.js";
import type { CommandContext } from "../command.js";
import { nearestIn } from "../find-session.js";
import { openBoard } from "./open-board.js";

interface AttachedList {
  readonly session: string;
  readonly list: TodoList;
}

/** A session's list as its transcript has it: of the one that was named, else of the newest in this project. */
export async function attachedList(
  context: CommandContext,
  asked: string | undefined,
  agent?: string,
): Promise<AttachedList | undefined> {
  const { attachment, keep } = await openBoard(context);
  // Transcripts are called after their session, and sub-agents' lie in a folder of that name.
  const isWanted = asked === undefined ? undefined : (path: string) => path.includes(asked);
  await attachment.readNewest(asked === undefined ? MOST_LOOKED_AT : Number.MAX_SAFE_INTEGER, { isWanted });
  await keep();
  const sessions = attachment.sessions();
  const own = sessions.filter(({ view }) => view.parent === null);
  const [root] =
    asked === undefined
      ? nearestIn(context.folder, own, ({ view }) => view.folder)
      : own.filter(({ view }) => view.id === asked);
  const id = root && (agent === undefined ? root.view.id : `${root.view.id}/${agent}`);
  const found = sessions.find(({ view }) => view.id === id);
  return found && { session: found.view.id, list: found.view.list };
}

const MOST_LOOKED_AT = 100;
