import type { EventStore } from "../../store/event-store.js";
import { commandOf, isSameProcess, withAncestors } from "../session/process-life.js";
import { type KnownSession, recentSessions } from "../session/session-view.js";

/** More conversations than an editor has open with one agent. */
const MOST_LOOKED_AT = 50;

/** The processes above this one, where one of them sits between an editor and its agent; else none. */
export function agentsAbove(process: string): readonly string[] {
  const above = withAncestors(process);
  return above.some((name) => isProxy(commandOf(name))) ? above : [];
}

const OURS = /(?:^|[\\/])milepost(?:\.cjs)?$/;

function isProxy(words: readonly string[]): boolean {
  const at = words.findIndex((word) => OURS.test(word));
  return at >= 0 && words[at + 1] === "acp";
}

/** How long a session is waited for that was opened a moment ago, and how often it is looked for. Milliseconds. */
const PATIENCE = 1500;
const LOOK_EVERY = 50;

/**
 * The session that a server belongs to whose client does not name it: the one that its agent works on just now, as
 * `milepost acp` tells. Undefined where that could be several, or nothing is told: no list beats a wrong one.
 */
export async function acpPlace(store: EventStore, agents: readonly string[]): Promise<string | undefined> {
  const isOurs = ({ session }: KnownSession) =>
    session.via === "acp" && session.state !== "ended" && agents.some((agent) => isSameProcess(session.process, agent));
  const until = Date.now() + PATIENCE;
  for (;;) {
    const sessions = (await recentSessions(store, MOST_LOOKED_AT)).filter(isOurs);
    const working = sessions.filter(({ session }) => session.state === "running" || session.state === "waiting");
    const [only, ...others] = working.length > 0 ? working : sessions;
    // What passes through `milepost acp` is recorded a moment later.
    if (only || Date.now() > until) return others.length === 0 ? only?.id : undefined;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
