import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hookEnvironment, isUnattended } from "./attended.js";
import { readHookInput } from "./hook-input.js";

function stopOf(fields: object, environment: Record<string, string> = {}, process = "elsewhere:1") {
  const text = JSON.stringify({ session_id: "s1", hook_event_name: "Stop", ...fields });
  const input = readHookInput(text, process, environment);
  if (!input.ok) throw new Error(input.error);
  return input.value;
}

describe("Claude Code", () => {
  test.each<[string, string | undefined, string | undefined, boolean]>([
    ["says nothing (older versions)", undefined, undefined, false],
    ["a terminal", "1", "cli", false],
    ["a terminal of an older version", undefined, "cli", false],
    ["claude -p", "0", "sdk-cli", true],
    ["claude -p of an older version", undefined, "sdk-cli", true],
    ["the TypeScript SDK", "0", "sdk-ts", true],
    ["the Python SDK", undefined, "sdk-py", true],
    ["says that nobody is there, whatever it was started as", "0", "cli", true],
    ["an SDK that says somebody is there", "1", "sdk-ts", true],
    ["an editor", "1", "claude-vscode", false],
    ["the desktop program", "1", "claude-desktop", false],
    ["in the cloud, with a person", "1", "remote", false],
    ["in the cloud, by a trigger", undefined, "remote_trigger", true],
    ["a GitHub action", undefined, "claude-code-github-action", true],
    ["a benchmark", undefined, "bench", true],
  ])("%s", (_, attended, entry, isAlone) => {
    const environment = {
      ...(attended === undefined ? undefined : { CLAUDE_CODE_SESSION_ATTENDED: attended }),
      ...(entry === undefined ? undefined : { CLAUDE_CODE_ENTRYPOINT: entry }),
    };
    expect(isUnattended(stopOf({}, environment))).toBe(isAlone);
  });
});

describe("Claude Code's server", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["of a terminal", { CLAUDE_CODE_ENTRYPOINT: "cli" }, false],
    ["of claude -p", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, true],
    ["of a terminal inside claude -p", { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_ATTENDED: "0" }, false],
    ["of claude -p inside a terminal", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli", CLAUDE_CODE_SESSION_ATTENDED: "1" }, true],
    ["of a session in the background", { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_KIND: "bg" }, true],
    ["of a daemon", { CLAUDE_CODE_SESSION_KIND: "daemon-worker" }, true],
    ["of another kind", { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_KIND: "main" }, false],
  ])("%s", (_, server, isAlone) => {
    expect(isUnattended({ ...stopOf({}), environment: hookEnvironment(server) })).toBe(isAlone);
  });
});

describe("Codex", () => {
  const folder = mkdtempSync(join(tmpdir(), "attended-"));
  let files = 0;
  const rollout = (...records: readonly object[]) => {
    const path = join(folder, `rollout-${++files}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return path;
  };
  const prompt = (turn: string, client: object = {}, type = "UserMessage") => ({
    type: "event_msg",
    payload: { type: "item_completed", turn_id: turn, item: { type, id: "i", ...client, content: [] } },
  });
  const typed = { client_id: "33c31e8b-59ba-467d-becc-f53fbfe9045b" };
  const said = (text: string) => ({ type: "response_item", payload: { type: "message", turn_id: "t2", text } });

  test.each<[string, readonly object[], boolean]>([
    ["typed in a terminal", [prompt("t2", typed)], false],
    ["codex exec", [prompt("t2")], true],
    ["codex exec goes on with a session of a terminal", [prompt("t1", typed), prompt("t2")], true],
    ["a terminal goes on with a session of codex exec", [prompt("t1"), prompt("t2", typed)], false],
    ["nothing is said of this turn", [prompt("t1", typed)], true],
    ["an empty id", [prompt("t2", { client_id: "" })], true],
    ["another record with an id", [prompt("t2", typed, "AgentMessage")], true],
    ["what the model says looks like it", [said(JSON.stringify(prompt("t2", typed)))], true],
    ["much was done since", [prompt("t2", typed), said("x".repeat(100_000))], false],
    ["so much was done that it is not found", [prompt("t2", typed), said("x".repeat(5_000_000))], true],
    ["an empty transcript", [], true],
  ])("%s", (_, records, isAlone) => {
    const input = stopOf({ turn_id: "t2", transcript_path: rollout(...records) });
    expect(isUnattended(input)).toBe(isAlone);
  });

  test.each([null, "/nowhere/rollout-x.jsonl", tmpdir()])("without a transcript: %s", (transcript_path) => {
    expect(isUnattended(stopOf({ turn_id: "t2", transcript_path }))).toBe(true);
  });

  test("what Claude Code says in the environment is not about Codex", () => {
    const fields = { turn_id: "t2", transcript_path: rollout(prompt("t2", typed)) };
    expect(isUnattended(stopOf(fields, { CLAUDE_CODE_SESSION_ATTENDED: "0" }))).toBe(false);
  });
});
