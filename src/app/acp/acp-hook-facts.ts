import { markOf } from "../../core/session/digest-text.js";
import type { SessionEvent } from "../../core/session/events.js";
import type { AcpFact } from "../../readers/acp/acp-fact.js";
import type { NewEvent } from "../../store/event-store.js";
import { callEnded, factId, roundCall, toolName } from "../calls/call-events.js";
import type { HookFact } from "../hooks/hook-facts.js";
import { fitListInput } from "../hooks/mirrored-input.js";
import { asksPerson } from "../hooks/stop-word.js";
import type { Sighting } from "../session/record-sighting.js";
import { sessionEvent } from "../session/session-view.js";

/** Whose facts they are. */
export interface AcpSource {
  /** The agent, as we call it. */
  readonly client: string;
  /** The agent's process, as `processName` writes it. */
  readonly process: string;
  readonly folder?: string | undefined;
  /** Tells this fact from all others of this process. */
  readonly mark: string;
}

/** What the messages of a session tell, as facts that are recorded, or wait, as those of hooks do. */
export function hookFactOf(fact: AcpFact, source: AcpSource): HookFact | undefined {
  const { session } = fact;
  if (fact.type === "plan.told") {
    const made = {
      dialect: "acp",
      tool: "plan",
      input: fitListInput("plan", fact.plan),
      mode: "default",
      isMade: true,
    } as const;
    return { kind: "list", call: { ...made, session, fact: `${source.mark}/listed` } };
  }
  const { client, process, folder } = source;
  const seen = seenIn(fact, source);
  return seen && { kind: "sighting", sighting: { session, who: { client, process, folder }, ...seen } };
}

function seenIn(fact: Exclude<AcpFact, { type: "plan.told" }>, source: AcpSource): Partial<Sighting> | undefined {
  switch (fact.type) {
    case "opened":
      return events(startOf(fact, source));
    case "closed":
      return events({ type: "session.ended", reason: "closed" });
    case "turn.started":
      return events({ type: "turn.started", isStop: false });
    case "turn.ended":
      return events(endOf(fact));
    case "asked": {
      const { kind, text, choices } = fact.ask;
      return events({ type: "person.awaited", for: kind, ...(text && { text }), ...(choices && { choices }) });
    }
    case "answered":
      return events({ type: "person.answered" });
    case "mode.told":
      return { mode: fact.mode };
    case "compaction":
      return events({ type: fact.isOver ? "compaction.ended" : "compaction.started", trigger: "acp" });
    case "call.started":
      return { calls: [callStart(fact)] };
    case "call.ended":
      return callEnd(fact);
  }
}

function events(event: SessionEvent): Partial<Sighting> {
  return { events: [sessionEvent(event)] };
}

function startOf(
  { how, from, folder }: Extract<AcpFact, { type: "opened" }>,
  { client, process }: AcpSource,
): SessionEvent {
  return { type: "session.started", source: how, client, process, folder, from, via: "acp" };
}

function endOf({ because, lastWords }: Extract<AcpFact, { type: "turn.ended" }>): SessionEvent {
  const words = lastWords.trim();
  const isAsking = because === undefined && asksPerson(words);
  return {
    type: "turn.ended",
    ...(because && { because }),
    ...(words !== "" && { words: markOf(words) }),
    ...(isAsking && { isAsking }),
  };
}

function callStart({
  session,
  call,
  tool,
  server,
  subject,
  facts,
}: Extract<AcpFact, { type: "call.started" }>): NewEvent {
  const { kind, signature } = facts;
  const id = factId(session, call, "started");
  const data = { call, tool: toolName(tool), server, subject, facts: { kind, signature } };
  return { type: "call.started", data, ...(id && { id }) };
}

/** Calls of list tools are no work; until the client tells which calls belong together, each one is a reply. */
function callEnd({ type: _, session, ...ended }: Extract<AcpFact, { type: "call.ended" }>): Partial<Sighting> {
  const calls = [callEnded(session, ended)];
  if (ended.facts.isList) return { calls };
  const replied = { type: "reply.ended", batch: false, calls: 1, usedList: false, round: [roundCall(ended)] } as const;
  return { calls, reply: { event: sessionEvent(replied, factId(session, ended.call, "reply")), isBatch: false } };
}
