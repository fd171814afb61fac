import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { answerHook } from "../src/app/hooks/answer-hook.js";
import { readHookInput } from "../src/app/hooks/hook-input.js";
import { DEFAULT_SETTINGS } from "../src/app/settings.js";
import { LISTS, PROJECTIONS } from "../src/app/views.js";
import { type TodoList, todosOf } from "../src/core/todo/list.js";
import { LARGEST_VALUE } from "../src/core/value-limits.js";
import { DIALECTS, TASK_DIALECTS } from "../src/dialects/registry.js";
import { openStore } from "../src/store/open.js";
import type { Store } from "../src/store/store.js";
import { olderStore } from "./older-store.js";
import { runOn } from "./run-on.js";

// 64 levels, 256 KiB a value: the same at every entrance, before anything is stored.

const folder = mkdtempSync(join(tmpdir(), "milepost-limits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const freshHome = () => {
  const home = join(folder, `${++made}`);
  mkdirSync(home);
  return home;
};

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const long = (bytes: number) => "x".repeat(bytes);
const MIB = 1024 * 1024;
/** One line with a code, and no trace of where it was found out. */
const lineWith = (code: string) => new RegExp(`^milepost: [^\\n]+ \\[${code}\\]\\n$`);

const open = (path: string) => openStore(path, { projections: PROJECTIONS });
const fileOf = (home: string) => join(home, "milepost", "milepost.db");

/** Doctor finds nothing, and a new store takes the export and has the same. */
async function expectWhole(home: string): Promise<void> {
  const file = join(home, `export-${++made}.jsonl`);
  expect(await runOn(home, ["export", file])).toMatchObject({ exit: 0, err: "" });
  const [copy, backup] = [join(home, `copy-${made}.db`), join(home, `backup-${made}.db`)];
  expect(await runOn(home, ["import", file, "--store", copy])).toMatchObject({ exit: 0, err: "" });
  expect((await runOn(home, ["import", file, "--store", copy])).out).toMatch(/^Imported 0 events/);
  expect(await runOn(home, ["backup", backup])).toMatchObject({ exit: 0, err: "" });
  for (const path of [fileOf(home), copy, backup]) {
    const store = await open(path);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  }
  const again = join(home, `again-${made}.jsonl`);
  await runOn(home, ["export", again, "--store", copy]);
  expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"));
}

describe("the command line", () => {
  test.each([
    ["64 levels", deep(64), undefined],
    ["65", deep(65), "too-deep"],
    ["500", deep(500), "too-deep"],
    ["3,000", deep(3000), "too-deep"],
    ["5,000", deep(5000), "too-deep"],
    ["100,000", deep(100_000), "too-deep"],
    ["300 KiB", JSON.stringify({ a: long(300 * 1024) }), "text-too-long"],
  ])("metadata of %s", async (_, metadata, code) => {
    const home = freshHome();
    await runOn(home, ["task", "add", "first", "--list", "l"]);
    for (const words of [
      ["task", "add", "x"],
      ["task", "edit", "1"],
    ]) {
      const ran = await runOn(home, [...words, "--list", "l", "--metadata", metadata]);
      expect(ran).toMatchObject(code ? { exit: 1, err: expect.stringMatching(lineWith(code)) } : { exit: 0, err: "" });
    }
    await expectWhole(home);
  });

  test("metadata does not grow beyond it by many changes", async () => {
    const home = freshHome();
    await runOn(home, ["task", "add", "x", "--list", "l"]);
    const exits: number[] = [];
    for (let key = 0; key < 20; key += 1) {
      const metadata = JSON.stringify({ [`k${key}`]: long(15_900) });
      exits.push((await runOn(home, ["task", "edit", "1", "--list", "l", "--metadata", metadata])).exit);
    }
    expect([exits.slice(0, 16), exits.slice(16)]).toEqual([Array(16).fill(0), Array(4).fill(1)]);
  });

  test.each([deep(65), deep(100_000), JSON.stringify(long(LARGEST_VALUE))])("a payload, case %#", async (payload) => {
    const home = freshHome();
    await runOn(home, ["task", "add", "x", "--list", "l"]);
    await runOn(home, ["task", "claim", "1", "--list", "l"]);
    expect(await runOn(home, ["task", "wait", "1", "--list", "l", "--topic", "t"])).toMatchObject({ exit: 0 });
    const ran = await runOn(home, ["task", "signal", "t", "--list", "l", "--payload", payload]);
    expect(ran).toMatchObject({ exit: 2, err: expect.stringMatching(lineWith("bad-usage")) });
    const fits = await runOn(home, ["task", "signal", "t", "--list", "l", "--payload", deep(64)]);
    expect(fits).toMatchObject({ exit: 0, out: "#1 x: awake.\n" });
    await expectWhole(home);
  });
});

describe("tool calls", () => {
  const callAll = async (home: string, dialect: string, tool: string, inputs: readonly string[]) => {
    const lines = inputs.map((input) => `{"tool":"${tool}","session":"s1","input":${input}}`);
    const words = ["call", "--dialect", dialect, "--list", "l", "--key", `k${++made}`];
    const { out } = await runOn(home, words, { input: lines.join("\n") });
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const call = async (home: string, dialect: string, tool: string, input: string) =>
    (await callAll(home, dialect, tool, [input]))[0];
  const TOOLS = [...DIALECTS, ...TASK_DIALECTS].flatMap(({ name, tools }) => tools.map((tool) => ({ name, tool })));
  const FITTING: Readonly<Record<string, string>> = {
    TodoWrite: '"todos":[{"content":"a","status":"pending","activeForm":"b"}]',
    update_plan: '"plan":[{"step":"a","status":"pending"}]',
    TaskCreate: '"subject":"a","description":"b"',
    TaskUpdate: '"taskId":"1"',
    taskflow: '"action":"start","controller_id":"c","goal":"g"',
  };

  test.each(TOOLS)(
    "$name $tool.name: any field too deep or too long, and the store is whole",
    async ({ name, tool }) => {
      const home = freshHome();
      const { properties = {} } = tool.inputSchema as { readonly properties?: Readonly<Record<string, unknown>> };
      const fitting = FITTING[tool.name];
      const [first] = Object.keys(properties);
      const inputs = Object.keys(properties).flatMap((field) =>
        [deep(field === first ? 100_000 : 65), JSON.stringify(long(300 * 1024))].map(
          (value) => `{${[...(fitting ? [fitting] : []), `"${field}":${value}`].join(",")}}`,
        ),
      );
      const answers = inputs.length === 0 ? [] : await callAll(home, name, tool.name, inputs);
      expect(answers).toHaveLength(inputs.length);
      for (const { text } of answers) expect(text).not.toMatch(/internal error|RangeError/);
      if (made % 8 === 0) await expectWhole(home);
      const store = await open(fileOf(home));
      for (const event of await eventsOf(store)) expect(JSON.stringify(event).length).toBeLessThan(2 * LARGEST_VALUE);
      await store.close();
    },
  );

  test.each([
    ["claude", "TodoWrite", `{"todos":[{"content":"${long(300 * 1024)}","status":"pending","activeForm":"b"}]}`],
    ["codex", "update_plan", `{"plan":[{"step":"${long(300 * 1024)}","status":"pending"}]}`],
    ["claude-tasks", "TaskCreate", `{"subject":"a","description":"${long(300 * 1024)}"}`],
    ["claude-tasks", "TaskCreate", `{"subject":"a","description":"b","metadata":${deep(65)}}`],
    ["nexo-taskflow", "taskflow", `{"action":"start","controller_id":"c","goal":"g","state":${deep(80)}}`],
  ])("%s %s refuses what it would have to store", async (dialect, tool, input) => {
    const home = freshHome();
    expect(await call(home, dialect, tool, input)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/larger than 256 KiB|deeper than 64 levels/),
    });
  });

  test("what is within the limit is taken as ever", async () => {
    const home = freshHome();
    const todos = Array.from({ length: 100 }, (_, at) => ({
      content: `${at} ${long(4000)}`,
      status: "pending",
      activeForm: "b",
    }));
    const answer = await call(home, "claude", "TodoWrite", JSON.stringify({ todos }));
    expect(answer.isError).toBe(false);
    const metadata = `{"subject":"a","description":"b","metadata":${deep(64)}}`;
    expect((await call(home, "claude-tasks", "TaskCreate", metadata)).isError).toBe(false);
    await expectWhole(home);
  });
});

