import { OUR_POLICY } from "../../../core/task/policy.js";
import { type Answer, LIST_TOOL, type ToolCall } from "../../dialect.js";
import type { Steps, TaskBoard, TaskDialect } from "../../task-dialect.js";
import { overview, readTasks } from "./read-answer.js";
import { bounded, refusal, sizeOf } from "./task-answer.js";
import { readTaskRequest, type TaskRequest } from "./task-request.js";
import { workOn } from "./task-work.js";

const TOOL = "task";
const NUMBER = { type: "integer" };
const TEXT = { type: "string" };

/** Our own tool for tasks. Answers name the fields that are rarely needed, so that the schema stays small. */
export const milepostTask: TaskDialect = {
  name: "milepost",
  summary: "Our own task tool: claims, changes by number, one-line answers, few tokens",
  tools: [
    {
      name: TOOL,
      title: "Task",
      description: "This project's tasks, shared by its agents. Claim one, work, then done. {} shows what you hold.",
      // Other fields are allowed: answers name some.
      inputSchema: {
        type: "object",
        properties: {
          add: { type: "array", items: TEXT, description: "new subjects" },
          description: TEXT,
          priority: TEXT,
          after: { type: "array", items: NUMBER, description: "done before the new ones or task" },
          claim: { ...NUMBER, description: "-1: best ready" },
          done: NUMBER,
          evidence: TEXT,
          fail: NUMBER,
          release: NUMBER,
          cancel: NUMBER,
          task: { ...NUMBER, description: "for note, wait, after" },
          note: { ...TEXT, description: "or reason" },
          wait: { ...TEXT, description: "30m, topic:NAME, person" },
          list: { ...TEXT, description: "ready, open, mine, done, words; #3: in full" },
        },
      },
      annotations: LIST_TOOL,
    },
  ],
  policy: OUR_POLICY,
  scope: "project",
  answer,
  told: (said, notices) => ({ ...said, text: [said.text, ...notices].join("\n") }),
};

function* answer(call: ToolCall, board: TaskBoard): Steps<Answer> {
  if (call.tool !== TOOL) return refusal({ code: "unknown-tool", message: `The only tool is "${TOOL}".` });
  const read = readTaskRequest(call.input);
  if (!read.ok) return refusal({ code: "bad-input", message: read.error });
  if (call.mode === "plan" && isWork(read.value)) return refusal({ code: "plan-mode", message: PLANNING });
  return yield* answerRequest(read.value, board);
}

/** Who plans may write tasks down, look at them, and give back what it holds. */
const PLANNING =
  'In plan mode tasks are neither claimed nor finished: {"add":["first task"]} writes them down now, {"claim":-1} takes one once the plan is approved.';

function isWork({ claim, done }: TaskRequest): boolean {
  return claim === "best" || claim.length + done.length > 0;
}

function* answerRequest(request: TaskRequest, board: TaskBoard): Steps<Answer> {
  const worked = yield* workOn(board, request);
  if (!worked.ok) return refusal(worked.error);
  const { reading } = request;
  if (!reading) return said(worked.value.length > 0 ? worked.value : yield* overview(board));
  const done = bounded(worked.value, BESIDE_READING);
  const shown = yield* readTasks(board, reading, sizeOf(done));
  return shown.ok ? said([...done, ...shown.value]) : refusal(shown.error);
}

/** Bytes for what was done, if the call also reads. */
const BESIDE_READING = 1500;

function said(lines: readonly string[]): Answer {
  return { text: bounded(lines).join("\n"), isError: false };
}
