import { isObject, type JsonObject, listAt, objectAt, oneLine, parseJson, sessionAt, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { kindOf } from "./items.js";

const MOST_AGENTS = 50;

/** Threads that this call made, waited for or ended: sub-agents. What is sent somewhere may go to anybody. */
export function subagentsOf(item: JsonObject): readonly string[] {
  return isCollab(item) && !/^send/i.test(toolOf(item)) ? receiversOf(item) : [];
}

/** Sub-agents that began or ended. */
export interface AgentNews {
  readonly started: readonly string[];
  readonly ended: readonly string[];
}

/** `agents`: those that run. Each begins once and ends once, however often that is told. */
export function agentsAfter(agents: readonly string[], { started, ended }: AgentNews) {
  const running = new Set(agents);
  const facts: Fact[] = [];
  for (const agent of started) if (!running.has(agent)) facts.push({ type: "agent.started", agent });
  for (const agent of started) running.add(agent);
  for (const agent of ended) if (running.delete(agent)) facts.push({ type: "agent.ended", agent });
  return { agents: [...running].slice(-MOST_AGENTS), facts };
}

const NO_NEWS: AgentNews = { started: [], ended: [] };

/** What an item about sub-agents tells when it is over. */
export function agentNews(item: JsonObject): AgentNews {
  if (!isCollab(item)) return NO_NEWS;
  const ended = endedIn(item.agents_states ?? item.agentsStates);
  const tool = toolOf(item);
  if (/^(?:spawn|resume)/i.test(tool)) return { started: receiversOf(item), ended };
  return { started: [], ended: /^close/i.test(tool) ? [...receiversOf(item), ...ended] : ended };
}

/** The same, as the answers to the tools tell it: files of older versions have no items. */
export function agentNewsIn(tool: string, output: unknown): AgentNews {
  if (!/^(?:spawn_agent|resume_agent|wait|wait_agent)$/.test(tool)) return NO_NEWS;
  const text = textAt(output) ?? "";
  const { agent_id: id, status } = objectAt(
    text.startsWith("{") && text.length <= LONGEST ? parseJson(text) : undefined,
  );
  const agent = sessionAt(id);
  return { started: agent === undefined || tool !== "spawn_agent" ? [] : [agent], ended: endedIn(status) };
}

const LONGEST = 100_000;
const NOTIFICATION = /^\s*<subagent_notification>\s*(\{.*\})\s*<\/subagent_notification>/s;

/** What the client tells the model in a person's name when a sub-agent is over. */
export function agentNotified(text: string): AgentNews {
  if (!text.includes("<subagent_notification>")) return NO_NEWS;
  const [, report = ""] = NOTIFICATION.exec(text.slice(0, LONGEST)) ?? [];
  const { agent_path: path, agent_id: id, status } = objectAt(parseJson(report));
  const agent = sessionAt(path) ?? sessionAt(id);
  return agent !== undefined && isOver(status) ? { started: [], ended: [agent] } : NO_NEWS;
}

function isCollab(item: JsonObject): boolean {
  return kindOf(item).startsWith("collab");
}

function toolOf({ tool }: JsonObject): string {
  return oneLine(tool) ?? "";
}

function receiversOf(item: JsonObject): readonly string[] {
  return listAt(item.receiver_thread_ids ?? item.receiverThreadIds)
    .slice(0, MOST_AGENTS)
    .map(sessionAt)
    .filter((id) => id !== undefined);
}

function endedIn(states: unknown): readonly string[] {
  return Object.entries(objectAt(states))
    .slice(0, MOST_AGENTS)
    .flatMap(([id, state]) => (isOver(state) ? (sessionAt(id) ?? []) : []));
}

const RUNNING = /^(?:pending_?init|running)$/i;

/** A word, `{"completed":"last words"}`, or `{"status":"completed"}`. */
function isOver(state: unknown): boolean {
  const word = isObject(state) ? (textAt(state.status) ?? Object.keys(state)[0]) : textAt(state);
  return word !== undefined && !RUNNING.test(word);
}
