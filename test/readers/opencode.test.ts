import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readDatabase } from "../../src/app/transcripts/agents/database-formats.js";
import type { JsonObject } from "../../src/core/json.js";
import { todosOf } from "../../src/core/todo/list.js";
import { opencodeSession } from "../../src/readers/opencode/opencode-session.js";
import { Transcript } from "../../src/readers/transcript.js";
import { hostileJson } from "../hostile-json.js";
import { insertRow, makeOpencodeDatabase, type OpencodeRows, rowsOfExport } from "../opencode-database.js";
import { sized } from "../sizes.js";
import { bytesOf, type Summary, summary } from "./recorded.js";

const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-opencode-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const sample = (name: string) => JSON.parse(bytesOf("opencode", `1.18.33-${name}.json`).toString());

const told = (record: JsonObject) => {
  const transcript = new Transcript({ file: "session.json" });
  transcript.tell(record);
  return transcript;
};
const seen = (record: JsonObject) => [...told(record).views.values()].map(summary);

const RUN: Summary = {
  title: "Scripted run",
  phase: "resting",
  turns: 2,
  calls: "6/2",
  tokens: 880,
  place: "/home/dev/app@",
  version: "1.18.33",
  model: "fake-model",
  todos: ["[ ] Fix it"],
};

const EXPORTS: Readonly<Record<string, Summary>> = {
  export: RUN,
  // A command that ended badly, a sub-agent, and a tool that is not there.
  "compact-export": {
    ...RUN,
    turns: 3,
    calls: "4/2",
    tokens: 195_890,
    compactions: 1,
    todos: ["[~] One", "[ ] Two"],
  },
};

describe("what opencode prints", () => {
  test.each(Object.entries(EXPORTS))("%s", (name, expected) => {
    const transcript = told(sample(name));
    expect(transcript.format).toBe(opencodeSession);
    expect([...transcript.views.values()].map(summary)).toEqual([expected]);
  });
});

describe("its database", () => {
  test("says of the rows of a real one what was in them", async () => {
    const path = join(home, "real", "opencode.db");
    const database = await makeOpencodeDatabase(path, sample("db") as OpencodeRows);
    const found = await readDatabase(path);
    database.close();
    // The sample ends with the second reply.
    expect(found?.changed.map(({ record }) => seen(record))).toEqual([
      [
        {
          ...RUN,
          phase: "working",
          turns: 1,
          calls: "2/0",
          tokens: 220,
          todos: ["[~] Read the code", "[ ] Fix it"],
        },
      ],
    ]);
  });

  test.each(Object.keys(EXPORTS))("%s: is told as its export", async (name) => {
    const path = join(home, name, "opencode.db");
    const record = sample(name);
    (await makeOpencodeDatabase(path, rowsOfExport(record))).close();
    const found = await readDatabase(path);
    expect(found?.format).toBe(opencodeSession);
    expect(found?.changed.map((one) => seen(one.record))).toEqual([seen(record)]);
  });

  test("a session is read again when a part of it has changed, and only then; of many the newest", async () => {
    const path = join(home, "live", "opencode.db");
    const rows = rowsOfExport(sample("export"));
    const database = await makeOpencodeDatabase(path, rows);
    const [session = {}] = rows.session;
    insertRow(database, "session", { ...session, id: "ses_old", time_updated: 1 });
    const first = await readDatabase(path);
    expect(first?.ids).toEqual([session.id, "ses_old"]);
    const states = new Map(first?.changed.map(({ id, state }) => [id, state]));
    const known = (id: string) => states.get(id);
    expect((await readDatabase(path, { known }))?.changed).toEqual([]);
    insertRow(database, "part", { ...rows.part[0], id: "prt_z", time_updated: Date.now() });
    expect((await readDatabase(path, { known }))?.changed.map(({ id }) => id)).toEqual([session.id]);
    expect((await readDatabase(path, { most: 1 }))?.ids).toEqual([session.id]);
    database.close();
  });
});

type Parts = readonly JsonObject[];
const user = (...parts: Parts) => ({ info: { role: "user", time: { created: 1 } }, parts });
const agent = (fields: JsonObject, ...parts: Parts) => ({
  info: { role: "assistant", id: "m", time: { created: 2 }, ...fields },
  parts,
});
const text = (words: string) => ({ type: "text", text: words });
const call = (tool: string, state: JsonObject) => ({ type: "tool", tool, callID: `c_${tool}`, state });
const todo = (content: string, status: string) => ({ content, status, priority: "medium" });
const wrote = (...todos: Parts) => call("todowrite", { status: "completed", input: { todos } });
const session = (info: JsonObject, ...messages: readonly JsonObject[]) => ({
  info: { id: "ses_1", slug: "a", directory: "/app", title: "New session - 2026-11-19T04:53:01.089Z", ...info },
  messages,
});

const REFUSED = "The user rejected permission to use this specific tool call.";
const OWN_COMMAND = "The following tool was executed by the user";
const STOPPED = "a\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>";
const TOO_FULL = user({ type: "compaction", auto: true, overflow: true });
const OVERFLOWN = [TOO_FULL, agent({ summary: true, finish: "stop" }, text("A summary."))];

