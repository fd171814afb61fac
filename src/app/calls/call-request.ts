import { checkId } from "../../core/id.js";
import { ok, type Result } from "../../core/result.js";
import type { Dialect, ToolCall } from "../../dialects/dialect.js";
import { sessionStream } from "../../store/stream.js";

// Light on purpose: whoever opens a store knows what a call is; dialects are loaded with the first one.

/** Whose list is meant. Without an agent it is the session's own list. */
export interface Place {
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
}

export interface CallRequest extends Place {
  /** Default: `milepost`. */
  readonly dialect?: string;
  readonly tool: string;
  /** The arguments, parsed already. */
  readonly input?: unknown;
  /** Instead of `input`: the JSON text exactly as the model wrote it. */
  readonly arguments?: string;
  /** The JSON text that `input` was read from, where numbers in it lost something by that. */
  readonly source?: string | undefined;
  /** Default: the session's own, as its hooks told it. */
  readonly mode?: ToolCall["mode"];
  readonly storage?: ToolCall["storage"];
  /** Sent twice with the same key, a call is made once and answered twice. Kept for 24 hours. */
  readonly key?: string;
  /** Who calls, when it is not the session's own agent. */
  readonly actor?: string;
  /** The list of tasks that is meant. Default: the session's own or the project's, as the dialect says. */
  readonly list?: string | undefined;
  /** Distinguishes clients that share a guessed session: each has its own leases. */
  readonly holder?: string | undefined;
  /** The list of tasks of the project the caller works in. */
  readonly project?: string | undefined;
  /** The id of the fact, where a call that was made elsewhere is only repeated here: a known one changes nothing. */
  readonly fact?: string | undefined;
  /** The client's own tool has made this write already: it is recorded as it is, whatever our settings are. */
  readonly isMade?: boolean;
  /** And what its list is since, where it tells that. */
  readonly result?: unknown;
  /** The store as somebody named it: commands in an answer name it too. */
  readonly namedStore?: string | undefined;
  /** The call as the client knows it. With it, the call is also a fact in the log: once, however many report it. */
  readonly origin?: CallOrigin;
}

export interface CallOrigin {
  /** `claude-code`, `codex`, or what another client calls itself. */
  readonly client: string;
  /** The client's own id of this call. Without it the call cannot be told from the next one like it. */
  readonly call?: string | undefined;
  readonly folder?: string | undefined;
  /** The MCP server that the client called, as it knows it. */
  readonly server?: string | undefined;
}

export const DEFAULT_SESSION = "default";

type Scope = Dialect["policy"]["scope"];

export function listStream({ session = DEFAULT_SESSION, agent }: Place, scope: Scope): Result<string> {
  const owner = scope === "agent" ? agent : undefined;
  const refused = checkId("session", session) ?? (owner === undefined ? undefined : checkId("agent", owner));
  return refused ?? ok(sessionStream(session, owner));
}

const KEY = /^[!-~]{1,200}$/;

export function isKey(key: unknown): key is string {
  return typeof key === "string" && KEY.test(key);
}
