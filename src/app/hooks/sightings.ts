import type { RoundCall } from "../../core/call/call-facts.js";
import { redact, redactStart } from "../../core/secrets/redact.js";
import type { SessionEvent } from "../../core/session/events.js";
import type { Once } from "../../core/session/once.js";
import { askedText, permissionFor } from "../../core/session/state/asked-text.js";
import { nextFire } from "../../core/session/state/next-fire.js";
import { isUsageLimit } from "../../core/session/state/reason.js";
import { withoutIntroduction } from "../../core/session/told-words.js";
import { waiverIn } from "../../core/session/waiver.js";
import { markOf } from "../../core/text/mark.js";
import { callEnded, callStarted, factId, MOST_IN_ROUND, roundCall, type SeenCall } from "../calls/call-events.js";
import { clientFacts } from "../session/client-facts.js";
import type { Sighting } from "../session/record-sighting.js";
import { sessionEvent } from "../session/session-view.js";
import { modeOf } from "./agent-mode.js";
import { isUnattended } from "./attended.js";
import { type Fields, type HookInput, listOf, stringOf, turnOf } from "./hook-input.js";
import { isKeptElsewhere } from "./mirrored-input.js";
import { batchCalls } from "./seen-batch.js";
import { callOf, isListTool, isListWrite, seenCall, startedCall } from "./seen-call.js";
import { asksPerson, isStopWord } from "./stop-word.js";

type Seen = Omit<Sighting, "session" | "agent" | "who" | "mode">;
type See = (input: HookInput) => Seen | undefined;

/** What each hook event tells us. One that is not here tells us nothing, and is no error: clients grow. */
const EVENTS: Readonly<Record<string, See>> = {
  PreToolUse: seeCallStart,
  PostToolUse: (input) => seeCall(input, "completed"),
  PostToolUseFailure: (input) => seeCall(input, input.fields.is_interrupt === true ? "cancelled" : "failed"),
  PostToolBatch: seeBatch,
  UserPromptSubmit: seePrompt,
  Notification: seeNotification,
  PermissionRequest: seePermission,
  SubagentStart: seeAgentStart,
  SubagentStop: seeAgentStop,
  Stop: seeStop,
  StopFailure: seeFailure,
  TaskCompleted: seeTaskEnd,
  Interrupt: (input) => ({ ...facts({ type: "turn.ended", because: "interrupted" }), ...inTurn(input, "interrupted") }),
  SessionEnd: seeEnd,
  PreCompact: (input) => seeCut(input, "compaction.started"),
  PostCompact: (input) => seeCut(input, "compaction.ended"),
};

export function isSeen(event: string): boolean {
  return Object.hasOwn(EVENTS, event);
}

/** The start and end of a sub-agent are events of its session, and so is what a person is asked. */
const ABOUT_ALL = ["SubagentStart", "SubagentStop", "PermissionRequest", "Notification"];

export function sightingOf(input: HookInput): Sighting | undefined {
  const seen = Object.hasOwn(EVENTS, input.event) ? EVENTS[input.event]?.(input) : undefined;
  if (!seen) return undefined;
  const isOwn = !ABOUT_ALL.includes(input.event) && !isAsking(input);
  const { session, client, folder, process, dialect: speaks } = input;
  const mode = modeOf(input);
  return {
    session,
    agent: isOwn ? input.agent : undefined,
    who: { client, folder, process },
    ...(mode && { mode }),
    ...(speaks && { speaks }),
    ...seen,
  };
}

function facts(...events: readonly SessionEvent[]): Seen {
  return { events: events.map((event) => sessionEvent(event)) };
}

type Told = Pick<Seen, "once">;

/**
 * What makes a fact the same in every report of it: its turn, its kind, and what the client says of it. Clients that
 * tell no turn have one way only.
 */
function inTurn(input: HookInput, kind: string, told: unknown = "", again?: Once["again"]): Told {
  const turn = turnOf(input);
  return turn === "" ? {} : once(factId(input.session, `${turn}/${kind}`, markOf(JSON.stringify(told) ?? "")), again);
}

function once(id: string | undefined, again?: Once["again"], agent?: string): Told {
  return id === undefined ? {} : { once: { id, ...(again && { again }), ...(agent && { agent }) } };
}

/** A client's own word, cut to a sane length. */
function word(text: string | undefined): string {
  return redactStart(text ?? "", 40);
}

/** Codex has no other hook for it. */
function isAsking({ event, fields }: HookInput): boolean {
  return event === "PreToolUse" && stringOf(fields, "tool_name") === "request_user_input";
}

function seeCallStart(input: HookInput): Seen | undefined {
  const { fields, agent, process } = input;
  const call = callOf(fields);
  if (isAsking(input)) {
    const id = call && factId(input.session, `${turnOf(input)}/${call}`, "asked");
    return { ...seePermission(input), ...(id && once(id)) };
  }
  // A call in progress keeps the leases of its session; ours is also how the server learns whose call it is.
  if (call === undefined) return undefined;
  const started = startedCall(fields);
  return { calls: [callStarted(process, call, { ...started, agent })], probe: started.facts.signature };
}

