import { describe, expect, test } from "vitest";
import { isId } from "../core/id.js";
import { type Caller, type CallNote, folderSession, identify, type Surroundings } from "./identity.js";

const FOLDER = "/home/ann/app";
const HERE = folderSession(FOLDER);
const turn = (session_id: unknown) => ({ "x-codex-turn-metadata": { session_id, thread_id: "t2", turn_id: "9" } });

const cases: {
  name: string;
  at?: Partial<Surroundings>;
  meta?: CallNote["meta"];
  clientName?: string;
  then: Partial<Caller> | "bad-id";
}[] = [
  { name: "nobody says anything: the folder", then: { session: HERE, client: "unknown", folder: FOLDER } },
  { name: "another client", clientName: "Cursor", then: { session: HERE, client: "Cursor" } },
  {
    name: "Claude Code",
    at: { environment: { CLAUDE_CODE_SESSION_ID: "c-1", CLAUDE_PROJECT_DIR: "/home/ann/web" } },
    meta: { "claudecode/toolUseId": "toolu_1", progressToken: 3 },
    clientName: "claude-code",
    then: { session: "c-1", client: "claude-code", call: "toolu_1", folder: "/home/ann/web" },
  },
  {
    name: "Codex",
    meta: { threadId: "t1", callId: "call_1", ...turn("t1") },
    clientName: "codex-mcp-client",
    then: { session: "t1", client: "codex", call: "call_1" },
  },
  { name: "Codex without turn metadata", meta: { threadId: "t1" }, then: { session: "t1", client: "codex" } },
  {
    name: "a sub-agent of Codex",
    meta: { threadId: "t2", ...turn("t1") },
    then: { session: "t1", agent: "t2", client: "codex" },
  },
  {
    name: "Codex started from inside Claude Code",
    at: { environment: { CLAUDE_CODE_SESSION_ID: "c-1" } },
    meta: { threadId: "t1" },
    then: { session: "t1", client: "codex" },
  },
  {
    name: "the command line goes first",
    at: { session: "mine", environment: { CLAUDE_CODE_SESSION_ID: "c-1" } },
    meta: { threadId: "t2", ...turn("t1") },
    clientName: "codex-mcp-client",
    then: { session: "mine", client: "codex-mcp-client" },
  },
  {
    name: "our extension in an agent",
    at: { environment: { CLAUDE_CODE_SESSION_ID: "c-1" } },
    meta: { "milepost/session": "p1", "milepost/call": "call_7" },
    clientName: "milepost-pi",
    then: { session: "p1", agent: undefined, client: "pi", call: "call_7" },
  },
  {
    name: "our extension, of a sub-agent",
    meta: { "milepost/session": "p1", "milepost/agent": "a2" },
    clientName: "milepost-opencode",
    then: { session: "p1", agent: "a2", client: "opencode" },
  },
  {
    name: "a hook of ours in an agent that calls us itself",
    meta: { "milepost/session": "p1", "milepost/call": "call_1_1", progressToken: 1 },
    clientName: "copilot-cli",
    then: { session: "p1", agent: undefined, client: "copilot", call: "call_1_1" },
  },
  {
    name: "an extension names what is no id",
    meta: { "milepost/session": "../x" },
    clientName: "milepost-pi",
    then: "bad-id",
  },
  {
    name: "an empty variable says nothing",
    at: { environment: { CLAUDE_CODE_SESSION_ID: "" } },
    then: { session: HERE },
  },
  { name: "null says nothing", meta: { threadId: null, callId: null }, then: { session: HERE } },
  {
    name: "turn metadata that is none",
    meta: { threadId: "t1", "x-codex-turn-metadata": "x" },
    then: { session: "t1" },
  },
  { name: "a session id that is none", at: { environment: { CLAUDE_CODE_SESSION_ID: "../x" } }, then: "bad-id" },
  { name: "a thread id that is none", meta: { threadId: "" }, then: "bad-id" },
  { name: "a thread id of another type", meta: { threadId: { toString: 1 } }, then: "bad-id" },
  { name: "a root that is none", meta: { threadId: "t2", ...turn("a b") }, then: "bad-id" },
  { name: "a sub-agent's id that is none", meta: { threadId: "/", ...turn("t1") }, then: "bad-id" },
];

describe("who calls", () => {
  test.each(cases)("$name", ({ at, meta = {}, clientName, then }) => {
    const who = identify(
      { environment: {}, folder: FOLDER, process: "m:1", server: "m:2", ...at },
      { meta, clientName },
    );
    if (then === "bad-id") expect(who).toMatchObject({ ok: false, error: { code: "bad-id" } });
    else expect(who).toMatchObject({ ok: true, value: then });
    if (who.ok) expect(who.value.agent).toBe(typeof then === "object" ? then.agent : undefined);
  });

  test.each([["a b"], [""], ["x".repeat(201)], [7], [{}]])("a call id that is none counts as absent: %j", (callId) => {
    expect(
      identify({ environment: {}, folder: FOLDER, process: "m:1", server: "m:2" }, { meta: { callId } }),
    ).toMatchObject({
      ok: true,
      value: { session: HERE },
    });
    const who = identify({ environment: {}, folder: FOLDER, process: "m:1", server: "m:2" }, { meta: { callId } });
    expect(who.ok && who.value.call).toBe(undefined);
  });

  test("a client's name is made safe", () => {
    const who = identify(
      { environment: {}, folder: FOLDER, process: "m:1", server: "m:2" },
      { meta: {}, clientName: `<b>\n${"x".repeat(500)}` },
    );
    expect(who.ok && who.value.client).toMatch(/^‹b> x+…?$/);
    expect(who.ok && who.value.client.length).toBeLessThanOrEqual(100);
  });
});

describe("the session of a folder", () => {
  test.each([
    ["/home/ann/app", /^app-[0-9a-f]{8}$/],
    ["/home/ann/My Project (2)", /^My-Project-2-[0-9a-f]{8}$/],
    ["/home/ann/con.old", /^con-old-[0-9a-f]{8}$/],
    ["/home/ann/.config", /^config-[0-9a-f]{8}$/],
    ["/home/ann/Проект", /^folder-[0-9a-f]{8}$/],
    ["/", /^folder-[0-9a-f]{8}$/],
    [`/${"x".repeat(255)}`, /^x{64}-[0-9a-f]{8}$/],
  ])("%s", (folder, session) => {
    expect(folderSession(folder)).toMatch(session);
    expect(isId(folderSession(folder))).toBe(true);
  });

  test("two folders of one name are two sessions, and a folder is always the same one", () => {
    expect(folderSession("/a/app")).not.toBe(folderSession("/b/app"));
    expect(folderSession("/a/app")).toBe(folderSession("/a/app"));
  });
});
