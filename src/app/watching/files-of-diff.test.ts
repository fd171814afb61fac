import { expect, test } from "vitest";
import { listWith, reportWith } from "../../../test/readers/session-reports.js";
import { EMPTY_TIMELINE, type Timeline, type TimelineCall } from "../../core/timeline/timeline.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { filesOfDiff } from "./files-of-diff.js";

const edit = (at: number, ...files: readonly string[]): TimelineCall => ({
  call: `c${at}`,
  agent: null,
  tool: "Edit",
  subject: null,
  at,
  end: at,
  status: "completed",
  kind: "edit",
  isList: false,
  isChange: true,
  files,
  added: 1,
  removed: 0,
  check: null,
  result: null,
});
const timeline: Timeline = {
  ...EMPTY_TIMELINE,
  calls: [edit(5, "/src/old.ts"), edit(15, "/src/new.ts")],
  turns: [
    { at: 1, end: 9 },
    { at: 11, end: null },
  ],
  todos: [{ key: "1", number: 1, text: "a", status: "completed", isCurrent: true, spans: [{ at: 12, end: 14 }] }],
};
const facts = {
  calls: 1,
  failures: 0,
  files: ["a.ts"],
  moreFiles: 0,
  added: 1,
  removed: 0,
  milliseconds: 1,
  check: null,
};

function worked(isFinished: boolean): SessionReport {
  const report = reportWith({ list: listWith("a.") });
  const phases = report.list.phases.map((phase) => ({
    ...phase,
    todos: phase.todos.map((todo) => ({ ...todo, facts })),
  }));
  return isFinished
    ? { ...report, list: { phases: [] }, finished: { phases, at: null } }
    : { ...report, list: { phases } };
}

test.each<[string, SessionReport, Timeline | undefined, "turn" | number, object]>([
  [
    "the last turn alone",
    worked(false),
    timeline,
    "turn",
    { files: ["/src/new.ts"], since: 11, what: "in the last turn" },
  ],
  [
    "nobody knows the turn yet",
    worked(false),
    undefined,
    "turn",
    { files: [], since: undefined, what: "in the last turn" },
  ],
  ["a todo, since it was worked on", worked(false), timeline, 1, { files: ["a.ts"], since: 12, what: "for todo 1" }],
  [
    "a todo of the list that is finished",
    worked(true),
    undefined,
    1,
    { files: ["a.ts"], since: undefined, what: "for todo 1" },
  ],
  ["a todo that is not there", worked(false), timeline, 7, { files: [], since: undefined, what: "for todo 7" }],
])("%s", (_, session, known, of, files) => {
  expect(filesOfDiff(session, known, of)).toEqual(files);
});
