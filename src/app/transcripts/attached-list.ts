import type { TodoList } from "../../core/todo/list.js";
import type { CommandContext } from "../command.js";
import { nearestIn } from "../session/find-session.js";
import { openBoard } from "./open-session-board.js";
import type { SeenSession } from "./seen-session.js";

interface AttachedList {
  readonly session: string;
  readonly list: TodoList;
}

interface Attached {
  /** Undefined when no transcript that can be read has it. */
  readonly found: AttachedList | undefined;
  /** Files that could not be read, and why: it may be in one of them. */
  readonly troubles: readonly string[];
}

/** A session's list as its transcript has it: of the one that was named, else of the newest in this project. */
export async function attachedList(
  context: CommandContext,
  asked: string | undefined,
  agent?: string,
): Promise<Attached> {
  const { attachment, keep } = await openBoard(context);
  // Transcripts are called after their session, and sub-agents' lie in a folder of that name.
  const isWanted = asked === undefined ? undefined : (path: string) => path.includes(asked);
  await attachment.readNewest(asked === undefined ? MOST_LOOKED_AT : Number.MAX_SAFE_INTEGER, { isWanted });
  const pick = () => pickOne(context.folder, attachment.sessions(), asked, agent);
  let found = pick();
  if (!found && asked !== undefined) {
    await attachment.readAsked(asked);
    found = pick();
  }
  await keep();
  return { found: found && { session: found.view.id, list: found.view.list }, troubles: attachment.troubles };
}

const MOST_LOOKED_AT = 100;

/** Whoever names an id may mean a sub-agent's own; whoever names none means a session. */
function pickOne(
  folder: string,
  sessions: readonly SeenSession[],
  asked: string | undefined,
  agent: string | undefined,
): SeenSession | undefined {
  const [root] =
    asked === undefined
      ? nearestIn(
          folder,
          sessions.filter(({ view }) => view.parent === null),
          ({ view }) => view.folder,
        )
      : sessions.filter(({ view }) => view.id === asked);
  if (!root || agent === undefined) return root;
  const { id } = root.view;
  // Some agents give their sub-agents ids of their own.
  return sessions.find(({ view }) => view.id === `${id}/${agent}` || (view.parent === id && view.id === agent));
}
