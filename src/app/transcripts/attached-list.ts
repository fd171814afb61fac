import type { Goal, SeenTask } from "../../core/session/observation.js";
import type { Work } from "../../core/session/session-facts.js";
import type { TodoList } from "../../core/todo/list.js";
import type { CommandContext } from "../command-definition.js";
import { nearestIn } from "../session/find-session.js";
import { withTasksOnDisk } from "./agents/claude-tasks-folder.js";
import { openBoard } from "./open-session-board.js";
import type { SeenSession } from "./seen-session.js";

/** What a transcript tells of a session's list. */
export interface AttachedList {
  readonly session: string;
  readonly client: string;
  readonly folder: string;
  readonly list: TodoList;
  /** What ran for which todo. */
  readonly work: readonly Work[];
  /** That its client keeps. */
  readonly tasks: readonly SeenTask[];
  readonly goal: Goal | null;
}

interface Attached {
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
  const pick = () => {
    const sessions = attachment.sessions();
    const root = rootIn(sessions, context.folder, asked);
    return root && agent !== undefined ? agentOf(root, sessions, agent) : root;
  };
  let found = pick();
  if (!found && asked !== undefined) {
    await attachment.readAsked(asked);
    found = pick();
  }
  await keep();
  return { found: found && listOf(found), troubles: attachment.troubles };
}

function listOf(seen: SeenSession): AttachedList {
  const { id, agent, folder, list, work, tasks, goal } = withTasksOnDisk(seen.view, seen);
  return { session: id, client: agent, folder, list, work, tasks, goal };
}

const MOST_LOOKED_AT = 100;

/** An id may name a sub-agent; without one it is the nearest session. */
function rootIn(sessions: readonly SeenSession[], folder: string, asked: string | undefined): SeenSession | undefined {
  if (asked !== undefined) return sessions.find(({ view }) => view.id === asked);
  const roots = sessions.filter(({ view }) => view.parent === null);
  return nearestIn(folder, roots, ({ view }) => view.folder)[0];
}

/** Some agents give their sub-agents ids of their own. */
function agentOf({ view: { id } }: SeenSession, sessions: readonly SeenSession[], agent: string) {
  return sessions.find(({ view }) => view.id === `${id}/${agent}` || (view.parent === id && view.id === agent));
}
