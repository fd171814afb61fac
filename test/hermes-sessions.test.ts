import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { SessionReport } from "../src/app/transcripts/session-report.js";
import { type HermesDatabase, makeHermesDatabase, START } from "./hermes-database.js";
import { type Around, runOn } from "./run-on.js";

// Sessions of Hermes as a person sees them: a real database, real folders, the real commands.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-hermes-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
let hermes = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  hermes = join(home, ".hermes");
  mkdirSync(hermes, { recursive: true });
});

const run = (words: readonly string[], around?: Around) => runOn(home, words, around);

async function sessions(...words: readonly string[]): Promise<readonly SessionReport[]> {
  const { exit, out, err } = await run([...words, "--json"]);
  expect([exit, err]).toEqual([0, ""]);
  return JSON.parse(out).sessions;
}

/** Another process that has the database open until its input ends. */
const WRITER = `
const name = "node:sqlite";
const { DatabaseSync } = await import("@photostructure/sqlite").catch(() => import(name));
const database = new DatabaseSync(process.argv[1]);
database.exec("PRAGMA journal_mode = wal");
database.exec("CREATE TABLE sessions (id TEXT, source TEXT)");
database.exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT)");
database.exec("INSERT INTO sessions VALUES ('s1', 'cli')");
console.log("ready");
process.stdin.resume().on("end", () => database.close());
`;

/** Another process that opens it, writes and closes it, again and again, until its input ends. */
const VISITOR = `
const name = "node:sqlite";
const { DatabaseSync } = await import("@photostructure/sqlite").catch(() => import(name));
const open = () => new DatabaseSync(process.argv[1], { timeout: 5000 });
const first = open();
first.exec("PRAGMA journal_mode = wal");
first.exec("CREATE TABLE sessions (id TEXT, source TEXT)");
first.exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT)");
first.exec("INSERT INTO sessions VALUES ('s1', 'cli')");
first.close();
console.log("ready");
let isOver = false;
process.stdin.resume().on("end", () => (isOver = true));
const visit = () => {
  const database = open();
  database.exec("INSERT INTO messages (session_id, role, content) VALUES ('s1', 'user', hex(randomblob(3000)))");
  database.close();
};
while (!isOver) {
  visit();
  await new Promise((resolve) => setTimeout(resolve, 3));
}
visit();
`;

const textsOf = ({ list }: SessionReport) => list.phases.flatMap(({ todos }) => todos.map(({ text }) => text));
const brief = (reports: readonly SessionReport[]) => reports.map((one) => `${one.id}: ${textsOf(one).join(", ")}`);
const state = () => join(hermes, "state.db");

/** Two sessions, one of them a sub-agent's. */
function fill(writer: HermesDatabase): void {
  writer.session("s1", {
    title: "Parser",
    cwd: "/home/dev/app",
    model: "hermes-4",
    input_tokens: 10,
    output_tokens: 5,
  });
  writer.message("s1", "user", { content: '\0json:[{"type":"text","text":"Write the parser"}]' });
  writer.wrote("s1", "c1", ["Lexer", "Parser"]);
  writer.session("s2", { parent_session_id: "s1", source: "subagent" });
  writer.message("s2", "user", { content: "Look around" });
  writer.message("s2", "assistant", { content: "Done." });
}

