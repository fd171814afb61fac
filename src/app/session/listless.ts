import { EMPTY_LIST } from "../../core/todo/list.js";
import type { NewEvent } from "../../store/event-store.js";
import { hasNoLists } from "../settings/lists-off.js";
import type { Settings } from "../settings.js";
import type { Now } from "./list-words.js";
import type { Said, Sighting } from "./record-sighting.js";
import { withEvents } from "./session-view.js";

// Who has no list: agents whose lists a person has switched off, and sub-agents where only the main agent keeps one.

/** The session is of an agent without lists. `whole`: the session before this sighting. */
export function isSwitchedOff({ events = [], who }: Sighting, whole: Now["whole"], settings: Settings): boolean {
  // Almost nobody switches one off, and hooks are many.
  if (settings.listsOff.length === 0) return false;
  return hasNoLists(settings, withEvents(whole, events).client || who?.client);
}

/** What is kept of what the client keeps for the session: where lists are off, its goal alone. */
export function sharedOf({ shared = [] }: Sighting, isOff: boolean): readonly NewEvent[] {
  return isOff ? shared.filter(({ type }) => type === "goal.changed") : shared;
}

/** What is said is decided on this: a list from before is not spoken of, and neither is what a person did to it. */
export function withoutList(now: Now): Now {
  return { ...now, list: EMPTY_LIST, session: { ...now.session, edits: [] } };
}

/** A sub-agent without a list of its own is not reminded; its session is. */
export function isListless({ agent }: Sighting, { subAgents }: Settings): boolean {
  return agent !== undefined && (subAgents === "none" || subAgents === "shared");
}

/**
 * No client tells which agent asks for the list of tools, so a sub-agent is offered the same ones. But both report its
 * start, and give it what we say then before its first request.
 */
export function subAgentWords({ events = [] }: Sighting, { subAgents }: Settings, hasOurTool: boolean): Said {
  const isStart = events.some(({ type }) => type === "agent.started");
  return isStart && hasOurTool && subAgents === "none" ? [NO_TOOL] : [];
}

const NO_TOOL =
  "Milepost: sub-agents keep no todo list here; the list belongs to the main agent. Do not call Milepost's list tool.";
