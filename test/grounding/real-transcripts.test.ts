import { describe, expect, test } from "vitest";
import { reportList } from "../../src/app/todo/todo-report.js";
import { taskReports } from "../../src/app/transcripts/report/seen-task-report.js";
import { restore } from "../../src/app/transcripts/restore-sessions.js";
import { reportFinished } from "../../src/app/transcripts/session-report.js";
import { judgeList } from "../../src/core/grounding/judged.js";
import { naiveVerdicts } from "./naive-verdicts.js";

const FOLDER = new URL("../fixtures/transcripts/", import.meta.url).pathname;

/** Of every completed todo of the list, else of the one that was finished last, and of completed tasks. */
async function verdictsIn(file: string): Promise<readonly string[]> {
  const restored = await restore([`${FOLDER}${file}`], undefined);
  if (!restored.ok) throw new Error(restored.error.message);
  return restored.value.sessions
    .filter(({ view }) => view.parent === null)
    .flatMap(({ view }) => {
      const list = reportList(view.list, judgeList(view.list, view.work));
      const all = [...list.phases, ...(reportFinished(view)?.phases ?? [])].flatMap(({ todos }) => todos);
      const todos = new Map(all.filter(({ verdict }) => verdict !== null).map((todo) => [todo.text, todo.verdict]));
      const tasks = taskReports(view.tasks, view.work).filter(({ verdict }) => verdict !== null);
      return [
        ...[...todos].map(([text, verdict]) => `${text}: ${verdict}`),
        ...tasks.map((task) => `#${task.id}: ${task.verdict}`),
      ];
    });
}

const INSPECTED = "Inspect helper: worked";
const NOT_INSPECTED = "Inspect helper: unbacked";
const RENAMED = "Rename helper: worked";
const NOT_RENAMED = "Rename helper: unbacked";
const NOT_TESTED = "Run tests: unbacked";

/** Read by hand: which calls stand between which writes of the list. */
const ROWS: readonly (readonly [file: string, ...verdicts: string[]])[] = [
  ["claude-code/1.0.128-compact-manual.jsonl", NOT_INSPECTED, RENAMED],
  ["claude-code/1.0.128-subagent-old.jsonl", INSPECTED],
  ["claude-code/1.0.128-todo-simple.jsonl", INSPECTED, RENAMED, NOT_TESTED],
  ["claude-code/2.1.30-compact-manual.jsonl", NOT_INSPECTED, RENAMED],
  ["claude-code/2.1.30-subagent-old.jsonl", INSPECTED],
  ["claude-code/2.1.30-todo-resume.jsonl", NOT_INSPECTED, RENAMED],
  ["claude-code/2.1.30-todo-simple.jsonl", INSPECTED, RENAMED, NOT_TESTED],
  ["claude-code/2.1.325-compact-manual.jsonl", NOT_INSPECTED, RENAMED],
  ["claude-code/2.1.325-interrupts.jsonl", INSPECTED],
  ["claude-code/2.1.325-parallel-tools.jsonl", INSPECTED],
  ["claude-code/2.1.325-subagent.jsonl", INSPECTED],
  ["claude-code/2.1.325-todo-many-turns.jsonl", INSPECTED, NOT_RENAMED, NOT_TESTED],
  ["claude-code/2.1.325-todo-resume.jsonl", NOT_INSPECTED, RENAMED],
  ["claude-code/2.1.325-todo-simple.jsonl", INSPECTED, RENAMED, NOT_TESTED],
  ["codex/0.110.0-compact.jsonl", NOT_INSPECTED, RENAMED],
  ["codex/0.110.0-resume.jsonl", NOT_INSPECTED, RENAMED],
  ["codex/0.110.0-simple.jsonl", INSPECTED, RENAMED, NOT_TESTED],
  ["codex/0.166.0-compact.jsonl", NOT_INSPECTED, RENAMED],
  ["codex/0.166.0-many-turns.jsonl", INSPECTED, NOT_RENAMED, NOT_TESTED],
  ["codex/0.166.0-resume.jsonl", NOT_INSPECTED, RENAMED],
  ["codex/0.166.0-simple.jsonl", INSPECTED, RENAMED, NOT_TESTED],
  ["codex/0.166.0-subagent.jsonl", INSPECTED],
];

describe("completed todos of real transcripts", () => {
  test.each(ROWS.map(([file, ...then]) => ({ file, then })))("$file", async ({ file, then }) => {
    expect(await verdictsIn(file)).toEqual(then);
    const naive = Object.entries(naiveVerdicts(`${FOLDER}${file}`)).map(([text, verdict]) => `${text}: ${verdict}`);
    expect(naive).toEqual(then);
  });

  test.each([
    ["claude-code/2.1.325-rewind.jsonl", NOT_INSPECTED],
    ["claude-code/2.1.325-tasks-many-turns.jsonl", "#1: worked"],
    ["claude-code/2.1.325-tasks-resume.jsonl", "#1: unbacked"],
    ["claude-code/2.1.325-tasks.jsonl", "#1: worked", "#2: unbacked", "#4: unbacked"],
    ["hermes/20260301_091500_a1b2c3.jsonl", "Look at the helper: worked"],
    ["oh-my-pi/17.1.2-todo.jsonl", "Parse the file: worked"],
    ["pi/0.60.0-todo-extension.jsonl", "Look around: worked"],
  ])("%s, which the simple count cannot read", async (file, ...then) => {
    expect(await verdictsIn(file)).toEqual(then);
  });
});