describe("restore", () => {
  test("all sessions of a database, the one that was written last first", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    const [second, first] = await sessions("restore", state());
    expect(first).toMatchObject({
      id: "s1",
      agent: "hermes",
      title: "Parser",
      folder: "/home/dev/app",
      model: "hermes-4",
      turns: 1,
      calls: { total: 1, failed: 0 },
      tokens: { input: 10, output: 5, total: 15 },
      startedAt: new Date(START * 1000).toISOString(),
      resume: "hermes --resume s1",
      transcript: state(),
    });
    expect(first && textsOf(first)).toEqual(["Lexer", "Parser"]);
    expect(second).toMatchObject({ id: "s2", parent: "s1", resume: null });
  });

  test("only live rows count, by the order of their ids; old databases have no such column", async () => {
    const writer = await makeHermesDatabase(state());
    writer.session("s1");
    writer.wrote("s1", "c1", ["Kept"]);
    writer.wrote("s1", "c2", ["Taken back"], { active: 0 });
    // An earlier time does not make it an earlier message.
    writer.session("s2");
    writer.wrote("s2", "c3", ["Later"]);
    writer.wrote("s2", "c4", ["Last"], { timestamp: START - 1000 });
    expect(brief(await sessions("restore", state()))).toEqual(["s2: Last", "s1: Kept"]);
    writer.close();

    const old = await makeHermesDatabase(join(home, "old.db"), { isOld: true, journal: "delete" });
    old.session("s1");
    old.wrote("s1", "c1", ["Kept"]);
    old.close();
    expect(brief(await sessions("restore", join(home, "old.db")))).toEqual(["s1: Kept"]);
  });

  test("a list survives both kinds of compaction", async () => {
    const writer = await makeHermesDatabase(state());
    const header = "[Your active task list was preserved across context compression]\n- [>] 0. A (in_progress)";
    writer.session("s1", { end_reason: "compression", ended_at: START + 60 });
    writer.wrote("s1", "c1", ["Rotated"]);
    writer.session("s2", { parent_session_id: "s1", started_at: START + 60 });
    writer.message("s2", "user", { content: header });
    writer.session("s3");
    writer.wrote("s3", "c2", ["In place"], { active: 0, compacted: 1 });
    writer.message("s3", "user", { content: header });
    writer.close();
    const reports = await sessions("restore", state());
    expect(brief(reports)).toEqual(["s3: In place", "s2: Rotated", "s1: Rotated"]);
    expect(reports.map(({ parent, compactions }) => [parent, compactions])).toEqual([
      [null, 1],
      [null, 1],
      [null, 0],
    ]);
  });

  test("a sub-agent of a session that was put away later is still one", async () => {
    const writer = await makeHermesDatabase(state());
    writer.session("s1", { end_reason: "compression", ended_at: START + 60 });
    writer.wrote("s1", "c1", ["Rotated"]);
    writer.session("agent", { parent_session_id: "s1", started_at: START + 59 });
    writer.message("agent", "user", { content: "Look around" });
    writer.close();
    const [agent] = await sessions("restore", state());
    expect(agent).toMatchObject({ id: "agent", parent: "s1", resume: null, list: { phases: [] } });
  });

  test("numbers that are larger than ours are", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.database.exec("UPDATE sessions SET input_tokens = 1152921504606846976 WHERE id = 's1'");
    writer.database.exec(
      "INSERT INTO messages SELECT 1152921504606846976, 's1', 'user', 'Go on', NULL, NULL, NULL, 1, 1, 0",
    );
    writer.close();
    const [first] = await sessions("restore", state());
    expect(first).toMatchObject({ id: "s1", turns: 2, tokens: { input: 0, output: 5 } });
  });

  test("snapshots, pretty-printed or on one line", async () => {
    const fixture = "test/fixtures/transcripts/hermes/session_20260415_080000_9f8e7d.json";
    const flat = join(home, "flat.json");
    writeFileSync(flat, JSON.stringify(JSON.parse(readFileSync(fixture, "utf8"))));
    for (const path of [fixture, flat]) {
      const [report] = await sessions("restore", path);
      expect(report).toMatchObject({ id: "20260415_080000_9f8e7d", turns: 1, calls: { total: 2, failed: 1 } });
      expect(report && textsOf(report)).toEqual(["Look at the helper", "Rename it", "Run the tests"]);
    }
  });

  test("a session's own lines, and exported ones", async () => {
    const of = (name: string) => join("test/fixtures/transcripts/hermes", name);
    const reports = await sessions("restore", of("sessions-export.jsonl"), of("20260301_091500_a1b2c3.jsonl"));
    expect(reports.map(({ id }) => id)).toEqual([
      "20260901_120000_111111",
      "20260901_121531_222222",
      "20260831_120000_333333",
      "20260301_091500_a1b2c3",
    ]);
  });
});