async function eventsOf(store: Store) {
  const found = [];
  const pages = await store.read();
  if (pages.ok) for await (const page of pages.value) found.push(...page.events);
  return found;
}

async function hook(store: Store, tool: string, input: string, call: string): Promise<string> {
  const text = `{"session_id":"s1","hook_event_name":"PostToolUse","cwd":"/w","tool_name":"${tool}","tool_use_id":"${call}","tool_input":${input}}`;
  const read = readHookInput(text, "m:7");
  if (!read.ok) throw new Error(read.error);
  const answer = await answerHook(store, read.value, DEFAULT_SETTINGS);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

describe("hooks: the client has taken the call, so nothing is refused", () => {
  test.each([500, 5000, 100_000])("a TaskCreate with metadata %i deep keeps its subject and a mark", async (levels) => {
    const home = freshHome();
    const store = await open(fileOf(home));
    await hook(store, "TaskCreate", `{"subject":"Fix","description":"it","metadata":${deep(levels)}}`, "c1");
    const ended = (await eventsOf(store)).find(({ type }) => type === "call.ended");
    expect(ended?.data.input).toMatchObject({ subject: "Fix", description: "it" });
    expect(JSON.stringify(ended?.data.input)).toContain("[left out by Milepost: nested deeper than 64 levels]");
    await store.close();
    await expectWhole(home);
  });

  test("a long description is cut, and says so", async () => {
    const store = await open("memory:");
    await hook(store, "TaskCreate", `{"subject":"Fix","description":"${long(2 * MIB)}"}`, "c1");
    const ended = (await eventsOf(store)).find(({ type }) => type === "call.ended");
    expect(JSON.stringify(ended?.data.input)).toMatch(/^\{"subject":"Fix","description":"x+ \[cut by Milepost\]"\}$/);
    expect(JSON.stringify(ended?.data).length).toBeLessThan(LARGEST_VALUE);
  });

  const write = (count: number, length: number, status = "pending") =>
    JSON.stringify({
      todos: Array.from({ length: count }, (_, at) => ({
        content: `${at} ${long(length)}`,
        status: at === 0 ? "in_progress" : status,
        activeForm: "Doing",
      })),
    });

  test.each([
    ["one todo of 14 MB", write(1, 14 * MIB), /^0 x{1000,} \[cut by Milepost\]$/],
    ["a hundred of 140 KB", write(100, 140_000), /^0 x{1000,} \[cut by Milepost\]$/],
    ["fifty thousand of 280", write(50_000, 280), /^0 x{100,} \[cut by Milepost\]$/],
  ])("%s: what is kept is bounded, and the next hooks read no more than that", async (_, input, first) => {
    const home = freshHome();
    const store = await open(fileOf(home));
    await hook(store, "TodoWrite", input, "c1");
    const list = await store.view(LISTS, "session:s1");
    expect(JSON.stringify(list).length).toBeLessThan(2 * LARGEST_VALUE);
    expect(todosOf(list)[0]).toMatchObject({ text: expect.stringMatching(first), status: "in_progress" });
    expect(JSON.stringify(list)).toMatch(/\[(?:cut|left out) by Milepost/);
    const events = await eventsOf(store);
    expect(JSON.stringify(events).length).toBeLessThan(4 * LARGEST_VALUE);
    await hook(store, "TodoWrite", write(3, 5), "c2");
    expect(todosOf(await store.view(LISTS, "session:s1"))).toHaveLength(3);
    await store.close();
  });

  test("the todo that stands for the others is open as long as one of them is", async () => {
    for (const status of ["pending", "completed"]) {
      const store = await open("memory:");
      await hook(store, "TodoWrite", write(3000, 250, status), "c1");
      const last = todosOf(await store.view(LISTS, "session:s1")).at(-1);
      expect(last).toMatchObject({ text: expect.stringMatching(/^\[left out by Milepost: \d+ todos\]$/), status });
    }
  });

  test("a plan of Codex, with an explanation as long", async () => {
    const store = await open("memory:");
    const plan = Array.from({ length: 9 }, () => ({ step: long(MIB), status: "pending" }));
    await hook(store, "update_plan", JSON.stringify({ explanation: long(MIB), plan }), "c1");
    const list: TodoList = await store.view(LISTS, "session:s1");
    expect(todosOf(list)).toHaveLength(9);
    expect(list.explanation).toMatch(/\[cut by Milepost\]$/);
  });
});

describe("what older versions stored", () => {
  const texts = { short: "Fix", long: long(MIB) };

  test("too deep or too long: everything reads it, doctor finds no damage, and its export is taken", async () => {
    const home = freshHome();
    await runOn(home, ["task", "add", "Fix", "--list", "l", "--metadata", '{"k":1}']);
    await olderStore(fileOf(home), "task:l/1", ({ metadata: _, ...task }) => ({
      ...task,
      description: texts.long,
      metadata: JSON.parse(deep(3000)),
    }));
    const store = await open(fileOf(home));
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
    for (const words of [["list"], ["show", "1"], ["export"], ["export", "--format", "beads"], ["history", "1"]])
      expect(await runOn(home, ["task", ...words, "--list", "l"])).toMatchObject({ exit: 0 });
    expect((await runOn(home, ["task", "show", "1", "--list", "l", "--json"])).out).toContain("[left out by Milepost");
    const file = join(home, "export.jsonl");
    expect(await runOn(home, ["export", file])).toMatchObject({ exit: 0 });
    // Back into the store it came from, and into a new one; both as often as one likes.
    expect((await runOn(home, ["import", file])).out).toMatch(/^Imported 0 events/);
    const copy = join(home, "copy.db");
    const imported = await runOn(home, ["import", file, "--store", copy]);
    expect(imported).toMatchObject({ exit: 0, out: expect.stringContaining("In 1 record, what is too deep") });
    expect((await runOn(home, ["import", file, "--store", copy])).out).toMatch(/^Imported 0 events/);
    expect((await runOn(home, ["task", "show", "1", "--list", "l", "--store", copy])).out).toContain("Fix");
  });

  test.each([500, 100_000])("an export with %i levels is taken, and what it makes can be exported", async (levels) => {
    const home = freshHome();
    const file = join(home, "old.jsonl");
    const data = `{"tool":"TaskCreate","status":"completed","input":{"subject":"Fix","metadata":${deep(levels)}}}`;
    const lines = [
      '{"milepost":"export","format":1}',
      `{"stream":"calls:s1","version":1,"type":"call.ended","at":1,"data":${data}}`,
      '{"milepost":"end","events":1}',
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    for (const words of [["--dry-run"], []])
      expect(await runOn(home, ["import", file, ...words])).toMatchObject({ exit: 0, err: "" });
    expect((await runOn(home, ["events"])).out).toContain('"subject":"Fix"');
    await expectWhole(home);
  });

  test("a list that grew without limits is cut down by the next hook, once", async () => {
    const store = await open("memory:");
    const record = { stream: "session:s1", at: 1 };
    const added = Array.from({ length: 3000 }, (_, at) => ({
      ...record,
      version: at + 2,
      type: "todo.added",
      data: { revision: 1, number: at + 1, phase: 0, text: `${at} ${long(1500)}`, status: "pending" },
    }));
    await store.take([{ ...record, version: 1, type: "phase.opened", data: { revision: 1, name: "" } }, ...added]);
    expect(todosOf(await store.view(LISTS, "session:s1"))).toHaveLength(3000);
    await hook(store, "Bash", '{"command":"ls"}', "c1");
    const list = await store.view(LISTS, "session:s1");
    expect(JSON.stringify(list).length).toBeLessThan(2 * LARGEST_VALUE);
    expect(list.explanation).toMatch(/left out by Milepost: 2000 todos/);
    const { length } = await eventsOf(store);
    await hook(store, "Bash", '{"command":"ls"}', "c2");
    expect((await eventsOf(store)).length - length).toBeLessThan(5);
  });
});

describe("task files", () => {
  const metadata = (value: string) => `"metadata":{"kept":1,"odd":${value}}`;
  const FILES = {
    json: (value: string) => `{"tasks":[{"id":"1","subject":"Fix",${metadata(value)}}]}`,
    beads: (value: string) => `{"id":"b-1","title":"Fix","issue_type":"task","status":"open",${metadata(value)}}`,
    "task-master": (value: string) =>
      `{"master":{"tasks":[{"id":1,"title":"Fix","status":"pending",${metadata(value)}}]}}`,
  };
  const CASES = Object.entries(FILES).flatMap(([format, file]) =>
    [deep(65), deep(20_000), JSON.stringify(long(MIB))].map((value) => ({ format, text: file(value) })),
  );

  test.each(CASES)("$format, case %#: the task is taken, and what was left out is told", async ({ format, text }) => {
    const home = freshHome();
    const path = join(home, format === "beads" ? "issues.jsonl" : "tasks.json");
    writeFileSync(path, text);
    const words = ["task", "import", path, "--format", format, "--list", "l"];
    expect(await runOn(home, words)).toMatchObject({
      exit: 1,
      out: expect.stringContaining("Added 1, changed 0"),
      err: expect.stringMatching(lineWith("not-all-imported")),
    });
    expect((await runOn(home, words)).out).toContain("Added 0, changed 0, 1 unchanged");
    const shown = JSON.parse((await runOn(home, ["task", "show", "1", "--list", "l", "--json"])).out);
    expect(shown.task).toMatchObject({ subject: "Fix", metadata: { kept: 1 } });
    await expectWhole(home);
  });
});
