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
export function hookFactOf(fact: ToldFact, source: AcpSource): HookFact {
  const { session } = fact;
  if (fact.type === "plan.told") {
    const input = fitListInput("plan", fact.plan);
    const made = { dialect: "acp", tool: "plan", input, mode: "default", isMade: true } as const;
    return { kind: "list", call: { ...made, session, fact: `${source.mark}/listed` } };
  }
  return { kind: "sighting", sighting: { session, who: whoIn(source), ...seenIn(fact, source) } };
}

/** Calls of one session in the order that they were told, in one write: an agent may make hundreds in a second. */
export function callsFactOf(session: string, calls: readonly CallFact[], source: AcpSource): HookFact {
  const events = calls.flatMap((fact) => (fact.type === "call.ended" ? replyOf(fact) : []));
  const told = calls.map((fact) => (fact.type === "call.ended" ? callEnd(fact) : callStart(fact)));
  return { kind: "sighting", sighting: { session, who: whoIn(source), calls: told, events } };
}

export type CallFact = Extract<AcpFact, { type: "call.started" | "call.ended" }>;
type ToldFact = Exclude<AcpFact, CallFact>;

export function isCallFact(fact: AcpFact): fact is CallFact {
  return fact.type === "call.started" || fact.type === "call.ended";
}

function whoIn({ client, process, folder }: AcpSource): NonNullable<Sighting["who"]> {
  return { client, process, folder, via: "acp" };
}

function seenIn(fact: Exclude<ToldFact, { type: "plan.told" }>, source: AcpSource): Partial<Sighting> {
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

function callEnd({ type: _, session, ...ended }: Extract<AcpFact, { type: "call.ended" }>): NewEvent {
  return callEnded(session, ended);
}

/** Calls of list tools are no work; until the client tells which calls belong together, each one is a reply. */
function replyOf({ type: _, session, ...ended }: Extract<AcpFact, { type: "call.ended" }>): readonly NewEvent[] {
  if (ended.facts.isList) return [];
  const replied = { type: "reply.ended", batch: false, calls: 1, usedList: false, round: [roundCall(ended)] } as const;
  return [sessionEvent(replied, factId(session, ended.call, "reply"))];
}