test("an export says the same of a compaction into a new session as the database", async () => {
  const ended = { end_reason: "compression", ended_at: START + 60 };
  const writer = await makeHermesDatabase(state());
  writer.session("s1", ended);
  writer.wrote("s1", "c1", ["Rotated"]);
  writer.session("agent", { parent_session_id: "s1", started_at: START + 5 });
  writer.message("agent", "user", { content: "Look around" });
  writer.session("s2", { parent_session_id: "s1", started_at: START + 60 });
  writer.message("s2", "user", { content: "Go on" });
  const rowsOf = (sql: string) => writer.database.prepare(sql).all();
  const lines = rowsOf("SELECT * FROM sessions ORDER BY started_at DESC").map((session) => {
    const messages = rowsOf(`SELECT * FROM messages WHERE session_id = '${session.id}' ORDER BY id`);
    const decoded = messages.map((row) => ({ ...row, tool_calls: JSON.parse(String(row.tool_calls ?? "[]")) }));
    return JSON.stringify({ ...session, messages: decoded });
  });
  writer.close();
  writeFileSync(join(home, "export.jsonl"), `${lines.join("\n")}\n`);
  const told = async (path: string) =>
    (await sessions("restore", path)).map((one) => [one.id, one.parent, one.resume, textsOf(one)]).sort();
  const exported = await told(join(home, "export.jsonl"));
  expect(exported).toEqual([
    ["agent", "s1", null, []],
    ["s1", null, "hermes --resume s1", ["Rotated"]],
    ["s2", null, "hermes --resume s2", ["Rotated"]],
  ]);
  expect(exported).toEqual(await told(state()));
});

