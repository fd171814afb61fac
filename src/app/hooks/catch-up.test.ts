import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { answers, calls, chained, type Line, refuses, user } from "../../../test/readers/claude-lines.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-lost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Fields = { readonly hook_event_name: string; readonly session_id: string } & Record<string, unknown>;

const endedIn = async ({ events }: Awaited<ReturnType<typeof client>>) =>
  (await events("call.ended")).map(({ data }) => `${data.call} ${data.tool} ${data.status}`).sort();

/** A recorded run of a real client, beside the transcript that it wrote; `isHeard`: what reaches the store. */
async function replay(name: string, isHeard: (fields: Fields) => boolean) {
  const recorded = fileURLToPath(new URL(`../../../test/fixtures/transcripts/${name}`, import.meta.url));
  const lines = readFileSync(`${recorded}.hooks.jsonl`, "utf8").split("\n").filter(Boolean);
  const one = await client();
  // Codex' file has the name of a rollout: that is how its hooks are known.
  const transcript_path = name.startsWith("codex") ? join(folder, "rollout-1.jsonl") : `${recorded}.jsonl`;
  if (name.startsWith("codex")) writeFileSync(transcript_path, readFileSync(`${recorded}.jsonl`));
  for (const line of lines) {
    const fields: Fields = JSON.parse(line).input;
    if (isHeard(fields)) await one.hook(fields.hook_event_name, { ...fields, transcript_path });
  }
  const session = JSON.parse(lines[0] ?? "").input.session_id;
  return { ended: await endedIn(one), list: await one.open(session) };
}

const ends = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"];

describe.each(["codex/0.166.0-hooks", "claude-code/2.1.325-hooks"])("a recorded run: %s", (name) => {
  test("without any report of an end, all calls end all the same, once", async () => {
    const all = await replay(name, () => true);
    expect(all.ended.length).toBeGreaterThan(2);
    expect(await replay(name, ({ hook_event_name: event }) => !ends.includes(event))).toEqual(all);
  });

  test("without any one of them, too", async () => {
    const all = await replay(name, () => true);
    let count = 0;
    const everyThird = ({ hook_event_name: event }: Fields) => !ends.includes(event) || ++count % 3 !== 0;
    expect(await replay(name, everyThird)).toEqual(all);
  });
});

describe("Claude Code", () => {
  const file = (name: string, lines: readonly Line[]) => {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    const told = chained(lines).map((line) => `${JSON.stringify({ ...line, sessionId: "s1" })}\n`);
    writeFileSync(path, told.join(""));
    return path;
  };
  const begun = async (transcript_path: string) => {
    const one = await client();
    await one.hook("UserPromptSubmit", { prompt_id: "p1", prompt: "go", transcript_path });
    await one.hook("PreToolUse", { prompt_id: "p1", tool_name: "Bash", tool_use_id: "c1", transcript_path });
    return one;
  };

  test("a call that somebody refused was cancelled", async () => {
    const lines = [
      user("go"),
      calls("c1", "Bash"),
      refuses("c1", "The user doesn't want to proceed with this tool use."),
    ];
    const transcript_path = file("refused.jsonl", lines);
    const one = await begun(transcript_path);
    await one.hook("UserPromptSubmit", { prompt_id: "p2", prompt: "go on", transcript_path });
    expect(await endedIn(one)).toEqual(["c1 Bash cancelled"]);
  });

  test("a call of a sub-agent is in the file of that", async () => {
    const transcript_path = file("agents/main.jsonl", [user("go")]);
    file("agents/s1/subagents/agent-a1.jsonl", [user("look"), calls("c1", "Bash"), answers("c1")]);
    const one = await begun(transcript_path);
    await one.hook("Stop", { prompt_id: "p1", transcript_path });
    expect((await one.events("call.ended")).map(({ data }) => data)).toMatchObject([{ call: "c1", agent: "a1" }]);
  });

  const write = (call: string, content: string) => [
    calls(call, "TodoWrite", { todos: [{ content, status: "pending", activeForm: content }] }),
    answers(call),
  ];
  const wrote = (one: Awaited<ReturnType<typeof client>>, event: string, call: string, content = "") =>
    one.hook(event, {
      prompt_id: "p1",
      tool_name: "TodoWrite",
      tool_use_id: call,
      tool_input: { todos: [{ content, status: "pending", activeForm: content }] },
    });

  test("a list is taken over, unless it was written anew since", async () => {
    const transcript_path = file("list.jsonl", [
      user("go"),
      ...write("w1", "A"),
      ...write("w2", "B"),
      ...write("w3", "C"),
    ]);
    const one = await begun(transcript_path);
    for (const call of ["w1", "w2", "w3"]) await wrote(one, "PreToolUse", call);
    await wrote(one, "PostToolUse", "w2", "B");
    await one.hook("Stop", { prompt_id: "p1", transcript_path });
    expect(await one.open()).toEqual(["pending C"]);
    const shorter = file("list.jsonl", [user("go"), ...write("w1", "A"), ...write("w2", "B")]);
    const two = await begun(shorter);
    for (const call of ["w1", "w2"]) await wrote(two, "PreToolUse", call);
    await wrote(two, "PostToolUse", "w2", "B");
    await two.hook("Stop", { prompt_id: "p1", transcript_path: shorter });
    expect(await two.open()).toEqual(["pending B"]);
    expect(await endedIn(two)).toEqual(["w1 TodoWrite completed", "w2 TodoWrite completed"]);
  });

  test("a call that runs on has not ended, and a transcript that is not there is no trouble", async () => {
    const transcript_path = file("running.jsonl", [user("go"), calls("c1", "Bash")]);
    const one = await begun(transcript_path);
    await one.hook("Stop", { prompt_id: "p1", transcript_path });
    await one.hook("SessionEnd", { reason: "other", transcript_path: join(folder, "none.jsonl") });
    expect(await endedIn(one)).toEqual([]);
  });
});
