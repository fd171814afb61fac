import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as zlib from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readDatabase } from "../../src/app/transcripts/agents/database-formats.js";
import { isObject, type JsonObject, listAt, objectAt } from "../../src/core/json.js";
import { openclawSessions } from "../../src/readers/openclaw/openclaw-sessions.js";
import { Transcript } from "../../src/readers/transcript.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { neverThrows, type Summary, summary } from "./recorded.js";

// Sessions of OpenClaw 2026.9.6, recorded with a scripted model. A sample is rows of its database as JSON.

const samples = fileURLToPath(new URL("../fixtures/transcripts/openclaw", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-openclaw-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sampleOf = (name: string): JsonObject => JSON.parse(readFileSync(join(samples, `${name}.json`), "utf8"));

const APP = { phase: "resting", place: "/home/dev/app@", version: "", model: "fake-model" } as const;

const GOLDEN: Readonly<Record<string, Summary>> = {
  // The list is that of our own tool.
  "2026.9.6-compaction": {
    ...{ ...APP, title: "Start the work.", turns: 2, calls: "4/0", tokens: 548260, compactions: 1 },
    todos: ["[~] Read the code", "[ ] Fix it"],
  },
  // The card was cleared and written anew behind what was copied of the calls: its row has it. `update_plan` is no more.
  "2026.9.6-db": {
    ...{ ...APP, phase: "working", title: "Start the work.", turns: 1, calls: "3/1", tokens: 220 },
    todos: ["[x] Read the code", "[x] Fix it"],
  },
  "2026.9.6-tool-search": {
    ...{ ...APP, phase: "asking", title: "Start the work.", turns: 1, calls: "10/5", tokens: 1100 },
    todos: ["[x] Read the code", "[~] Fix it"],
  },
};

function told(record: JsonObject): readonly Summary[] {
  const transcript = new Transcript({ file: "sample.json" });
  transcript.tell(record);
  return [...transcript.views.values()].map((view) => summary(view));
}

test("every sample is in the table", () => {
  const names = readdirSync(samples).map((file) => file.replace(/\.json$/, ""));
  expect(names.sort()).toEqual(Object.keys(GOLDEN).sort());
});

const TABLES: Readonly<Record<string, string>> = {
  session_nodes: "session_key, current_session_id, status, spawned_by, parent_session_key, label, display_name",
  session_windows:
    "session_id, session_key, previous_session_id, reason, status, ended_at, spawned_by, parent_session_key",
  session_progress_cards: "session_key, markdown, steps_json, revision, created_at, updated_at",
  transcript_events: "session_id, seq, event_json, created_at, event_zstd, event_utf8_bytes, navigation_json",
};

/** The rows in a database such as the agent's own. */
async function databaseOf(name: string, record: JsonObject): Promise<string> {
  const path = join(folder, `${name}.sqlite`);
  const database = (await loadSqlite())(path, {});
  for (const [table, columns] of Object.entries(TABLES)) {
    database.exec(`CREATE TABLE ${table} (${columns})`);
    for (const row of listAt(record[table]).map(objectAt)) {
      const values = columns.split(", ").map((column) => valueIn(row[column]));
      database.exec(`INSERT INTO ${table} VALUES (${values.join(", ")})`);
    }
  }
  database.close();
  return path;
}

function valueIn(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  if (value === undefined || value === null || typeof value === "number") return String(value ?? null);
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

describe.each(Object.entries(GOLDEN))("%s", (name, expected) => {
  test("as a document", () => {
    expect(told(sampleOf(name))).toEqual([expected]);
  });

  test("as a database", async () => {
    const found = await readDatabase(await databaseOf(name, sampleOf(name)));
    expect(found?.format).toBe(openclawSessions);
    expect(found?.changed.flatMap(({ record }) => told(record))).toEqual([expected]);
  });
});

describe("a call through the tool that finds others", () => {
  test("is a call of the real tool", () => {
    const started: JsonObject[] = [];
    const observed = (all: readonly object[]) => started.push(...all.map(objectAt).filter(isStart));
    new Transcript({ file: "sample.json", observed }).tell(sampleOf("2026.9.6-tool-search"));
    const names = started.map(({ server, tool }) => (server === undefined ? tool : `${server}: ${tool}`));
    const direct = ["progress_card", "exec", "read", "write", "exec"];
    const wrapped = ["milepost: todo", "todo", "progress_card"];
    expect(names).toEqual(["tool_search", ...wrapped, ...direct, "nothing_there"]);
  });

  const isStart = ({ type }: JsonObject) => type === "call.started";
});

/** An event as zstd: `progress_card` with one step. */
const PACKED =
  "28b52ffd601600fd0500a20c261f504bdb068008147d44c2637fd7df28c43fd97289915f19b426974f3133336bad5d396115a71e2c958e479aa8f443b486684fec723c2b3a9b950149036dde448b7b35291496bf272c9104b33245b195727f3f0842498094ea057caff62ae4f7de6c5e98f378458a7d817705630cc0c1a031186010068e718e217098e3f895b259d3d2bf1f05bdca72fd7e4896df5549664dc7eb6ae82f020d000a93fcd2b68af029e96a8cadc18490c410c36b880023117f142227949e79b358f30e";

describe("long events", () => {
  const at = (second: number) => `2026-11-19T04:00:0${second}.000Z`;
  const event = (seq: number, json: object) => ({ session_id: "s1", seq, created_at: seq, event_json: json });
  const outline = { type: "message", id: "m3", timestamp: at(3), message: { role: "assistant" } };
  const rows = (packed: Uint8Array) => ({
    transcript_events: [
      event(0, { type: "session", id: "s1", timestamp: at(0), cwd: "/home/dev/app" }),
      event(1, { type: "message", id: "m2", timestamp: at(2), message: { role: "user", content: "Go." } }),
      {
        ...{ session_id: "s1", seq: 2, created_at: 2, event_zstd: packed, event_utf8_bytes: 278 },
        navigation_json: { version: 1, navigation: outline },
      },
    ],
  });
  const read = async (name: string, packed: Uint8Array) =>
    (await readDatabase(await databaseOf(name, rows(packed))))?.changed.flatMap(({ record }) => told(record));
  const canUnpack = "zstdDecompressSync" in zlib;

  test("are unpacked where Node can do that, else only who spoke is known", async () => {
    const { calls, phase } = (await read("packed", Buffer.from(PACKED, "hex")))?.[0] ?? {};
    expect({ calls, phase }).toEqual({ calls: canUnpack ? "1/0" : "0/0", phase: "working" });
  });

  test("that are damaged are no harm", async () => {
    const [view] = (await read("damaged", Buffer.from(`${PACKED.slice(0, 60)}ffff`, "hex"))) ?? [];
    expect(view).toMatchObject({ calls: "0/0", turns: 1 });
  });
});

describe("rows around the events", () => {
  const said = (session: string, seq: number, message: object) => ({
    ...{ session_id: session, seq },
    event_json: { type: "message", id: `m${seq}`, timestamp: "2026-11-19T04:00:00.000Z", message },
  });
  const turn = (session: string) => [
    said(session, 1, { role: "user", content: "Look around." }),
    said(session, 2, { role: "assistant", content: [{ type: "text", text: "Done." }] }),
  ];
  const nodes = [
    { session_key: "agent:main:main", current_session_id: "s1", label: "Port the cache" },
    { session_key: "agent:main:subagent:x", current_session_id: "s2", spawned_by: "agent:main:main" },
  ];

  test("name it, its parent, and what a person made of its card", () => {
    const cards = [{ session_key: "agent:main:main", steps_json: '[{"step":"By hand","status":"pending"}]' }];
    const events = [...turn("s1"), ...turn("s2")];
    const views = told({ session_nodes: nodes, session_progress_cards: cards, transcript_events: events });
    expect(views).toMatchObject([
      { title: "Port the cache", todos: ["[ ] By hand"] },
      { parent: "s1", todos: [] },
    ]);
  });

  test("a name that only repeats the end of a key is none", () => {
    const key = "agent:main:explicit:s1";
    const named = (name: string) =>
      told({
        session_nodes: [{ session_key: key, current_session_id: "s1", display_name: name }],
        transcript_events: turn("s1"),
      });
    expect(named("explicit:s1")).toMatchObject([{ title: "Look around." }]);
    expect(named("Port the cache")).toMatchObject([{ title: "Port the cache" }]);
  });

  test.each<[string, string, string]>([
    ["another session is on in its place", "s3", "left"],
    // A gateway writes down when each run has ended.
    ["its last run has ended", "s1", "resting"],
  ])("say that %s", async (name, current, phase) => {
    const place = { session_key: "agent:main:main" };
    const record = {
      session_nodes: [{ ...place, current_session_id: current, status: "done" }],
      session_windows: [{ ...place, session_id: "s1", status: "done", ended_at: 1 }],
      session_progress_cards: [{ ...place, steps_json: '[{"step":"Of the next","status":"pending"}]' }],
      transcript_events: turn("s1"),
    };
    const todos = current === "s1" ? ["[ ] Of the next"] : [];
    expect(told(record)).toMatchObject([{ phase, todos }]);
    const found = await readDatabase(await databaseOf(name, record));
    expect(found?.changed.flatMap(({ record }) => told(record))).toMatchObject([{ phase, todos }]);
  });
});

describe("what else a conversation has", () => {
  const said = (message: object) => ({ type: "message", timestamp: "2026-11-19T04:00:00.000Z", message });
  const start = said({ role: "user", content: "Go." });
  const call = (id: string, name: string, input: object, details: object = {}) => [
    said({ role: "assistant", content: [{ type: "toolCall", id, name, arguments: input }], stopReason: "toolUse" }),
    said({ role: "toolResult", toolCallId: id, content: [{ type: "text", text: "ok" }], details }),
  ];
  const shown = (...events: readonly object[]) =>
    told({ transcript_events: events.map((event_json, seq) => ({ session_id: "s1", seq, event_json })) })[0];
  const add = call("c1", "milepost__todo", { add: ["a"] });
  const plan = [{ step: "b", status: "pending" }];

  test.each<[string, object, readonly string[]]>([
    ["a person begins anew", { type: "reset", reason: "new" }, []],
    ["as an order", { type: "reset", reason: "reset" }, []],
    ["the clock does", { type: "reset", reason: "daily" }, ["[~] a"]],
    ["something of it is kept", { type: "reset", reason: "reset", firstKeptEntryId: "m1" }, ["[~] a"]],
  ])("the list, after %s", (_name, reset, todos) => {
    expect(shown(start, ...add, reset)?.todos).toEqual(todos);
  });

  test.each<[string, object]>([
    ["in its place", { id: "progress_card", args: { plan } }],
    ["as JSON", { id: "progress_card", args: JSON.stringify({ plan }) }],
    ["under another name", { id: " openclaw:core:progress_card ", input: { plan } }],
    ["beside it", { id: "progress_card", args: {}, plan }],
    ["with dots", { id: "progress_card", "args.plan": plan }],
    ["one level deeper", { args: { name: "progress_card", plan } }],
  ])("a hidden tool's input, %s", (_name, input) => {
    expect(shown(start, ...call("c1", "tool_call", input))?.todos).toEqual(["[ ] b"]);
  });

  test.each<[string, object, string]>([
    ["was stopped by a person", { status: "killed", ended_at: Date.UTC(2026, 10, 19, 4, 0, 9) }, "resting/interrupted"],
    ["failed", { status: "failed", ended_at: Date.UTC(2026, 10, 19, 4, 0, 9) }, "resting/failed"],
    ["was an earlier one", { status: "killed", ended_at: Date.UTC(2026, 10, 19, 3) }, "working/in-turn"],
    ["goes on", { status: "running", ended_at: null }, "working/in-turn"],
  ])("a turn without an end, where the last run %s", (_name, run, expected) => {
    const events = [start, ...add].map((event_json, seq) => ({ session_id: "s1", seq, event_json }));
    const transcript = new Transcript({ file: "sample.json" });
    transcript.tell({ session_windows: [{ session_id: "s1", ...run }], transcript_events: events });
    const [view] = [...transcript.views.values()];
    expect(`${view?.phase}/${view?.shown.reason}`).toBe(expected);
  });

  test.each<[string, object, number]>([
    ["a person's", {}, 2],
    ["another agent's", { provenance: { kind: "inter_session" } }, 1],
    ["a command's that has ended", { provenance: { kind: "internal_system" } }, 1],
    ["a person's in a channel", { provenance: { kind: "external_user" } }, 2],
  ])("whose words begin a turn: %s", (_name, more, turns) => {
    expect(shown(start, said({ role: "user", content: "And?", ...more }))?.turns).toBe(turns);
  });

  test("a call that was taken out of its reply counts once, by its answer, and changes no list", () => {
    const answer = { role: "toolResult", toolCallId: "c9", toolName: "nope", content: [], isError: true };
    expect(shown(start, ...add, said(answer), said(answer))?.calls).toBe("2/1");
    const card = call("c1", "progress_card", { plan });
    const long = { ...answer, toolName: "progress_card", isError: false };
    expect(shown(start, ...card, said(long))).toMatchObject({ calls: "2/0", todos: ["[ ] b"] });
  });

  test("a sub-agent is named by its task", () => {
    const words =
      "[Subagent Context] Complete the [Subagent Task]; no more.\n\n[Subagent Task]\n\nLook\naround.\n\nBegin. Do it.";
    expect(shown(said({ role: "user", content: words }))?.title).toBe("Look around.");
  });

  test.each<[string, (kind: object) => object]>([
    ["as an entry", (kind) => ({ type: "custom_message", ...kind })],
    ["as a message", (kind) => said({ role: "custom", ...kind })],
  ])("a person's stop in the middle of a call, %s", (_name, note) => {
    expect(shown(start, ...add)?.phase).toBe("working");
    expect(shown(start, ...add, note({ customType: "openclaw:turn-aborted" }))?.phase).toBe("resting");
    expect(shown(start, ...add, note({ customType: "openclaw.nested-tool.v1" }))?.phase).toBe("working");
  });
});

test("no record makes a reader throw, and going on later changes nothing", () =>
  neverThrows({
    agent: "openclaw",
    files: [],
    records: readdirSync(samples).map((file) => sampleOf(file.replace(/\.json$/, ""))),
    formats: [openclawSessions],
    name: "openclaw-agent.sqlite",
    first: { transcript_events: [{ session_id: "s1", event_json: "{}" }] },
  }));
