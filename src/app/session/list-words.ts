import type { Doubts } from "../../core/grounding/doubts.js";
import { NO_CLIENT_LIST } from "../../core/session/client/client-list.js";
import { type CurrentList, currentList, nounOf, TASK_MAKER } from "../../core/session/client/current-list.js";
import { listToolName, type ToolWay, taskToolName, wayText } from "../../core/session/client/list-tool.js";
import { digestHeading, digestOf, markOf } from "../../core/session/digest-text.js";
import type { ReminderKind, SessionEvent } from "../../core/session/events.js";
import { heldText, taskReminderText } from "../../core/session/held-tasks.js";
import { dueReminder, isRefusable, type ListNames, reminderText } from "../../core/session/reminders.js";
import type { Session } from "../../core/session/session.js";
import { unfinishedPlan } from "../../core/session/session-plan.js";
import type { TodoList } from "../../core/todo/list.js";
import { remindersOf } from "../../dialects/agent-reminders.js";
import { hasNoLists, listUnlessOff } from "../settings/lists-off.js";
import type { Offer, OfferingClient, Settings } from "../settings.js";
import { nextStep } from "../terminal/next-step.js";
import type { Sighting } from "./record-sighting.js";
import { evidenceSettings } from "./words/evidence-words.js";

// What a model is told of its list and of tasks that it holds. Texts name only tools that it has, else commands.

/** A text for the model, and the record of it. */
export interface Word {
  readonly text: string;
  readonly event: SessionEvent;
}

/** A session as it is after a sighting. */
export interface Now {
  /** Of a sub-agent that was seen, else of the session itself, as `list` is. */
  readonly session: Session;
  readonly list: TodoList;
  readonly whole: Session;
  /** The sighting added at least one new event. */
  readonly isNews: boolean;
  /** Todos that are called completed against the facts; looked for where a digest is due. */
  readonly doubts?: Doubts | undefined;
}

/** The tasks that a client keeps are those of the session; its sub-agents are not asked about them. */
export function currentListOf(list: TodoList, { clientList = NO_CLIENT_LIST }: Session, agent?: string): CurrentList {
  return currentList(list, agent === undefined ? clientList : { ...clientList, tasks: [] });
}

export function namesOf(current: CurrentList, client: string, settings: Settings, way?: () => ToolWay): ListNames {
  return { noun: nounOf(current), tool: listToolName(client, current.tool, offerOf(client, settings), way) };
}

/** Nothing, where the client tells the model of our tool, or it has none of ours. */
export function wayWords(client: string, settings: Settings, way: (() => ToolWay) | undefined): readonly string[] {
  if (!way || !hasOurTool(client, settings)) return [];
  const found = way();
  return found === "direct" || found === "plugin" ? [] : [wayText(client, found)];
}

/** The model is offered our `todo`. */
export function hasOurTool(client: string, settings: Settings): boolean {
  return !hasNoLists(settings, client) && offerOf(client, settings).todo === "ours";
}

/** Setup knows two clients; whoever wired another one by hand has our todo tool. */
function offerOf(client: string, { offers }: Settings): Offer {
  return Object.hasOwn(offers, client) ? offers[client as OfferingClient] : { todo: "ours", tasks: false };
}

function clientOf({ who }: Sighting, { whole }: Now): string {
  return whole.client || who?.client || "";
}

/** Where its model keeps its own list, this client asks at a stop what we would ask. */
function asksItself(client: string, settings: Settings): boolean {
  return client === "oh-my-pi" && offerOf(client, settings).todo === "client";
}

/** They come with the very hook that tells of the write, which is no news: its own events are written before. */
const OF_WRITES: readonly ReminderKind[] = ["focus", "check", "batch"];

/** At most one. */
export function reminderWords(sighting: Sighting, settings: Settings, now: Now): readonly Word[] {
  const { moment, stop, agent } = sighting;
  if (hasNoLists(settings, clientOf(sighting, now))) return [];
  const { session, whole } = now;
  const current = currentListOf(now.list, session, agent);
  const used = { ...current, tool: current.tool ?? whole.clientList?.tool };
  const names = namesOf(used, clientOf(sighting, now), settings, sighting.way);
  // Sub-agents work on the tasks of their session: there is a list.
  const asked = whole.clientList?.tasks.length ? { ...session, hasUsedList: true } : session;
  const own = remindersOf(session.dialect || sighting.speaks || "");
  // Several people may work on the tasks that a client keeps.
  const oneFocus = settings.focus !== "dialect" && current.keeper === "session";
  const checks = evidenceSettings(sighting, settings, now);
  const asksAtStop = settings.reminders.asksAtStop && !asksItself(clientOf(sighting, now), settings);
  const settled = { ...settings.reminders, ...own?.settings, asksAtStop, oneFocus, ...checks };
  const reminder = moment && dueReminder(asked, current.list, moment, settled, stop);
  if (!reminder || (!now.isNews && !isRefusable(moment) && !OF_WRITES.includes(reminder))) return [];
  // A list cannot be asked for where the model has no tool for it.
  if ((reminder === "unused" || reminder === "first") && names.tool === undefined) return [];
  const text = own?.text(reminder, session, current.list) ?? reminderText(reminder, session, current.list, names);
  return [{ text, event: { type: "reminder.sent", reminder, text } }];
}