function seeCall(input: HookInput, status: SeenCall["status"]): Seen {
  return tellCall(input, seenCall(input, status));
}

function tellCall(input: HookInput, call: SeenCall): Seen {
  const { session, fields } = input;
  const { status } = call;
  const name = stringOf(fields, "tool_name") ?? "";
  const isList = isListTool(input.client, name);
  const isKept = call.call === undefined && isKeptElsewhere(input, call.server);
  const isRefused = status === "failed" && isListWrite(input.client, name) && !isKept;
  const refusal = call.call && factId(session, call.call, "refused");
  const refused = sessionEvent({ type: "list.refused", tool: call.tool }, refusal);
  return {
    calls: isKept ? [] : [callEnded(session, call)],
    events: isRefused ? [refused] : [],
    shared: status === "completed" ? keptByClient(input, name, call.call) : [],
    reply: isList ? undefined : replyOf(input, [call.call], { round: [roundCall(call)] }),
    moment: "reply",
  };
}

function keptByClient(input: HookInput, tool: string, call: string | undefined): NonNullable<Seen["shared"]> {
  const { session, agent, fields } = input;
  const id = call === undefined ? undefined : factId(session, `${turnOf(input)}/${call}`, "kept");
  return clientFacts({ tool, agent, input: fields.tool_input, output: fields.tool_response }, id);
}

/** One reply of the model. A reply that only wrote the list is in the list's events already. */
function replyOf(
  input: HookInput,
  calls: readonly (string | undefined)[],
  { isBatch = false, usedList = false, round }: RepliedWith,
): Seen["reply"] {
  const [first] = calls;
  const fact = `${turnOf(input)}/${first}`;
  const id = first === undefined ? undefined : factId(input.session, fact, isBatch ? "batch" : "reply");
  const event = { type: "reply.ended", batch: isBatch, calls: calls.length, usedList, round } as const;
  return { event: sessionEvent(event, id), isBatch };
}

interface RepliedWith {
  readonly isBatch?: boolean;
  readonly usedList?: boolean;
  readonly round: readonly RoundCall[];
}

/** Most calls were reported one by one, and are known. The others were refused before they ran, or not heard of. */
function seeBatch(input: HookInput): Seen {
  const calls = listOf(input.fields, "tool_calls");
  const isList = (call: Fields) => isListTool(input.client, stringOf(call, "tool_name") ?? "");
  const isWork = calls.length === 0 || !calls.every(isList);
  const batch = batchCalls(input).map(({ call, status }) => ({ hook: call, call: seenCall(call, status) }));
  const seen = batch.map(({ hook, call }) => tellCall(hook, call));
  const round = batch
    .filter(({ hook }) => !isList(hook.fields))
    .slice(0, MOST_IN_ROUND)
    .map(({ call }) => roundCall(call, input.recorded?.get(call.call ?? "")));
  return {
    calls: seen.flatMap((one) => one.calls ?? []),
    events: seen.flatMap((one) => one.events ?? []),
    shared: seen.flatMap((one) => one.shared ?? []),
    isWhole: true,
    reply: isWork
      ? replyOf(input, calls.map(callOf), { isBatch: true, usedList: calls.some(isList), round })
      : undefined,
    moment: "reply",
  };
}

/** Clients report the end of background work as if a person had typed it. */
const NOTICE = /^\s*<(?:task-notification|subagent_notification)\b/;

/** Who else than a person gives a client something to do. */
const WAKERS = ["system", "loop_wakeup", "schedule_wakeup", "poll_event"];

function seePrompt(input: HookInput): Seen {
  const { fields } = input;
  const prompt = stringOf(fields, "prompt") ?? "";
  const source = stringOf(fields, "source") ?? "";
  // What is typed while a turn runs may come under the id of that turn.
  const told = inTurn(input, "prompt", prompt);
  if (NOTICE.test(prompt) || WAKERS.includes(source))
    return { ...facts({ type: "turn.woken", by: word(source || "notice") }), ...told, moment: "prompt" };
  const isStop = isStopWord(withoutIntroduction(prompt));
  return { ...facts({ type: "turn.started", isStop }), ...told, prompt, moment: "prompt" };
}

/** Everything is asked by this: a permission, a question, a plan. */
function seePermission(input: HookInput): Seen {
  const { agent, fields } = input;
  const { tool_name: tool, tool_input: asked } = fields;
  const { kind, text, choices } = permissionFor(stringOf(fields, "tool_name") ?? "", asked);
  const told = inTurn(input, "asked", [agent, tool, asked], "asked");
  const awaited = { type: "person.awaited", for: kind, ...(text && { text }), ...(choices && { choices }) } as const;
  return { ...facts(awaited), ...told };
}

/** Others are news, not questions: an idle notification says that the turn is over. */
const WAITING = ["permission_prompt", "worker_permission_prompt", "elicitation_dialog", "agent_needs_input"];
const ANSWERED = ["elicitation_complete", "elicitation_response"];

