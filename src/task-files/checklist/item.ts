import { TASK_PRIORITIES, type TaskPriority } from "../../core/task/task.js";
import { statusWords } from "../foreign-words.js";
import { decodeWord, encodeWord } from "./word.js";

/** What one item of a checklist says beside its box. */
export interface ChecklistItem {
  readonly id?: string | undefined;
  readonly subject: string;
  readonly priority?: TaskPriority | undefined;
  readonly labels: readonly string[];
  readonly assignee?: string | undefined;
  readonly blockedBy: readonly string[];
  readonly parent?: string | undefined;
}

const ID = "[A-Za-z0-9](?:[\\w.-]{0,126}\\w)?";
const WHOLE_ID = new RegExp(`^${ID}$`);
const ID_AT_START = new RegExp(`^(?:#(${ID}):?|(\\d{1,9})[.)])(?:[ \\t]+|$)`);

export function isChecklistId(id: string): boolean {
  return WHOLE_ID.test(id);
}

/** `#3 Write the parser !high +core @ana (after #1, #2)` */
export function readItem(text: string): ChecklistItem {
  const start = ID_AT_START.exec(text);
  const id = start?.[1] ?? start?.[2];
  const words = start ? text.slice(start[0].length).trim() : text.trim();
  // `- [ ] #12` alone is about number 12, and says so.
  return { id, ...readWords(words === "" ? text.trim() : words) };
}

type Sign =
  | { readonly type: "priority"; readonly priority: TaskPriority }
  | { readonly type: "label"; readonly label: string }
  | { readonly type: "assignee"; readonly assignee: string }
  | { readonly type: "after" | "part"; readonly ids: readonly string[] };

function readWords(words: string): Omit<ChecklistItem, "id"> {
  let subject = words;
  const labels: string[] = [];
  const met = new Map<string, Sign>();
  for (let end = signAtEnd(subject); end; end = signAtEnd(subject)) {
    const { sign, start, isEscaped } = end;
    if (isEscaped) {
      subject = subject.slice(0, start) + subject.slice(start + 1);
      break;
    }
    const before = subject.slice(0, start).trimEnd();
    if (before === "" || met.has(sign.type)) break;
    if (sign.type === "label") labels.push(sign.label);
    else met.set(sign.type, sign);
    subject = before;
  }
  const [priority, assignee, after, part] = ["priority", "assignee", "after", "part"].map((type) => met.get(type));
  return {
    subject,
    labels: [...new Set(labels.reverse())],
    priority: priority?.type === "priority" ? priority.priority : undefined,
    assignee: assignee?.type === "assignee" ? assignee.assignee : undefined,
    blockedBy: after?.type === "after" ? after.ids : [],
    parent: part?.type === "part" ? part.ids[0] : undefined,
  };
}

interface SignAtEnd {
  readonly sign: Sign;
  /** Where it begins, with what escapes it. */
  readonly start: number;
  readonly isEscaped: boolean;
}

/** Signs stand at the end. With a backslash before it a sign is text; with two, text that begins with one. */
function signAtEnd(text: string): SignAtEnd | undefined {
  const at = text.endsWith(")") ? text.lastIndexOf("(") : lastBlank(text) + 1;
  let start = at;
  while (start > 0 && text[start - 1] === "\\") start -= 1;
  let first = at;
  while (text[first] === "\\") first += 1;
  if (at < 0 || (start > 0 && !isBlank(text[start - 1]))) return undefined;
  const sign = text.endsWith(")") ? readBrackets(text.slice(at + 1, -1)) : readWord(text.slice(first));
  return sign && { sign, start, isEscaped: first > start || start < at };
}

/** Longer than any label may be, however it is spelled; the pattern of a word must not be asked of megabytes. */
const LONGEST_WORD = 50_000;

function lastBlank(text: string): number {
  const least = Math.max(0, text.length - LONGEST_WORD);
  for (let at = text.length - 1; at >= least; at -= 1) if (isBlank(text[at])) return at;
  return least > 0 ? text.length - 1 : -1;
}

function isBlank(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

function readWord(word: string): Sign | undefined {
  const rest = word.slice(1);
  if (word.startsWith("!")) {
    const priority = TASK_PRIORITIES.find((one) => one === rest);
    return priority && { type: "priority", priority };
  }
  const text = word.startsWith("+") || word.startsWith("@") ? decodeWord(rest) : undefined;
  if (text === undefined) return undefined;
  return word.startsWith("+") ? { type: "label", label: text } : { type: "assignee", assignee: text };
}

const AFTER = /^(?:after|blocked by|depends on)[ \t]+/i;
const PART = /^part of[ \t]+/i;

function readBrackets(inner: string): Sign | undefined {
  const opening = AFTER.exec(inner) ?? PART.exec(inner);
  if (!opening) return undefined;
  const names = inner
    .slice(opening[0].length)
    .split(/[\s,]+/)
    .filter((name) => name !== "" && name !== "and");
  const ids = names.map((name) => name.replace(/^#/, ""));
  const isList = names.length > 0 && names.every((name) => name.startsWith("#")) && ids.every(isChecklistId);
  const isPart = !AFTER.test(inner);
  return isList && !(isPart && ids.length > 1) ? { type: isPart ? "part" : "after", ids } : undefined;
}

export function writeItem({ id, subject, priority, labels, assignee, blockedBy, parent }: ChecklistItem): string {
  const end = signAtEnd(subject);
  const text = end ? `${subject.slice(0, end.start)}\\${subject.slice(end.start)}` : subject;
  const signs = [
    id === undefined ? undefined : `#${id}`,
    text,
    priority && `!${priority}`,
    ...labels.map((label) => `+${encodeWord(label)}`),
    assignee === undefined ? undefined : `@${encodeWord(assignee)}`,
    blockedBy.length > 0 ? `(after ${blockedBy.map((blocker) => `#${blocker}`).join(", ")})` : undefined,
    parent === undefined ? undefined : `(part of #${parent})`,
  ];
  return signs.filter((sign) => sign !== undefined).join(" ");
}

export const MARKDOWN = "markdown";

/** What stands in the box. */
export const MARKS = statusWords(
  { " ": "pending", ">": "in_progress", "/": "in_progress", x: "completed", "!": "failed", "-": "cancelled" },
  { pending: " ", in_progress: ">", completed: "x", failed: "!", cancelled: "-" },
);
