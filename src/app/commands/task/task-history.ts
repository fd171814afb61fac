import { fail, ok, type Result } from "../../../core/result.js";
import { eventWords } from "../../../core/task/event-words.js";
import { readTaskEvent } from "../../../core/task/events.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { momentText } from "../../../core/text/time-text.js";
import { type EventStore, type Page, START, type StoredEvent } from "../../../store/event-store.js";
import { defineCommand, type Given, type Output } from "../../command-definition.js";
import { JSON_FLAG, text } from "../../fields.js";
import { jsonLine } from "../../json-lines.js";
import { lookAtTasks, numberNamed } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { changeLine, isOfList, subjectsOf, type TaskChange, toChange } from "../../tasks/task-changes.js";
import type { TaskReport } from "../../tasks/task-report.js";
import { taskStream } from "../../tasks/task-views.js";
import { givenStore, nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";
import { paint } from "../../terminal/paint.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

interface History extends Pick<TaskReport, "id" | "list"> {
  readonly events: readonly (TaskChange & Pick<StoredEvent, "data">)[];
  readonly isPruned: boolean;
}

export const taskHistory = defineCommand({
  details: `All changes to a task, oldest first: when, who, what. Also works for removed tasks.
--json: {"id","list","events":[{"at","by","id","type","text","data"}],"isPruned"}.`,
  examples: ["milepost task history 3"],
  words: ["task"],
  input: { ...TASK, ...WHERE },
  async run(context, { task, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const { store } = await context.open("read");
    const number = await lookAtTasks(store, (look) => numberNamed(look, list.value, task));
    const found = number === undefined ? undefined : await readHistory(store, taskStream(list.value, number));
    if (found && !found.ok) return found;
    const events = found?.value ?? [];
    if (number === undefined || events.length === 0) return fail(noTask(list.value, task));
    const isPruned = (events[0]?.version ?? 1) > 1;
    const all = events.map((event) => ({ ...toChange(event), data: event.data }));
    return ok<History>({ id: String(number), list: list.value, events: all, isPruned });
  },
  show({ events, isPruned }) {
    const rows = events.map(({ at, by, type, text, data }) => {
      const event = readTaskEvent(type, data);
      const what = event ? eventWords(event) : text;
      return `${momentText(at)}  ${terminalText(by ?? "-")}  ${terminalText(what)}\n`;
    });
    return [...(isPruned ? ["Older history has been pruned.\n"] : []), ...rows].join("");
  },
});

async function readHistory(store: EventStore, stream: string): Promise<Result<readonly StoredEvent[]>> {
  const pages = await store.read({ stream });
  if (!pages.ok) return pages;
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return ok(events);
}

export const taskChanges = defineCommand({
  details: `Changes to the tasks of this list after a cursor, oldest first, and the cursor to continue from.
--json: one line for each change, {"cursor","at","by","id","type","text","subject"}, and {"cursor"} alone at the end.
When changes after the cursor have been pruned, a line {"type":"log.pruned","upTo"} comes first.
milepost task list --watch keeps running and prints new changes.`,
  examples: ["milepost task changes --after 0 --json"],
  input: {
    after: text("CURSOR", "start after this cursor", { standard: START }),
    ...WHERE,
    json: JSON_FLAG,
  },
  async run(context, { after, json, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const { output } = context;
    const { store } = await context.open("read");
    const pages = await store.read({ after });
    if (!pages.ok) return pages;
    let cursor = after;
    for await (const page of pages.value) {
      await output.write(await pageText({ store, list: list.value, page, json }));
      cursor = page.cursor;
    }
    const given = { ...where, store: givenStore(context) };
    await output.write(json ? `${jsonLine({ cursor })}\n` : endText(output, cursor, given));
    return ok(undefined);
  },
});

interface ShownPage {
  readonly store: EventStore;
  readonly list: string;
  readonly page: Page;
  readonly json: boolean;
}

async function pageText({ store, list, page: { events, prunedUpTo }, json }: ShownPage): Promise<string> {
  const changes = events.filter(isOfList(list)).map((event) => ({ cursor: event.cursor, ...toChange(event, !json) }));
  const subjects = await subjectsOf(store, list, changes);
  const gap = prunedUpTo === undefined ? [] : [prunedText(prunedUpTo, json)];
  const lines = changes.map((one) => changeLine(one, subjects.get(one.id), json));
  return [...gap, ...lines].map((line) => `${line}\n`).join("");
}

function prunedText(upTo: string, json: boolean): string {
  return json ? jsonLine({ type: "log.pruned", upTo }) : "Some changes have been pruned.";
}

function endText(output: Output, cursor: string, given: Given): string {
  const next = nextStep(`task changes --after ${cursor}`, given, WHERE_FLAGS);
  return `${paint(output, "dim", `Continue from here: ${next}`)}\n`;
}
