import type { CallEvent } from "../../core/call/call-event.js";
import type { CallFacts, CallKind } from "../../core/call/call-facts.js";
import type { Alert, AlertLevel } from "../../core/detectors/alert.js";
import type { SessionEvent } from "../../core/session/events.js";
import type { TodoList } from "../../core/todo/list.js";
import { planEntries } from "../../dialects/acp/acp-plan.js";
import type { HostFormat, HostNews, NewsPlace } from "../host-format.js";
import type { AcpLocation, AcpNotice, AcpToolKind, AcpUpdate } from "./session-update.js";

/** A `session/update` of the Agent Client Protocol, version 1. */
export interface AcpNotification {
  readonly jsonrpc: "2.0";
  readonly method: "session/update";
  readonly params: { readonly sessionId: string; readonly update: AcpUpdate; readonly _meta?: object };
}

/** Of calls that were told as begun: past that, an end is told as a call of its own. */
const MOST_OPEN = 10_000;

/** Sessions as an ACP agent tells its editor of them: list, calls, compactions, modes; notices of what went wrong. */
export class AcpFormat implements HostFormat {
  /** Calls whose start was told: an update of any other would belong to nothing. */
  readonly #open = new Set<string>();
  /** By session: the compaction that is going on. */
  readonly #compactions = new Map<string, string>();

  messages(news: HostNews, place: NewsPlace): readonly AcpNotification[] {
    const _meta = { milepost: { cursor: place.cursor } };
    return this.#updates(news, place).map((update) => {
      const { params, ...message } = acpNotification(place.session, update);
      return { ...message, params: { ...params, _meta } };
    });
  }

  #updates(news: HostNews, place: NewsPlace): readonly AcpUpdate[] {
    switch (news.type) {
      case "list":
        return [planUpdate(news.list)];
      case "plan":
        return planNotice(news);
      case "call":
        return this.#call(news.event, place);
      case "session":
        return this.#session(news.event, place);
    }
  }

  #call(event: CallEvent, place: NewsPlace): readonly AcpUpdate[] {
    // An end that was reported without an id is nobody's but its own.
    const toolCallId = event.call ?? `call-${place.version}`;
    const key = `${place.session}\n${toolCallId}`;
    const isKnown = this.#open.has(key);
    if (event.type === "call.ended") this.#open.delete(key);
    else this.#open.add(key);
    const [oldest] = this.#open;
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    const status = statusOf(event);
    if (isKnown) return [{ sessionUpdate: "tool_call_update", toolCallId, status, ...changes(event, place) }];
    const title = titleOf(event);
    const { kind } = "facts" in event ? (event.facts ?? {}) : {};
    const about = { kind: kind === undefined ? "other" : KINDS[kind], ...changes(event, place) } as const;
    return [{ sessionUpdate: "tool_call", toolCallId, name: event.tool.toWellFormed(), ...about, title, status }];
  }

  #session(event: SessionEvent, place: NewsPlace): readonly AcpUpdate[] {
    switch (event.type) {
      case "compaction.started":
        this.#compactions.set(place.session, `compaction-${place.version}`);
        return [compaction(`compaction-${place.version}`, "in_progress")];
      case "compaction.ended": {
        const known = this.#compactions.get(place.session) ?? `compaction-${place.version}`;
        this.#compactions.delete(place.session);
        return [compaction(known, "completed")];
      }
      case "mode.changed":
        return [{ sessionUpdate: "current_mode_update", currentModeId: event.mode }];
      case "alert.raised":
        return [alertNotice(event)];
      case "task.lapsed":
        return [notice("warning", `The lease on task #${event.task} is over`, "Another agent may claim the task now.")];
      case "session.ended":
        this.#compactions.delete(place.session);
        return [];
      default:
        return [];
    }
  }
}

export function acpNotification(sessionId: string, update: AcpUpdate): AcpNotification {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
}

/** The list as a client draws it; a cleared list is a plan without entries. */
export function planUpdate(list: TodoList): AcpUpdate {
  const entries = planEntries(list).map((entry) => ({ ...entry, content: entry.content.toWellFormed() }));
  return { sessionUpdate: "plan", entries };
}

/** There is no word for a call that was cut short. */
function statusOf(event: CallEvent) {
  if (event.type !== "call.ended") return "in_progress";
  return event.outcome === "completed" ? "completed" : "failed";
}

/** What the newest report of a call tells anew. */
function changes(event: CallEvent, { folder }: NewsPlace) {
  const facts: CallFacts | undefined = "facts" in event ? event.facts : undefined;
  const locations = facts?.files?.map((file) => location(file, folder));
  const title = event.subject === undefined ? {} : { title: titleOf(event) };
  return { ...title, ...(locations && locations.length > 0 && { locations }) };
}

/** `Bash: npm test`, in the manner of OpenClaw's titles. */
function titleOf({ tool, subject }: CallEvent): string {
  const name = tool === "" ? "tool" : tool;
  if (subject === undefined || subject === "") return name.toWellFormed();
  // Where nothing else was told, the subject is the title that the agent itself gave it.
  const isNamed = subject.toLowerCase().startsWith(name.toLowerCase());
  return (isNamed ? subject : `${name}: ${subject}`).toWellFormed();
}

/** Editors go to absolute paths. */
function location(file: string, folder: string | undefined): AcpLocation {
  const isAbsolute = /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(file);
  const path = isAbsolute || folder === undefined ? file : `${folder.replace(/[\\/]+$/, "")}/${file}`;
  return { path: path.toWellFormed() };
}

const KINDS: Readonly<Record<CallKind, AcpToolKind>> = {
  read: "read",
  search: "search",
  edit: "edit",
  execute: "execute",
  fetch: "fetch",
  agent: "other",
  other: "other",
};

function compaction(compactionId: string, status: "in_progress" | "completed"): AcpUpdate {
  return { sessionUpdate: "compaction_update", compactionId, status };
}

const SEVERITIES: Readonly<Record<AlertLevel, AcpNotice["severity"]>> = {
  note: "info",
  warn: "warning",
  block: "error",
};

function alertNotice({ detector, level, message }: Alert): AcpNotice {
  return notice(SEVERITIES[level], `Milepost: ${detector}`, message);
}

/** Who may decide on it is told where: an update cannot ask. */
function planNotice({ id, title, status }: Extract<HostNews, { type: "plan" }>): readonly AcpNotice[] {
  const name = title === "" ? "a plan without a title" : title;
  switch (status) {
    case "proposed":
      return [
        notice(
          "info",
          `Plan proposed: ${name}`,
          `To read it: milepost plan show ${id}. To approve it: milepost plan approve ${id}`,
        ),
      ];
    case "approved":
      return [notice("info", `Plan approved: ${name}`)];
    case "rejected":
      return [notice("warning", `Plan rejected: ${name}`)];
    case "draft":
    case "superseded":
      return [];
  }
}

function notice(severity: AcpNotice["severity"], title: string, description?: string): AcpNotice {
  const said = { sessionUpdate: "notice", severity, title: title.toWellFormed() } as const;
  return description === undefined || description === "" ? said : { ...said, description: description.toWellFormed() };
}