function seeNotification(input: HookInput): Seen | undefined {
  const { agent, fields } = input;
  const kind = stringOf(fields, "notification_type");
  const message = stringOf(fields, "message") ?? "";
  if (kind !== undefined && ANSWERED.includes(kind))
    return { ...facts({ type: "person.answered" }), ...inTurn(input, "answered", [agent, message], "answered") };
  // Versions before 2.0 say it in words alone, also that they are idle.
  const isWaiting = kind === undefined ? !/waiting for your input/i.test(message) : WAITING.includes(kind);
  if (!isWaiting) return undefined;
  // That a permission is asked for is told before, and what for; of anything else the message is all there is.
  const text = kind === undefined || kind.endsWith("permission_prompt") ? undefined : askedText(message);
  const told = inTurn(input, "notified", [agent, kind, message], "asked");
  return { ...facts({ type: "person.awaited", for: word(kind ?? "permission"), ...(text && { text }) }), ...told };
}

/** The model's service refused, or was not there. Temporary limits of its own are no limit of the person's. */
function seeFailure(input: HookInput): Seen {
  const [error, last] = ["error", "last_assistant_message"].map((name) => stringOf(input.fields, name) ?? "");
  const isLimit = error === "rate_limit" && isUsageLimit(last ?? "");
  const told = inTurn(input, "failed", [error, last], "stopped");
  return { ...facts({ type: "turn.ended", because: isLimit ? "usage-limit" : "failed" }), ...told };
}

function seeAgentStart({ session, fields, agent }: HookInput): Seen | undefined {
  if (agent === undefined) return undefined;
  const kind = word(stringOf(fields, "agent_type"));
  const told = once(factId(session, agent, "agent-started"), "agent-started", agent);
  return { ...facts({ type: "agent.started", agent, ...(kind ? { kind } : undefined) }), ...told };
}

function seeAgentStop({ session, fields, agent }: HookInput): Seen | undefined {
  // Claude Code reports its own summary of a compaction as an agent without a type.
  if (agent === undefined || stringOf(fields, "agent_type") === "") return undefined;
  const said = markOf(stringOf(fields, "last_assistant_message") ?? "");
  const told = once(factId(session, agent, `agent-ended/${said}`), "agent-ended", agent);
  return { ...facts({ type: "agent.ended", agent }), ...told };
}

function seeEnd({ session, fields }: HookInput): Seen {
  const reason = word(stringOf(fields, "reason"));
  return { ...facts({ type: "session.ended", reason }), ...once(factId(session, "ended", markOf(reason)), "ended") };
}

function seeCut(input: HookInput, type: "compaction.started" | "compaction.ended"): Seen {
  const trigger = word(stringOf(input.fields, "trigger"));
  return { ...facts({ type, trigger }), ...inTurn(input, type, trigger, "cut") };
}

function seeStop(input: HookInput): Seen {
  const { fields } = input;
  const last = stringOf(fields, "last_assistant_message") ?? "";
  const running = listOf(fields, "background_tasks").filter(isRunning);
  const crons = listOf(fields, "session_crons");
  const isAsking = asksPerson(last);
  const said = { ...(last !== "" && { words: markOf(last.trim()) }), ...(isAsking && { isAsking }) };
  const isAgain = fields.stop_hook_active === true;
  const again = isAgain ? { isAgain } : {};
  const ended = sessionEvent({ type: "turn.ended", ...leftBehind(running, crons), ...said, ...again });
  const isHeld = stringOf(fields, "permission_mode") === "plan" || running.length > 0 || crons.length > 0;
  const told = inTurn(input, isAgain ? "stopped-again" : "stopped", last, "stopped");
  const waived = waivedIn(last);
  if (isHeld) return { events: [ended, ...waived], ...told };
  const stop = { isAgain, isUnattended: isUnattended(input), isAsking };
  return { moment: "stop", stop, events: waived, ifSilent: [ended], ...told };
}

/** The agent's last words say that its work cannot be checked here. */
function waivedIn(words: string): NonNullable<Seen["events"]> {
  const reason = waiverIn(words);
  return reason === undefined ? [] : [sessionEvent({ type: "check.waived", reason: redact(reason) })];
}

/** One of its own tasks is about to be completed: we can refuse. That it was completed is told by the call. */
function seeTaskEnd(input: HookInput): Seen {
  return { moment: "task", stop: { isUnattended: isUnattended(input) } };
}

/** A command in the background may be a server that runs for ever; whatever else is there works on. */
function leftBehind(running: readonly Fields[], crons: readonly Fields[]) {
  const background = running.filter(({ type }) => type !== "shell" && type !== "monitor").length;
  const fires = crons.flatMap((cron) => nextFire(stringOf(cron, "schedule") ?? "", Date.now()) ?? []);
  return { ...(background > 0 && { background }), ...(fires.length > 0 && { wakesAt: Math.min(...fires) }) };
}

function isRunning(task: { readonly status?: unknown }): boolean {
  return task.status === undefined || task.status === "running" || task.status === "pending";
}
