import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-batch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TURN = { prompt_id: "p1" };

/** What a batch alone tells of calls; `lines`: what the transcript has of them by then. */
async function told(tool_calls: readonly object[], lines: readonly object[] = []) {
  const one = await client();
  const transcript_path = join(folder, "s1.jsonl");
  writeFileSync(transcript_path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await one.hook("PostToolBatch", { ...TURN, transcript_path, tool_calls });
  const ended = (await one.events("call.ended")).map(({ data }) => data);
  return { ...one, ended, status: ended[0]?.status, problem: ended[0]?.problem };
}

const call = (tool_name: string, tool_response?: unknown, tool_input: object = {}) => ({
  tool_name,
  tool_input,
  tool_use_id: "c1",
  tool_response,
});
const result = (is_error?: boolean) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "x", is_error }] },
});

/** Texts as Claude Code 2.1.325 sends them. */
const ANSWERS: readonly (readonly [string, string, unknown, string])[] = [
  ["Bash", "completed", "hi", "output"],
  ["Bash", "completed", "(Bash completed with no output)", "no output"],
  ["Bash", "failed", "Exit code 5\nout\nerr", "an exit code"],
  ["Bash", "failed", "Exit code 143\nCommand timed out after 2s", "a time limit"],
  ["Bash", "completed", "Exit code 4 is bad", "words like an exit code"],
  ["Read", "cancelled", "<tool_use_error>InputValidationError: Read failed ...</tool_use_error>", "a bad input"],
  ["Glob", "cancelled", "<tool_use_error>Error: No such tool available: Glob</tool_use_error>", "no such tool"],
  [
    "WebFetch",
    "cancelled",
    "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
    "no permission",
  ],
  ["Bash", "cancelled", "Permission to use Bash with command curl x has been denied.", "a rule"],
  ["Bash", "cancelled", "PreToolUse:Bash hook error: denied by policy", "a hook"],
  ["Bash", "cancelled", "The user doesn't want to proceed with this tool use. The tool use was rejected", "a person"],
  ["Bash", "cancelled", "[Request interrupted by user for tool use]", "an interruption"],
  ["Bash", "cancelled", undefined, "no answer"],
  ["mcp__tiny__fail", "failed", "deliberate failure", "an error of a server"],
  ["mcp__tiny__put", "completed", [{ type: "text", text: "noted" }], "an answer of a server"],
  ["mcp__tiny__list", "completed", '{"notes":["x"]}', "structured content of a server"],
];

describe("calls that only the batch tells of", () => {
  test.each(ANSWERS)("%s is %s by %j: %s", async (tool, status, answer) => {
    expect((await told([call(tool, answer)])).status).toBe(status);
  });

  test.each<[string, boolean | undefined, string, string]>([
    ["Exit code 4", false, "completed", "a program that prints it"],
    ["Permission to use Bash", undefined, "completed", "a program that prints it"],
    ["File does not exist.", true, "failed", "a failure like any text"],
    ["<tool_use_error>No such tool</tool_use_error>", true, "cancelled", "refused before it ran"],
  ])("the transcript knows: %j, is_error %s, is %s: %s", async (answer, isError, status) => {
    expect((await told([call("Read", answer)], [result(isError)])).status).toBe(status);
  });

  test("a failure is told in one line", async () => {
    expect((await told([call("Bash", "Exit code 5\nout\nerr")])).problem).toBe("Exit code 5 out err");
  });

  test("its list and its tasks are taken over", async () => {
    const todos = [{ content: "Fix", status: "in_progress", activeForm: "Fixing" }];
    const { open, session } = await told([
      call("TodoWrite", "Todos have been modified successfully.", { todos }),
      { ...call("TaskCreate", "Task #1 created successfully: T", { subject: "T" }), tool_use_id: "c2" },
      { ...call("TaskUpdate", "Updated task #1 status", { taskId: "1", status: "completed" }), tool_use_id: "c3" },
      { ...call("TaskUpdate", "Task not found", { taskId: "9", status: "completed" }), tool_use_id: "c4" },
    ]);
    expect(await open()).toEqual(["in_progress Fix"]);
    expect((await session()).clientList?.tasks).toMatchObject([{ id: "1", subject: "T", status: "completed" }]);
  });

  test("a write of tasks that failed is a refused one; one that was refused before it ran is not", async () => {
    const failed = "TaskCreated hook feedback:\nnot allowed";
    const one = await told([call("TaskCreate", failed, { subject: "T" })], [result(true)]);
    expect(await one.events("list.refused")).toHaveLength(1);
    const two = await told([call("TodoWrite", "<tool_use_error>x</tool_use_error>", { todos: [] })], [result(true)]);
    expect(await two.events("list.refused")).toEqual([]);
  });
});

test.each([
  ["before", true],
  ["after", false],
])("a call that is told %s the batch as well is one call, with what was told first", async (_, isFirst) => {
  const one = await client();
  const fields = {
    ...TURN,
    tool_name: "Bash",
    tool_use_id: "c1",
    tool_input: {},
    error: "Exit code 1",
    is_interrupt: true,
  };
  const tool_calls = [call("Bash", "Exit code 1")];
  if (isFirst) await one.hook("PostToolUseFailure", fields);
  await one.hook("PostToolBatch", { ...TURN, tool_calls });
  if (!isFirst) await one.hook("PostToolUseFailure", fields);
  expect((await one.events("call.ended")).map(({ data }) => data.status)).toEqual([isFirst ? "cancelled" : "failed"]);
  expect((await one.session()).turnReplies).toBe(1);
});