const STATES: readonly (readonly [name: string, record: JsonObject, expected: Partial<Summary>])[] = [
  [
    "has the first prompt for a title until it has one",
    session({}, user(text("Do it"))),
    { title: "Do it", phase: "working", turns: 1 },
  ],
  [
    "ends its turn with a question",
    session({}, user(text("Do it")), agent({ finish: "stop" }, text("Which one?"))),
    { phase: "asking" },
  ],
  [
    "goes on behind calls",
    session({}, user(text("Do it")), agent({ finish: "tool-calls" }, text("I look."))),
    { phase: "working" },
  ],
  [
    "was stopped",
    session({}, user(text("Do it")), agent({ error: { name: "MessageAbortedError" } })),
    { phase: "resting" },
  ],
  [
    "waits with a question of its own tool",
    session({}, user(text("Do it")), agent({}, call("question", { status: "running", input: {} }))),
    { phase: "asking", calls: "1/0" },
  ],
  ["was archived", session({ time: { created: 1, archived: 2 } }, user(text("Do it"))), { phase: "left" }],
  ["is another one's", session({ parentID: "ses_0" }, user(text("Look"))), { parent: "ses_0" }],
  [
    "was refused a permission",
    session(
      {},
      user(text("Do it")),
      agent({ finish: "tool-calls" }, call("edit", { status: "error", error: REFUSED })),
    ),
    { phase: "resting", calls: "1/1" },
  ],
  [
    "has called a tool, whatever it gave as its reason to end",
    session({}, user(text("Do it")), agent({ finish: "stop" }, call("bash", { status: "completed" }))),
    { phase: "working" },
  ],
  [
    "is idle, and a person has run a command in it",
    session(
      {},
      user(text("Do it")),
      agent({ finish: "stop" }, text("Done.")),
      { info: { role: "user", id: "m_own" }, parts: [{ ...text(OWN_COMMAND), synthetic: true }] },
      agent({ parentID: "m_own" }, call("bash", { status: "completed", input: { command: "exit 1" } })),
    ),
    { phase: "resting", turns: 1, calls: "0/0" },
  ],
  [
    "ran into the limit, and has repeated its prompt behind the summary",
    session({}, user(text("Do it")), agent({}), ...OVERFLOWN, user(text("Do it"), text("[Attached image/png: a.png]"))),
    { phase: "working", turns: 1, compactions: 1 },
  ],
  [
    "was asked the same once more later",
    session({}, user(text("Do it")), ...OVERFLOWN, user(text("Do it")), agent({ finish: "stop" }), user(text("Do it"))),
    { turns: 2, compactions: 1 },
  ],
  [
    "could not be summed up",
    session({}, user(text("Do it")), TOO_FULL, agent({ summary: true, finish: "error", error: { name: "APIError" } })),
    { phase: "resting" },
  ],
  [
    "had a command whose time was over, and one that a person stopped",
    session(
      {},
      user(text("Do it")),
      agent(
        {},
        call("bash", { status: "completed", output: "a", metadata: { exit: null } }),
        call("shell", { status: "completed", output: STOPPED, metadata: { exit: null } }),
      ),
    ),
    { calls: "2/1" },
  ],
  [
    "has taken calls only: a list that was refused is not there",
    session(
      {},
      agent(
        {},
        call("todowrite", { status: "error", input: { todos: [{ content: "a", status: "pending", priority: "" }] } }),
      ),
    ),
    { todos: [], calls: "1/1" },
  ],
];

describe("a session that", () => {
  test.each(STATES)("%s", (_, record, expected) => {
    expect(seen(record)).toMatchObject([expected]);
  });

  test("has done all of its list keeps it until it writes another one, and has finished it once", () => {
    const done = [todo("a", "completed"), todo("b", "cancelled")];
    const listsOf = (...writes: readonly (readonly JsonObject[])[]) => {
      const record = session({}, ...writes.map((one) => agent({}, wrote(...one))));
      const [view] = told(record).views.values();
      return [view?.list, view?.finished?.list].map((list) => list && todosOf(list).map(({ text: words }) => words));
    };
    expect(listsOf([todo("a", "pending")], done)).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(listsOf(done, [todo("a", "completed")])).toEqual([["a"], ["a", "b"]]);
    expect(listsOf(done, [])).toEqual([[], ["a", "b"]]);
    expect(listsOf(done, [todo("c", "pending")])).toEqual([["c"], ["a", "b"]]);
  });

  test("is hostile does not make the reader throw", () => {
    const parts = fc.array(
      fc.oneof(
        hostileJson,
        fc.record({ type: fc.constant("tool"), tool: hostileJson, callID: fc.constant("c"), state: hostileJson }),
      ),
      { maxLength: 5 },
    );
    const message = fc.record({
      info: fc.oneof(
        hostileJson,
        fc.record({
          role: fc.constantFrom("user", "assistant"),
          time: hostileJson,
          tokens: hostileJson,
          error: hostileJson,
        }),
      ),
      parts: fc.oneof(parts, hostileJson),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.object(), (messages, info) => {
        told(session(info as JsonObject, ...(messages as JsonObject[])));
      }),
      { numRuns: sized(100, 2000) },
    );
  });
});
