import type { CallKind, Trouble } from "./call-facts.js";

interface Ended {
  readonly kind: CallKind;
  readonly status: "completed" | "failed" | "cancelled";
  readonly text: string;
  /** The tool is of another server, or on the network by its nature. */
  readonly isRemote: boolean;
}

const NO_TOOL =
  /^(?:<tool_use_error>)?(?:Error: )?(?:No such tool(?: available)?\b|unsupported (?:custom tool )?call: |Unknown tool\b|tool not found\b)/i;
/** In clients' own sentences, with the tool's name in the middle. */
const NO_TOOL_NAMED =
  /^Tool .{1,100} (?:not found|does not exist|is not available|not available|is unknown)\b|tried to call unavailable tool|is not a (?:known|valid|registered) tool\b/i;

const NETWORK =
  /\b(?:ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNABORTED|ENETUNREACH|EHOSTUNREACH|EPIPE|getaddrinfo|socket hang up|network error|fetch failed|connection (?:refused|reset|timed out|closed|aborted)|could not resolve host|temporary failure in name resolution|no route to host|request timed out|gateway time-?out|bad gateway|service unavailable|too many requests|rate[- ]limit(?:ed|s)?|overloaded(?:_error)?|TLS handshake|upstream (?:connect )?error)\b|\b(?:HTTP|status(?: code)?|error|code)[ :=/.\d]{0,12}(?:429|502|503|504|529)\b|^(?:429|502|503|504|529)\b/i;

/** Why a call failed that is no fault of what it asked; undefined where it is, or where nobody can tell. */
export function troubleOf({ kind, status, text, isRemote }: Ended): Trouble | undefined {
  if (status !== "completed" && (NO_TOOL.test(text) || NO_TOOL_NAMED.test(text.slice(0, 300)))) return "no-tool";
  if (kind !== "execute" && text.length < 300 && /^unsupported (?:custom tool )?call: /.test(text)) return "no-tool";
  // A test that fails and prints such words is a test that fails.
  const isOnNetwork = isRemote || kind === "fetch" || kind === "agent";
  return status === "failed" && isOnNetwork && NETWORK.test(text) ? "network" : undefined;
}

const REMOTE =
  /^(?:git (?:-C \S+ )?(?:push|pull|fetch|clone|ls-remote|submodule)|gh |curl |wget |npm (?:i|install|ci|publish|view|audit)\b|pnpm (?:i|install|add)\b|yarn(?: install| add|$)|pip3? (?:install|download)|uv (?:sync|pip|add)|poetry (?:install|add)|cargo (?:fetch|install|publish)|go (?:get|mod download)|apt(?:-get)? |brew |docker (?:pull|push|login)|kubectl |helm |ssh |scp |rsync |aws |gcloud |az |terraform (?:init|apply|plan))/;

/** A command that talks to another machine: the way there may fail. */
export function isRemoteCommand(command: string): boolean {
  return REMOTE.test(command.slice(0, 300).replace(/^(?:\s*cd \S+ *(?:&&|;))?\s*(?:sudo )?(?:\w+=\S* )*/, ""));
}
