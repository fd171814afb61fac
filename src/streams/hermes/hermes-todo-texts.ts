import { isDict, isList, isTrue, type PythonDict, type PythonValue } from "../../dialects/wording/python-value.js";
import type { AcpPlan, AcpPlanEntry } from "../acp/session-update.js";
import type { HermesEdition } from "./hermes-tools.js";
import { answerDict, printedAt, pythonText, saidAt } from "./hermes-values.js";

const MOST_SHOWN = 8;

/** What a call of the list's tool is about, before it is answered. */
export function todoStartText(args: PythonDict): string {
  const items = args.get("todos");
  if (!isList(items)) return "Reading todo list";
  const rows = items.slice(0, MOST_SHOWN).flatMap((item) => (isDict(item) ? [startRow(item)] : []));
  const more = items.length > MOST_SHOWN ? [`... ${items.length - MOST_SHOWN} more`] : [];
  return ["Updating todo list", "", ...rows, ...more].join("\n");
}

function startRow(item: PythonDict): string {
  return `- ${printedAt(item, "status", "pending")}: ${printedAt(item, "content", printedAt(item, "id", ""))}`;
}

/** The line for people that newer editions show with the tool's name. */
export function todoPreview(args: PythonDict): string {
  const items = args.get("todos");
  if (!isTrue(items) && !isList(items)) return "reading task list";
  const verb = isTrue(args.get("merge")) ? "updating" : "planning";
  return `${verb} ${isList(items) ? items.length : 0} task(s)`;
}

const ICONS: ReadonlyMap<string, string> = new Map([
  ["completed", "✅"],
  ["in_progress", "🔄"],
  ["pending", "⏳"],
  ["cancelled", "✗"],
]);

/** The list after a call; undefined where the answer holds none. */
export function todoEndText(result: string | undefined, edition: HermesEdition): string | undefined {
  const answer = answerDict(result);
  const items = itemsIn(answer);
  if (!answer || !items) return undefined;
  const depthOf = edition === "2026-08" ? () => 0 : depths(items);
  const rows = items.flatMap((item) => {
    const text = saidAt(item, ["content", "id"]);
    const icon = ICONS.get(statusText(item)) ?? "•";
    return text === "" ? [] : [`${"  ".repeat(depthOf(item))}- ${icon} ${text}`];
  });
  return ["**Todo list**", "", ...rows, ...progressRows(answer.get("summary"))].join("\n");
}

function itemsIn(answer: PythonDict | undefined): readonly PythonDict[] | undefined {
  const items = answer?.get("todos");
  return isList(items) ? items.filter(isDict) : undefined;
}

function statusText(item: PythonDict): string {
  const status = item.get("status");
  return isTrue(status) ? pythonText(status) : "pending";
}

const DEEPEST = 4;

/** How many items are above one. A way up that comes by an id twice ends there. */
function depths(items: readonly PythonDict[]): (item: PythonDict) => number {
  const keyAt = (item: PythonDict, field: string) => (isTrue(item.get(field)) ? printedAt(item, field, "") : "");
  const byId = new Map(items.map((item) => [keyAt(item, "id"), item]));
  return (item) => {
    const seen = new Set<string>();
    for (let parent = keyAt(item, "parent"); parent !== "" && !seen.has(parent) && seen.size < DEEPEST; ) {
      const above = byId.get(parent);
      if (!above) break;
      seen.add(parent);
      parent = keyAt(above, "parent");
    }
    return seen.size;
  };
}

function progressRows(summary: PythonValue | undefined): readonly string[] {
  if (!isDict(summary) || summary.size === 0) return [];
  const count = (status: string) => printedAt(summary, status, "0");
  const cancelled = isTrue(summary.get("cancelled")) ? `, ${count("cancelled")} cancelled` : "";
  const open = `${count("in_progress")} in progress, ${count("pending")} pending`;
  return ["", `**Progress:** ${count("completed")} completed, ${open}${cancelled}`];
}

/** The list as a plan: completed items stay, cancelled ones are marked, because a plan has no word for them. */
export function planAfterTodo(result: unknown): AcpPlan | undefined {
  const items = typeof result === "string" ? itemsIn(answerDict(result)) : undefined;
  return items && { sessionUpdate: "plan", entries: items.flatMap(planEntry) };
}

function planEntry(item: PythonDict): readonly AcpPlanEntry[] {
  const content = saidAt(item, ["content", "id"]);
  if (content === "") return [];
  const status = statusText(item).trim();
  if (status === "cancelled") return [{ content: `[cancelled] ${content}`, priority: "medium", status: "completed" }];
  const isKnown = status === "in_progress" || status === "completed";
  return [{ content, priority: "medium", status: isKnown ? status : "pending" }];
}