export function taskReminderWord(sighting: Sighting, settings: Settings, now: Now): readonly Word[] {
  const text = taskReminderText(now.session, taskWords(sighting, settings, now, "done"));
  return [{ text, event: { type: "reminder.sent", reminder: "task", text } }];
}

/** Why what is open is to be said. `isOwed`: since another hook, whose words did not reach the model. */
export interface DigestDue {
  readonly cause: string;
  readonly process: string;
  readonly isKept?: boolean;
  readonly isOwed?: boolean;
}

/** Why a digest is sent after a compaction. */
export const CAUSE_CUT = "kept over the compaction";

/** Some clients announce a compaction and never tell its end: the digest comes with the next that is heard. */
function owedDigest({ agent, moment, who }: Sighting, { isCut }: Session): Sighting["digest"] {
  if (!isCut || agent !== undefined || moment === undefined || isRefusable(moment)) return undefined;
  return { cause: CAUSE_CUT, process: who?.process ?? "", isKept: true };
}

/** Clients that give the words of a hook to the model with one prompt, and keep the prompt without them. */
const FORGETFUL: readonly string[] = ["openclaw"];
/** What is said behind a compaction is in the requests of one process here, and in nothing that it keeps. */
const CUT_FORGETFUL: readonly string[] = ["opencode"];

export function digestWord(sighting: Sighting, settings: Settings, now: Now): readonly Word[] {
  const { session } = now;
  const due = sighting.digest ?? owedDigest(sighting, session);
  if (!due) return [];
  const { cause, process, isKept } = due;
  // Codex starts a session only when it is about to ask the model: two starts (resumed, then compacted at once) are for
  // one answer. Elsewhere a compaction cuts away what was said at the start before it.
  const isTold = session.client === "codex" ? session.digestBy !== undefined : session.digestBy === process && !isKept;
  if (isTold) return [];
  const current = currentListOf(now.list, session, sighting.agent);
  const heading = digestHeading(`${nounOf(current)}s`, cause);
  const above = { goal: session.clientList?.goal, plan: unfinishedPlan(session), doubts: now.doubts };
  const open = listUnlessOff(settings, clientOf(sighting, now), current.list);
  const digest = digestOf(open, heading, settings.digestTokens, above);
  // A model that forgot its task would hold the lease and block everybody else.
  const held = session.held.length === 0 ? [] : [heldText(session.held, taskWords(sighting, settings, now, "release"))];
  if (!digest && held.length === 0) return [];
  const text = [...(digest ? [digest.text] : []), ...held].join("\n");
  const mark = markOf(text.replace(heading, ""));
  // A resumed conversation has in it what was said before: the same again would only cost tokens.
  const client = session.client ?? "";
  if (mark === session.digestRead && !isKept && !FORGETFUL.includes(client)) return [];
  const lasting = cause === CAUSE_CUT && CUT_FORGETFUL.includes(client) ? undefined : { mark };
  return [
    {
      text,
      event: { type: "digest.sent", cause, todos: digest?.shown ?? 0, process, ...lasting, ...(isKept && { isKept }) },
    },
  ];
}

/** With what a model can say what became of the tasks it holds: our tool, else the command for the first of them. */
function taskWords(sighting: Sighting, settings: Settings, now: Now, verb: "done" | "release"): string {
  const client = clientOf(sighting, now);
  const tool = taskToolName(client, offerOf(client, settings), sighting.way);
  const [first] = now.session.held;
  if (tool !== undefined || !first) return tool ?? "milepost task";
  const flags = { list: first.list, session: sighting.session, as: first.owner };
  return `the command: ${nextStep(`task ${verb} ${first.task}`, flags, Object.keys(flags))}`;
}

/** The open items of a conversation that was cleared, for the one that follows it. */
export function clearedHeading(
  current: CurrentList,
  { client, way }: { readonly client: string; readonly way?: (() => ToolWay) | undefined },
  settings: Settings,
): string {
  const { noun, tool } = namesOf(current, client, settings, way);
  const maker = current.keeper === "client" ? TASK_MAKER : tool;
  const how = maker === undefined ? "" : ` with ${maker}`;
  return `Milepost: before this conversation was cleared, its list had open ${noun}s. They are not on the list now. If they still matter, add them again${how}; if not, ignore this.`;
}