describe("a database that is not ours", () => {
  test("is left exactly as it was, with nothing beside it", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    const before = readFileSync(state());
    await sessions("restore", state());
    await sessions("sessions");
    expect(readdirSync(hermes)).toEqual(["state.db"]);
    expect(readFileSync(state()).equals(before)).toBe(true);
  });

  test("that somebody is writing is read, and they go on writing", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.database.exec("BEGIN IMMEDIATE");
    writer.wrote("s1", "c9", ["Not committed"]);
    expect(brief(await sessions("restore", state()))).toContain("s1: Lexer, Parser");
    writer.database.exec("COMMIT");
    expect(brief(await sessions("restore", state()))).toContain("s1: Not committed");
    // No lock of ours is left: the whole journal can be put away.
    expect(writer.database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
    writer.close();
  });

  test("can be tidied up by its own program, whoever has looked at it", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", WRITER, state()], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect(readdirSync(hermes).sort()).toEqual(["state.db", "state.db-shm", "state.db-wal"]);
    expect(brief(await sessions("restore", state()))).toEqual(["s1: "]);
    expect(brief(await sessions("sessions"))).toEqual(["s1: "]);
    child.stdin.end();
    await once(child, "exit");
    expect(readdirSync(hermes)).toEqual(["state.db"]);
  });

  test("whose writer was killed is read from a copy", async () => {
    const writer = await makeHermesDatabase(join(home, "writing", "state.db"));
    fill(writer);
    const left = join(home, "left");
    mkdirSync(left);
    for (const name of ["state.db", "state.db-wal"]) copyFileSync(join(home, "writing", name), join(left, name));
    writer.close();
    expect(brief(await sessions("restore", join(left, "state.db")))).toContain("s1: Lexer, Parser");
    expect(readdirSync(left).sort()).toEqual(["state.db", "state.db-wal"]);
  });

  test("whose writer was killed in the middle of a change is read as it was before", async () => {
    const writer = await makeHermesDatabase(join(home, "writing", "state.db"), { journal: "delete" });
    fill(writer);
    // Half of the change is in the file already, the way back in the journal.
    writer.database.exec("PRAGMA cache_size = 1");
    writer.database.exec("BEGIN");
    writer.database.exec("UPDATE sessions SET title = 'Half written'");
    for (let at = 0; at < 50; at += 1) writer.message("s1", "user", { content: "x".repeat(5000) });
    const names = ["state.db", "state.db-journal"];
    for (const name of names) copyFileSync(join(home, "writing", name), join(hermes, name));
    writer.database.exec("ROLLBACK");
    writer.database.close();
    const before = names.map((name) => readFileSync(join(hermes, name)));
    expect((await sessions("sessions", "s1"))[0]).toMatchObject({ title: "Parser", turns: 1 });
    expect(readdirSync(hermes)).toEqual(names);
    expect(names.map((name) => readFileSync(join(hermes, name)))).toEqual(before);
  });

  test("and is opened and closed all the time is never called broken", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", VISITOR, state()], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    for (let reads = 0; reads < 25; reads += 1) expect(brief(await sessions("restore", state()))).toEqual(["s1: "]);
    child.stdin.end();
    await once(child, "exit");
    expect(readdirSync(hermes)).toEqual(["state.db"]);
  }, 20_000);

  const TROUBLES: readonly (readonly [string, () => void])[] = [
    ["a folder in the place of its journal", () => mkdirSync(`${state()}-wal`)],
    ["a journal that is not for us", () => writeFileSync(`${state()}-wal`, "x", { mode: 0o000 })],
    ["a file that is not for us", () => chmodSync(state(), 0o000)],
    ["no folder for a copy", () => writeFileSync(`${state()}-wal`, "x")],
  ];
  // Whoever may do everything is refused nothing.
  const isRoot = process.getuid?.() === 0;
  test.each(TROUBLES)("and has %s hides nobody else's", async (what, spoil) => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    mkdirSync(join(hermes, "sessions"));
    const line = { role: "user", content: "Hello", timestamp: Date.now() / 1000 };
    writeFileSync(join(hermes, "sessions", "other.jsonl"), `${JSON.stringify(line)}\n`);
    spoil();
    const before = process.env.TMPDIR;
    if (what.startsWith("no folder")) process.env.TMPDIR = join(home, "nowhere");
    const { exit, out, err } = await run(["sessions", "--json"]);
    const restored = await run(["restore", state()]);
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    expect([exit, JSON.parse(out).sessions.map(({ id }: SessionReport) => id)]).toEqual([
      0,
      expect.arrayContaining(["other"]),
    ]);
    if (isRoot && what.endsWith("not for us")) return;
    expect(err).toContain(`${state()} cannot be read. Nothing was changed.`);
    expect(restored).toMatchObject({ exit: 3, err: expect.stringContaining(state()) });
  });

  test("and is broken is named", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    const bytes = readFileSync(state());
    bytes.fill(0xff, 100, 3000);
    writeFileSync(state(), bytes);
    const { exit, err } = await run(["restore", state()]);
    expect([exit, err]).toEqual([3, expect.stringContaining(`${state()} cannot be read. Nothing was changed.`)]);
    const looked = await run(["sessions"]);
    expect(looked).toMatchObject({ exit: 0, err: expect.stringContaining(state()) });
  });

  test.each(["CREATE TABLE sessions (id TEXT)", "CREATE TABLE other (x)", "CREATE VIEW sessions AS SELECT 1 AS id"])(
    "nor Hermes': %s",
    async (table) => {
      const path = join(home, "other.db");
      const { database } = await makeHermesDatabase(join(home, "x", "made.db"));
      database.exec(`VACUUM INTO '${path}'`);
      database.close();
      const other = (await import("../src/store/sqlite/library.js")).loadSqlite();
      const opened = (await other)(path, {});
      for (const name of ["sessions", "messages"]) opened.exec(`DROP TABLE ${name}`);
      opened.exec(table);
      opened.close();
      expect(await run(["restore", path])).toMatchObject({ exit: 1, err: expect.stringContaining(path) });
    },
  );

  test("an empty file, a folder and a pipe of that name are no crash", async () => {
    writeFileSync(state(), "");
    expect(await run(["sessions"])).toMatchObject({ exit: 0 });
    rmSync(state());
    mkdirSync(state());
    expect(await run(["sessions"])).toMatchObject({ exit: 0 });
  });
});

