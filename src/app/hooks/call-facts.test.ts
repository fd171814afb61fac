import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { readCallEvent } from "../../core/call/call-event.js";
import { callOn } from "../calls/tool-call.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-call-facts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TURN = { prompt_id: "p1" };
const npmTest = {
  ...TURN,
  tool_name: "Bash",
  tool_input: { command: "npm test", description: "x" },
  tool_use_id: "c1",
};
type Client = Awaited<ReturnType<typeof client>>;
const dataOf = async (one: Client, type: string) => (await one.events(type)).map(({ data }) => data);

describe("what a hook tells of a call", () => {
  test("its end has the facts, and no argument or answer", async () => {
    const one = await client();
    const tool_response = { stdout: "secret words", stderr: "", interrupted: false };
    await one.hook("PostToolUse", { ...npmTest, tool_response, duration_ms: 12 });
    const [ended] = await one.events("call.ended");
    expect(ended?.data).toMatchObject({
      subject: "npm test",
      milliseconds: 12,
      facts: { kind: "execute", check: "tests", result: "passed", size: 12 },
    });
    expect(JSON.stringify(ended?.data)).not.toContain("secret words");
    const read = ended && readCallEvent(ended.type, ended.data);
    expect(read?.type === "call.ended" && read.facts?.result).toBe("passed");
  });

  test("its start has kind, subject and signature, the same as its end", async () => {
    const one = await client();
    await one.hook("PreToolUse", npmTest);
    await one.hook("PostToolUseFailure", { ...npmTest, error: "Exit code 1\nfailed" });
    const [started] = await dataOf(one, "call.started");
    const [ended] = await dataOf(one, "call.ended");
    expect(started).toMatchObject({ subject: "npm test", facts: { kind: "execute" } });
    expect(ended).toMatchObject({
      status: "failed",
      facts: { ...(started?.facts as object), result: "failed", exit: 1 },
    });
  });

  test("one call is a round of one where the client has no batches", async () => {
    const one = await client();
    await one.hook("PostToolUse", { ...npmTest, tool_response: "x", duration_ms: 7 });
    const [reply] = await dataOf(one, "reply.ended");
    expect(reply?.round).toMatchObject([{ tool: "Bash", status: "completed", kind: "execute", milliseconds: 7 }]);
  });

  test("a batch is one round, with what the calls' own hooks told, and without list tools", async () => {
    const one = await client();
    const read = { tool_name: "Read", tool_input: { file_path: "a.ts" }, tool_use_id: "r1" };
    const list = { tool_name: "TodoWrite", tool_input: { todos: [] }, tool_use_id: "l1" };
    await one.hook("PostToolUseFailure", { ...TURN, ...read, error: "File does not exist.", duration_ms: 3 });
    await one.hook("PostToolBatch", {
      ...TURN,
      tool_calls: [
        { ...read, tool_response: "File does not exist." },
        { ...npmTest, tool_response: "ok" },
        { ...list, tool_response: "done" },
        {
          tool_name: "mcp__tiny__put",
          tool_input: {},
          tool_use_id: "m1",
          tool_response: [{ type: "text", text: "x" }],
        },
      ],
    });
    const batch = (await dataOf(one, "reply.ended")).find((data) => data.batch === true);
    expect(batch?.round).toMatchObject([
      { tool: "Read", status: "failed", files: ["a.ts"], milliseconds: 3 },
      { tool: "Bash", status: "completed", check: "tests" },
      { tool: "mcp__tiny__put", status: "completed" },
    ]);
    expect(await dataOf(one, "call.ended")).toHaveLength(4);
  });

  test("a round has at most twenty calls", async () => {
    const one = await client();
    const tool_calls = Array.from({ length: 50 }, (_, at) => ({
      ...npmTest,
      tool_use_id: `b${at}`,
      tool_response: "x",
    }));
    await one.hook("PostToolBatch", { ...TURN, tool_calls });
    const [batch] = await dataOf(one, "reply.ended");
    expect(batch).toMatchObject({ calls: 50 });
    expect(batch?.round).toHaveLength(20);
  });

  test("a secret is in no event", async () => {
    const one = await client();
    const secret = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    const tool_input = { command: `echo ${secret} > ${secret}.md` };
    await one.hook("PreToolUse", { ...npmTest, tool_input });
    await one.hook("PostToolUse", { ...npmTest, tool_input, tool_response: secret });
    expect(JSON.stringify(await one.events())).not.toContain(secret);
  });
});

