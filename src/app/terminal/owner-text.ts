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
    const id = subAgent === undefined ? shortId(root) : `${shortId(root)}/${shortId(subAgent)}`;
    return terminalText([agent.replace(/^claude-code$/, "claude"), id].filter(Boolean).join(" "));
  }
  const [, name, host] = /^([^@\s]+)@([^@\s]+)$/.exec(owner) ?? [];
  if (name === undefined || host === undefined) return terminalText(owner);
  return terminalText(host === machine ? name : `${name}@${host.split(".")[0]}`);
}
