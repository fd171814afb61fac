import { shortId } from "../../core/session/match-session.js";
import { terminalText } from "../../core/text/terminal-text.js";

/** What is known of the owners of tasks: which agent a session is of, and on which machine we are. */
export interface OwnersKnown {
  /** By session id; empty where the agent is not known. */
  readonly agents: ReadonlyMap<string, string>;
  readonly machine: string;
}

/**
 * An owner as a table shows it: `claude acc5a7` for a session, the name alone for somebody on this machine, and
 * `ann@desk` for somebody on another one. JSON has it as it is.
 */
export function ownerName(owner: string, { agents, machine }: OwnersKnown): string {
  const [root = owner, subAgent] = owner.split("/");
  const agent = agents.get(root);
  if (agent !== undefined) {
    return terminalText(sessionName(agent, root, subAgent));
  }
  const [, name, host] = /^([^@\s]+)@([^@\s]+)$/.exec(owner) ?? [];
  if (name === undefined || host === undefined) return terminalText(owner);
  return terminalText(host === machine ? name : `${name}@${host.split(".")[0]}`);
}

/** `claude acc5a7`, and `claude acc5a7/9b1c22` for a sub-agent of it. */
export function sessionName(agent: string, session: string, subAgent?: string): string {
  const ids = [session, ...(subAgent === undefined ? [] : [subAgent])].map(shortId).join("/");
  return [agent.replace(/^claude-code$/, "claude"), ids].filter(Boolean).join(" ");
}
