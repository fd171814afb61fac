import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Attachment } from "../src/app/transcripts/attachment.js";
import { type HermesDatabase, makeHermesDatabase } from "./hermes-database.js";
import { type Around, runOn } from "./run-on.js";

// Sessions that somebody asks for by an id that no file is called after: real databases and files, the real commands.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-asked-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
let hermes = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  hermes = join(home, ".hermes");
  mkdirSync(hermes, { recursive: true });
});

const run = (line: string, around?: Around) => runOn(home, line.split(" "), around);

const state = () => join(hermes, "state.db");

async function ids(line: string): Promise<readonly string[]> {
  const { out } = await run(`${line} --json`);
  return JSON.parse(out).sessions.map(({ id }: { readonly id: string }) => id);
}

/** An old session with a sub-agent, and so many newer ones. */
function fill(writer: HermesDatabase, newer: number): void {
  writer.database.exec("BEGIN");
  writer.session("old-1");
  writer.wrote("old-1", "c1", ["Lexer"]);
  writer.session("helper-2", { parent_session_id: "old-1", source: "subagent" });
  writer.wrote("helper-2", "c1", ["Look around"]);
  for (let at = 0; at < newer; at += 1) {
    writer.session(`n${at}`);
    writer.message(`n${at}`, "user", { content: "Go" });
  }
  writer.database.exec("COMMIT");
}

async function database(newer: number): Promise<void> {
  const writer = await makeHermesDatabase(state());
  fill(writer, newer);
  writer.close();
}

/** A session of oh-my-pi's with a sub-agent, which has an id of its own and is called after its work. */
function pi(): void {
  const phases = [{ name: "Docs", tasks: [{ content: "Describe it", status: "in_progress" }] }];
  const place = join(home, ".omp", "agent", "sessions", "--app--", "2026-01-02T03-04-05-000Z_o1-x");
  for (const [path, id] of [
    [`${place}.jsonl`, "o1-x"],
    [join(place, "0-Look.jsonl"), "agent-9f"],
  ] as const) {
    const records = [
      { type: "session", version: 3, id, timestamp: "2026-01-02T03:04:05.000Z", cwd: "/app" },
      { type: "custom", id: "3", parentId: null, customType: "user_todo_edit", data: { phases } },
    ];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
}

describe("a session that is only read", () => {
  const MANY = 230;

  test.each([
    ["of Hermes", 0, "old-1", "old-1"],
    ["of Hermes, older than those that are looked at", MANY, "old-1", "old-1"],
    ["of a sub-agent of Hermes", 0, "helper-2", "old-1/helper-2"],
    ["of an old sub-agent of Hermes", MANY, "helper-2", "old-1/helper-2"],
    ["of oh-my-pi", 0, "o1-x", "o1-x"],
    ["of a sub-agent of oh-my-pi", 0, "agent-9f", "o1-x/agent-9f"],
  ])("%s is found by its id, and not changed", async (_, newer, id, name) => {
    await database(newer);
    pi();
    expect(await run(`todo --session ${id} add x`)).toMatchObject({
      exit: 1,
      out: "",
      err: expect.stringMatching(new RegExp(`^milepost: Session ${name} is only read.*\\[only-read\\]\\n$`)),
    });
    expect((await run(`digest --session ${id}`)).out).toMatch(/Lexer|Look around|Describe it/);
    expect(await ids(`sessions ${id}`)).toContain(id);
    expect(await ids(`sessions ${id.slice(0, -1)}`)).toContain(id);
    expect((await run("events")).out).toBe("");
  });

  test("a sub-agent is named in its session, too", async () => {
    await database(0);
    expect((await run("todo --session old-1 --agent helper-2 add x")).err).toContain("[only-read]");
    expect((await run("digest --session old-1 --agent helper-2")).out).toContain("Look around");
  });

  test("a sub-agent that is asked for stands alone, a session with its own", async () => {
    await database(0);
    pi();
    expect(await ids("sessions helper")).toEqual(["helper-2"]);
    expect(await ids("sessions old-1")).toEqual(["old-1", "helper-2"]);
    expect(await ids("sessions agent-9f")).toEqual(["agent-9f"]);
  });

  test("--all shows all of a database", async () => {
    await database(MANY);
    expect(await ids("sessions --all")).toHaveLength(MANY + 2);
    expect(await ids("sessions --all")).toContain("old-1");
  });
});

describe("a session that nobody knows", () => {
  test("gets no list", async () => {
    await database(0);
    for (const words of ["add x", "import list.md", "list"])
      expect(await run(`todo --session nobody ${words}`)).toMatchObject({
        exit: 2,
        out: "",
        err: "milepost: No session is called nobody. All sessions: milepost sessions --all [unknown-session]\n",
      });
    expect(await run("todo --session old-1 --agent nobody add x")).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^milepost: Session old-1 has no sub-agent called nobody\..*\[unknown-agent\]\n$/),
    });
    expect((await run("events")).out).toBe("");
  });

  test("because its database cannot be read gets none either; one that reports to us is changed", async () => {
    writeFileSync(state(), `SQLite format 3\0${"\xff".repeat(4000)}`);
    const refused = await run("todo --session old-1 add x");
    expect(refused).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("[unknown-session]") });
    expect(refused.err).toContain(`${state()} cannot be read`);
    expect((await run("digest --session old-1")).err).toContain(state());
    await run("call --session mine", { input: JSON.stringify({ tool: "todo", input: { add: ["a b"] } }) });
    await run("todo --session mine rm");
    expect(await run("todo --session mine add x")).toMatchObject({ exit: 0, err: "" });
    expect(await run("todo --session mine --agent helper add x")).toMatchObject({ exit: 2 });
  });
});