describe("Codex", () => {
  const item = (id: string, exit_code: number) => ({
    type: "event_msg",
    payload: { type: "item_completed", item: { type: "CommandExecution", id, exit_code, aggregated_output: "x" } },
  });
  const run = async (lines: readonly object[], tool_response = "x") => {
    const one = await client();
    const transcript_path = join(folder, "rollout-1.jsonl");
    writeFileSync(transcript_path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { prompt_id: _, ...call } = npmTest;
    await one.hook("PostToolUse", { ...call, turn_id: "t1", transcript_path, tool_response });
    return (await dataOf(one, "call.ended"))[0];
  };

  test.each<[string, readonly object[], string, object]>([
    [
      "its rollout says that it failed",
      [item("c0", 0), item("c1", 2)],
      "x",
      { status: "failed", facts: { exit: 2, result: "failed" } },
    ],
    [
      "its rollout says that it went well",
      [item("c1", 0), item("c0", 2)],
      "x",
      { status: "completed", facts: { result: "passed" } },
    ],
    ["nothing tells how it went", [item("c0", 2)], "x", { status: "completed", facts: { result: "unknown" } }],
    ["only its summary tells it", [], "3 failed", { status: "completed", facts: { result: "failed" } }],
  ])("%s", async (_, lines, response, expected) => expect(await run(lines, response)).toMatchObject(expected));
});

describe("the end of a turn", () => {
  test("has a mark of the last words, and whether they ask", async () => {
    const one = await client();
    const stop = (prompt_id: string, last_assistant_message: string) =>
      one.hook("Stop", { prompt_id, last_assistant_message });
    await stop("p1", "All done.");
    await stop("p2", "All done.");
    await stop("p3", "Shall I go on?");
    const [a, b, c] = await dataOf(one, "turn.ended");
    expect(a?.words).toBe(b?.words);
    expect(c?.words).not.toBe(a?.words);
    expect([a?.isAsking, c?.isAsking]).toEqual([undefined, true]);
    expect(JSON.stringify([a, b, c])).not.toContain("done");
  });
});

describe("a list that is written and moves nothing", () => {
  const todo = (content: string, status = "pending") => ({ content, status, activeForm: content });
  const write = (one: Client, id: string, todos: readonly object[]) =>
    one.hook("PostToolUse", {
      ...TURN,
      tool_name: "TodoWrite",
      tool_input: { todos },
      tool_use_id: id,
      tool_response: {},
    });
  const rewrites = async (one: Client) => (await one.events("list.rewritten")).length;

  test("is told once for each write, however often that is reported", async () => {
    const one = await client();
    await write(one, "w1", [todo("Read the code"), todo("Fix it")]);
    expect(await rewrites(one)).toBe(0);
    await write(one, "w2", [todo("Read the code"), todo("Fix it")]);
    await write(one, "w2", [todo("Read the code"), todo("Fix it")]);
    expect(await rewrites(one)).toBe(1);
    await write(one, "w3", [todo("Read all the code"), todo("Fix it")]);
    expect(await rewrites(one)).toBe(2);
    await write(one, "w4", [todo("Read all the code", "in_progress"), todo("Fix it")]);
    await write(one, "w5", [todo("Read all the code", "in_progress"), todo("Fix it"), todo("Test it")]);
    expect(await rewrites(one)).toBe(2);
  });

  test("also in our own tool, but not by a person, a look or a refused call", async () => {
    const one = await client();
    await one.todo({ add: ["a", "b"] });
    const call = { tool: "todo", session: "s1", dialect: "milepost" } as const;
    const before = await rewrites(one);
    await callOn(one.store, { ...call, input: { start: 1 }, actor: "ann" });
    await one.todo({ list: true });
    await one.todo({ done: 99 });
    expect(await rewrites(one)).toBe(before);
    await one.todo({ start: 1 });
    expect(await rewrites(one)).toBe(before + 1);
  });

  test("the call itself is no work", async () => {
    const one = await client();
    await one.todo({ add: ["a"] });
    expect((await dataOf(one, "call.ended"))[0]).toMatchObject({ facts: { kind: "other", isList: true } });
  });
});
