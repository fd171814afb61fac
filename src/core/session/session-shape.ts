import { isWatch } from "../detectors/session-watch.js";
import { count, fields, like, list, maybe, oneOf, text } from "../shape.js";
import { isClientList } from "./client/client-list.js";
import { EVIDENCE_POLICIES } from "./events.js";
import { NEW_SESSION, SESSION_STATES, type Session } from "./session.js";
import { isSessionPlan, MODES } from "./session-plan.js";
import { isWhy } from "./state/why.js";
import { isCheckCounts } from "./turn/check-counts.js";
import { isChildTodos } from "./turn/child-todos.js";
import { isFailedWrites } from "./turn/failed-writes.js";
import { isListCounts } from "./turn/list-counts.js";
import { isWaivers } from "./waiver.js";
import { isOpenclawWatch } from "./watched/openclaw-watch.js";
import { isRaisedAlert } from "./watched/raised-alerts.js";

const SHAPE = fields({
  ...like(NEW_SESSION),
  state: oneOf(SESSION_STATES),
  endedBy: maybe(text),
  server: maybe(text),
  via: maybe(text),
  refusal: oneOf(["none", "fresh", "open", "told"]),
  agents: list(text),
  words: list(fields({ text, by: maybe(text) })),
  digestBy: maybe(text),
  digestMark: maybe(text),
  digestRead: maybe(text),
  // These came later: a view that an older version kept lacks them.
  why: maybe(isWhy),
  wakesAt: maybe(count),
  refusalText: maybe(text),
  stops: maybe(count),
  queued: maybe(list(fields({ text, by: maybe(text) }))),
  edits: maybe(list(text)),
  dialect: maybe(text),
  held: maybe(list(fields({ list: text, task: count, fence: count, subject: text, owner: maybe(text) }))),
  sinceTask: maybe(count),
  taskRemindedAt: maybe(count),
  links: maybe(list(fields({ todo: count, list: text, task: count }))),
  notices: maybe(list(text)),
  plan: maybe(isSessionPlan),
  mode: maybe(oneOf(MODES)),
  clientList: maybe(isClientList),
  turnWork: maybe(count),
  failures: maybe(isFailedWrites),
  counts: maybe(isListCounts),
  checks: maybe(isCheckCounts),
  waivers: maybe(isWaivers),
  evidence: maybe(oneOf(EVIDENCE_POLICIES)),
  watch: maybe(isWatch),
  raised: maybe(list(isRaisedAlert)),
  openclaw: maybe(isOpenclawWatch),
  children: maybe(isChildTodos),
  started: maybe(list(fields({ todo: count, after: count }))),
});

export function isSession(value: unknown): value is Session {
  return SHAPE(value);
}