describe("watch --follow beside a database", () => {
  async function follow(during: (until: (text: string) => Promise<void>) => Promise<void>): Promise<string> {
    const stop = new AbortController();
    let seen = "";
    const watching = run("watch --follow", { signal: stop.signal, written: (text) => (seen += text) });
    await sleep(300);
    await during(async (text) => {
      for (let tries = 0; tries < 100 && !seen.includes(text); tries += 1) await sleep(50);
      expect(seen).toContain(text);
    });
    stop.abort();
    await watching;
    return seen;
  }

  test.each([0, 230])(
    "a new session is told of, an old one that goes on is not new (%i newer)",
    async (newer) => {
      const writer = await makeHermesDatabase(state());
      fill(writer, newer);
      const seen = await follow(async (until) => {
        writer.message("old-1", "user", { content: "Go on" });
        writer.session("fresh", { title: "Brand new" });
        writer.wrote("fresh", "c1", ["First"]);
        await until('Todo "First": new -> in_progress');
      });
      writer.close();
      expect(seen).toContain('Session "Brand new": new -> ');
      expect(seen).not.toMatch(/old-1|Lexer|helper-2/);
    },
    20_000,
  );

  test("whose a session is changes with the end of its parent", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer, 0);
    const attachment = new Attachment({ folders: () => [state()] });
    const parents = async () => {
      for (const path of attachment.scan()) await attachment.read(path);
      return attachment
        .sessions()
        .map(({ view }) => `${view.id} ${view.parent}`)
        .sort();
    };
    expect(await parents()).toEqual(["helper-2 old-1", "old-1 null"]);
    writer.database.exec("UPDATE sessions SET end_reason = 'branched' WHERE id = 'old-1'");
    expect(await parents()).toEqual(["helper-2 null", "old-1 null"]);
    writer.close();
  });

  test("a session with more sub-agents than sessions are looked at is there", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer, 0);
    for (let at = 0; at < 230; at += 1) {
      writer.session(`h${at}`, { parent_session_id: "old-1", source: "subagent" });
      writer.message(`h${at}`, "user", { content: "Go" });
    }
    writer.close();
    expect(await ids("sessions --limit 1")).toContain("old-1");
  });

  test("what else lies there is not read", async () => {
    const writer = await makeHermesDatabase(state());
    fill(writer, 0);
    const line = { role: "user", content: "Secret", timestamp: Date.now() / 1000 };
    const seen = await follow(async (until) => {
      writeFileSync(join(hermes, "notes.jsonl"), `${JSON.stringify(line)}\n`);
      const snapshot = { session_id: "x9", session_start: "2026-09-01T12:00:00", messages: [line] };
      writeFileSync(join(hermes, "session_x9.json"), JSON.stringify(snapshot));
      await sleep(200);
      writer.wrote("old-1", "c2", ["Printer"]);
      await until('Todo "Printer": new -> in_progress');
    });
    writer.close();
    expect(seen).not.toMatch(/Secret|x9|notes/);
  }, 20_000);
});
