import { resolve } from "node:path";
import { agentNamed } from "../app/agent-aliases.js";
import { placeName } from "../app/tasks/list-name.js";
import { checkId } from "../core/id.js";
import { idAt, objectAt } from "../core/json.js";
import { ok, type Result } from "../core/result.js";
import { promptText } from "../core/text/prompt-text.js";

/** Where the server runs, and what its command line says. */
export interface Surroundings {
  readonly session?: string | undefined;
  /** The list of tasks for every call. */
  readonly list?: string | undefined;
  /** The store, where one is named. */
  readonly store?: string | undefined;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly folder: string;
  /** The client that started the server: machine and number. */
  readonly process: string;
  /** The server itself, written alike. */
  readonly server: string;
}

/** What a call says about itself: the request's `_meta`, and what the client calls itself. */
export interface CallNote {
  readonly meta: { readonly [key: string]: unknown };
  readonly clientName?: string | undefined;
}

export interface Caller {
  readonly session: string;
  /** The sub-agent that calls, when it is not the session's own agent. */
  readonly agent: string | undefined;
  /** Claude Code's server outlives its session (`/clear`, `/resume`), and then the environment names an old one. */
  readonly isSure: boolean;
  /** Derived from the folder: it is one session, or one of several, of the servers that run there. */
  readonly isGuessed: boolean;
  readonly client: string;
  /** The client's own id of this call. */
  readonly call: string | undefined;
  /** The turn it belongs to, where the client says it: ids of calls may come again in the next one. */
  readonly turn: string | undefined;
  readonly folder: string;
}

/** The first source wins. An invalid id is refused, not skipped: the call would write to another list. */
export function identify(surroundings: Surroundings, note: CallNote): Result<Caller> {
  const folder = resolve(surroundings.environment.CLAUDE_PROJECT_DIR || surroundings.folder);
  const { session, agent, client, isSure = true, isGuessed = false } = claimed(surroundings, note, folder);
  const refused = checkId("session", session) ?? (agent === undefined ? undefined : checkId("agent", agent));
  if (refused) return refused;
  const call = note.meta["claudecode/toolUseId"] ?? note.meta["milepost/call"] ?? note.meta.callId;
  const turn = objectAt(note.meta["x-codex-turn-metadata"]).turn_id ?? note.meta["milepost/turn"];
  return ok({
    session: session as string,
    agent: agent as string | undefined,
    isSure,
    isGuessed,
    client,
    call: idAt(call),
    turn: idAt(turn),
    folder,
  });
}

interface Claim {
  readonly session: unknown;
  readonly agent?: unknown;
  readonly client: string;
  readonly isSure?: boolean;
  readonly isGuessed?: boolean;
}

function claimed({ session, environment }: Surroundings, { meta, clientName }: CallNote, folder: string): Claim {
  // A client's name goes into the log as it is; it is a stranger's text like any other.
  const client = promptText(clientName ?? "", 100) || "unknown";
  if (session !== undefined) return { session, client };
  // Our own extension in an agent knows whose call it makes, and so does a hook that comes before the call.
  const told = meta["milepost/session"];
  if (told !== undefined)
    return { session: told, agent: meta["milepost/agent"], client: agentNamed(client.replace(/^milepost-/, "")) };
  // Codex names the thread with each call. It goes first: Codex may have been started from inside Claude Code.
  if (meta.threadId !== undefined && meta.threadId !== null) return { ...codexThread(meta), client: "codex" };
  const claude = environment.CLAUDE_CODE_SESSION_ID;
  return claude
    ? { session: claude, client: "claude-code", isSure: false }
    : { session: folderSession(folder), client, isSure: false, isGuessed: true };
}

/** A sub-agent of Codex has a thread of its own; the session is the thread at the root. */
function codexThread(meta: CallNote["meta"]): Omit<Claim, "client"> {
  const { threadId, "x-codex-turn-metadata": turn } = meta;
  const root = objectAt(turn).session_id ?? threadId;
  return root === threadId ? { session: threadId } : { session: root, agent: threadId };
}

/** For clients that do not name their conversation: a restarted client has the folder in common with itself. */
export function folderSession(folder: string): string {
  return placeName(folder);
}
