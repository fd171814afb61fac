import { cutText } from "../json.js";
import { count, fields, list, maybe, text } from "../shape.js";
import type { TodoEvent } from "../todo/events.js";
import type { Session } from "./session.js";
import { checksAfterWaiver } from "./turn/check-counts.js";

export const WAIVER_MAX = 300;
const WAIVER = /\bcan(?:not|'t| not) be (?:checked|tested|verified) here\b[\s:;,.(—–-]*([^\n]*)/i;

/** That work cannot be checked here, and why, as a model or a person says it; undefined where the reason is missing. */
export function waiverIn(words: string): string | undefined {
  const [, reason = ""] = WAIVER.exec(words.replaceAll("’", "'")) ?? [];
  return cutText(reason.replace(/^(?:because|as|since)\s+/i, "").trim(), WAIVER_MAX) || undefined;
}

/** `todo`: which; absent: everything on the list. */
export interface Waiver {
  readonly reason: string;
  readonly todo?: number | undefined;
}

export const isWaivers = list(fields({ reason: text, todo: maybe(count) }));

/** More are nobody's to read. */
const MOST_WAIVERS = 20;

export function afterWaiver(session: Session, { reason, todo }: Waiver): Session {
  const others = session.waivers.filter((one) => one.reason !== reason || one.todo !== todo);
  return {
    ...session,
    waivers: [...others, { reason, ...(todo !== undefined && { todo }) }].slice(-MOST_WAIVERS),
    checks: checksAfterWaiver(session.checks, todo === undefined),
  };
}

/** What a write says of it: in a note or the evidence of a todo, or in what explains the list. */
export function waiversIn(events: readonly TodoEvent[]): readonly Waiver[] {
  return events.flatMap((event) =>
    wordsOf(event).flatMap((words) => {
      const reason = waiverIn(words);
      if (reason === undefined) return [];
      return [{ reason, ...("number" in event && { todo: event.number }) }];
    }),
  );
}

function wordsOf(event: TodoEvent): readonly string[] {
  switch (event.type) {
    case "todo.noted":
      return [event.text];
    case "todo.evidenced":
      return [event.evidence.text];
    case "todo.detailed":
      return event.notes ?? [];
    case "list.explained":
      return event.explanation === null ? [] : [event.explanation];
    default:
      return [];
  }
}
