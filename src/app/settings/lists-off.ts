import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import type { Settings } from "../settings.js";

// Agents whose lists a person has switched off (list.off). Their models have no list tool of ours, nothing of theirs is
// mirrored, nothing is said of a list, and views show none. Tasks, plans and everything else go on.

type Off = Pick<Settings, "listsOff">;

/**
 * `client`: an agent as `sessions` shows it, or as it names itself to a server: Codex says `codex-mcp-client`, and our
 * extension in pi `milepost-pi`. So a name that goes on after the agent's is the agent's, too.
 */
export function hasNoLists({ listsOff }: Off, client: string | undefined): boolean {
  if (listsOff.length === 0 || !client) return false;
  const name = client.toLowerCase().replace(OUR_EXTENSION, "");
  return listsOff.some((agent) => name.startsWith(agent) && !/^[a-z0-9]/.test(name.slice(agent.length)));
}

/** Before the name of the agent in whose process our extension starts the server. */
const OUR_EXTENSION = /^milepost-/;

/** What its model is told, and people are shown. */
export function listUnlessOff(off: Off, client: string | undefined, list: TodoList): TodoList {
  return hasNoLists(off, client) ? EMPTY_LIST : list;
}

/** The answer to a call of a list tool. */
export const NO_LISTS = "Todo lists are switched off for this agent (setting list.off). Go on without one.";
