import type { SessionReport } from "../app/transcripts/session-report.js";
import type { Effect, Step } from "./effect.js";
import { agentWord } from "./frame/session-words.js";
import type { ViewState } from "./view-state.js";
import { currentSession, type World } from "./world.js";

// What most keys come to: a command on the session that is meant, or a word that there is none.

export function verb(name: string, input: Readonly<Record<string, unknown>>): Effect {
  return { type: "verb", name, input };
}

/** A sub-agent's list is told by its session and its own name. */
export function whose({ id }: Pick<SessionReport, "id">): Readonly<Record<string, unknown>> {
  const [session = id, agent] = id.split("/");
  return agent === undefined ? { session } : { session, agent };
}

export function nameOf(session: SessionReport): string {
  return `${agentWord(session)} · ${session.project ?? session.id.slice(0, 8)}`;
}

export function say(state: ViewState, text: string, now: number): Step {
  return { state: { ...state, message: { text, isError: true, at: now } } };
}

export function onSession(
  state: ViewState,
  world: World,
  effectOf: (session: SessionReport) => Effect | null | undefined,
  instead = "There is no session here.",
): Step {
  const session = currentSession(world, state);
  const effect = session && effectOf(session);
  return effect ? { state, effect } : say(state, instead, world.now);
}
