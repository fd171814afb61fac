import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { CurrentList } from "../../core/session/client/current-list.js";
import { wholeName } from "../../core/session/match-session.js";
import type { Goal } from "../../core/session/observation.js";
import { sessionStream } from "../../store/stream.js";
import type { CommandContext } from "../command-definition.js";
import { text, type Values } from "../fields.js";
import { findSession } from "../session/find/find-session.js";
import { mention, type SessionMention } from "../session/session-mention.js";
import { readSettings } from "../settings.js";
import { givenStore, nextStep, typedLine } from "../terminal/next-step.js";
import { type KnownList, knownList } from "../transcripts/asked/known-list.js";

/** Flags that every verb on a list takes: which list, and whose hand it is. */
export const WHOSE = {
  session: text("SESSION", "session id, or a prefix of it (default: the newest in this project)"),
  agent: text("AGENT", "a sub-agent in it"),
  as: text("WHO", "who does it (default: user@host)"),
};

export type Whose = Values<typeof WHOSE>;

export interface ListPlace {
  readonly session: string;
  readonly agent: string | undefined;
  readonly stream: string;
  readonly clearAfter: number;
  readonly known: KnownList;
  /** It is of no project and was not named: to look at only. */
  readonly isStray: boolean;
  /** What is shown where the session has no list of ours: tasks that its client keeps, or what its transcript says. */
  readonly shown?: KnownList;
}

/** The list of a session. One that is only read from a transcript cannot be changed here, and that is said. */
export async function findList(
  context: CommandContext,
  whose: Whose,
  use: "read" | "write",
): Promise<Result<ListPlace>> {
  const { subAgents, clearAfter } = readSettings(context.environment);
  // Where sub-agents share the session's list, that is the one.
  const isShared = subAgents === "shared";
  const found = await findSession(context, isShared ? { session: whose.session } : whose);
  if (!found.ok) return found;
  const isStray = found.value.loose === "beside-projects";
  if (use === "write" && isStray) return fail(nobodyHere(context, found.value.session));
  const known = await knownList(context, found.value);
  if (use === "write" && isOnlyRead(known)) return fail(await onlyRead(context, known));
  const { session } = known;
  const agent = isShared && found.value.isStored ? undefined : known.agent;
  const isOurs = known.keeper === "session" && known.from !== "transcript";
  return ok({
    ...{ session, agent, stream: sessionStream(session, agent), clearAfter, known, isStray },
    ...(isOurs ? undefined : { shown: known }),
  });
}

/** Lists of no project are shown where there is nothing else; only one that was named is changed. */
export function nobodyHere({ line, folder }: CommandContext, session: string): Failure {
  const again = typedLine(line.toSpliced(1, 0, "--session", session));
  return { code: "no-session", message: `There is no session in ${folder}. For the newest of no project: ${again}` };
}

/** Nobody reports to us: the list is what the transcript says. */
function isOnlyRead({ hasTranscript, from, isWired }: KnownList): boolean {
  return hasTranscript && from !== "store" && !isWired;
}

async function onlyRead(context: CommandContext, { session, agent, client }: KnownList): Promise<Failure> {
  const name = wholeName({ session, agent });
  const what = `Session ${name} is only read, from its transcript: only ${client || "its agent"} can change that list.`;
  const flags = { session: name, store: givenStore(context) };
  const look = nextStep("todo list", flags);
  const { stepToReport } = await import("../setup/start-again.js");
  const step = stepToReport(context, { id: session, client, folder: "" });
  const next = step === undefined ? look : `To change lists from here, ${step}`;
  return { code: "only-read", message: `${what} ${next}` };
}

/** Whose list it is, as far as that is known. */
export interface ListOwner extends SessionMention {
  /** `client`: the tasks that the agent's program keeps; only the agent can change them. */
  readonly keeper: CurrentList["keeper"];
  /** False for a list that is only read from a transcript, or that the agent's program keeps. */
  readonly writable: boolean;
  readonly goal: Goal | null;
}

export function ownerOf({ session, agent, known, shown }: ListPlace): ListOwner {
  const { folder, branch, client, goal } = known;
  const about = mention({ session, subAgent: agent, client, folder, branch });
  return { ...about, keeper: shown?.keeper ?? "session", writable: !shown && !isOnlyRead(known), goal };
}