describe("sessions", () => {
  test("are found in the home of Hermes, wherever it is", async () => {
    const elsewhere = join(home, "elsewhere");
    const writer = await makeHermesDatabase(join(elsewhere, "state.db"));
    fill(writer);
    writer.close();
    mkdirSync(join(elsewhere, "sessions"));
    cpSync("test/fixtures/transcripts/hermes", join(elsewhere, "sessions"), { recursive: true });
    writeFileSync(join(elsewhere, "sessions", "sessions.json"), "{}");
    mkdirSync(join(elsewhere, "skills"));
    writeFileSync(join(elsewhere, "skills", "mine.jsonl"), '{"role":"session_meta"}\n');
    const { out } = await run(["sessions", "--json"], { environment: { HERMES_HOME: elsewhere } });
    const ids = JSON.parse(out).sessions.map(({ id }: SessionReport) => id);
    expect(ids.sort()).toEqual([
      "20251229_092000_d4e5f6",
      "20260301_091500_a1b2c3",
      "20260415_080000_9f8e7d",
      "20260831_120000_333333",
      "20260901_120000_111111",
      "20260901_121531_222222",
      "s1",
      "s2",
    ]);
  });

  test("are found behind a link to a file of another name, and while it is written", async () => {
    const elsewhere = join(home, "elsewhere", "hermes.sqlite");
    const writer = await makeHermesDatabase(elsewhere);
    fill(writer);
    symlinkSync(elsewhere, state());
    expect(brief(await sessions("sessions", "s1"))).toEqual(["s1: Lexer, Parser", "s2: "]);
    writer.close();
    expect(brief(await sessions("sessions", "s1"))).toEqual(["s1: Lexer, Parser", "s2: "]);
  });

  test("of long ago have ended, although their file has grown", async () => {
    const writer = await makeHermesDatabase(state());
    writer.session("old");
    writer.message("old", "user", { content: "Go", timestamp: 1_700_000_000 });
    writer.session("new");
    writer.message("new", "user", { content: "Go", timestamp: Date.now() / 1000 });
    writer.close();
    const states = (await sessions("sessions")).map(({ id, state: word }) => [id, word]);
    expect(states).toEqual([
      ["new", "running"],
      ["old", "ended"],
    ]);
  });

  test("one of them is found by its id", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    expect(brief(await sessions("sessions", "s1"))).toEqual(["s1: Lexer, Parser", "s2: "]);
  });

  test("of others are still looked for when a database holds more than are asked for", async () => {
    const writer = await makeHermesDatabase(state());
    for (let at = 0; at < 30; at += 1) {
      writer.session(`h${at}`);
      writer.message(`h${at}`, "user", { content: "Go" });
    }
    writer.close();
    mkdirSync(join(hermes, "sessions"));
    const line = { role: "user", content: "Newest", timestamp: Date.now() / 1000 };
    writeFileSync(join(hermes, "sessions", "fresh.jsonl"), `${JSON.stringify(line)}\n`);
    const [first, ...others] = await sessions("sessions", "--limit", "5");
    expect(first?.id).toBe("fresh");
    expect(others.map(({ id }) => id)).toEqual(["h29", "h28", "h27", "h26"]);
  });

  test("nothing of them is kept in the store", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer);
    writer.close();
    await sessions("sessions");
    for (const name of readdirSync(join(home, "milepost")))
      expect(readFileSync(join(home, "milepost", name)).includes("Lexer")).toBe(false);
  });
});

test("watch follows a database that grows", async () => {
  const writer = await makeHermesDatabase(state());
  fill(writer);
  const stop = new AbortController();
  let seen = "";
  const watching = run(["watch", "--follow"], { signal: stop.signal, written: (text) => (seen += text) });
  const until = async (text: string) => {
    for (let tries = 0; tries < 100 && !seen.includes(text); tries += 1) await sleep(50);
    expect(seen).toContain(text);
  };
  // Nobody says when it has read what was there before: only what comes after that is news.
  for (let tries = 0; tries < 100 && !seen.includes("Probe"); tries += 1) {
    writer.wrote("s1", `p${tries}`, [`Probe ${tries}`]);
    await sleep(100);
  }
  writer.wrote("s1", "c2", ["Printer"]);
  await until('Todo "Printer": new -> in_progress');
  expect(seen).toMatch(/Todo "Probe \d+": in_progress -> removed/);
  stop.abort();
  await watching;
  writer.close();
}, 20_000);
