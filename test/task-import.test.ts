import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PortableTask, travelling } from "../src/task-files/portable-task.js";
import type { TaskFile, TaskFormat } from "../src/task-files/task-format.js";
import { TASK_FORMATS } from "../src/task-files/task-formats.js";
import { runOn } from "./run-on.js";
import { sized } from "./sizes.js";

let home = "";
let count = 0;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "milepost-import-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function run(...words: string[]) {
  return runOn(home, words);
}

async function json(...words: string[]) {
  const { out, err } = await run(...words, "--json");
  return out === "" ? err : JSON.parse(out);
}

/** Puts files where a person would have them, and says what to import. */
function put(format: TaskFormat, files: readonly TaskFile[]): string {
  count += 1;
  const place = join(home, `files-${count}`);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const [first] = files;
  return format.kind === "file" && first ? join(place, first.path) : place;
}

const SOME: readonly PortableTask[] = [
  travelling({ id: "1", subject: "Design the parser", status: "completed", priority: "high" }),
  travelling({ id: "2", subject: "Write the parser", description: "With tables.\n\nAnd tests.", blockedBy: ["1"] }),
  travelling({ id: "3", subject: "Test <b>it</b> & ship", blockedBy: ["2"], labels: ["ci"], assignee: "ann" }),
];

interface Shown {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly description: string;
  readonly blockedBy: readonly string[];
}

async function listed(list: string): Promise<readonly Shown[]> {
  return (await json("task", "list", "--all", "--list", list)).tasks;
}

describe.each(TASK_FORMATS)("$name", (format) => {
  test("what is real-looking comes in, once, and goes out as it came", async () => {
    const { files } = format.write(SOME);
    const place = put(format, files);
    const list = `${format.name}-real`;
    const dry = await json("task", "import", place, "--dry-run", "--list", list);
    expect(dry).toMatchObject({ format: format.name, dryRun: true, counts: { added: 3 }, problems: [] });
    expect(await listed(list)).toEqual([]);
    const { exit } = await run("task", "import", place, "--list", list);
    expect(exit).toBe(0);
    const tasks = await listed(list);
    expect(tasks.map(({ id, subject, status, blockedBy }) => [id, subject, status, blockedBy])).toEqual([
      ["1", "Design the parser", "completed", []],
      ["2", "Write the parser", "pending", ["1"]],
      ["3", "Test <b>it</b> & ship", "pending", ["2"]],
    ]);
    expect(tasks[1]?.description).toContain("And tests.");
    expect(await json("task", "import", place, "--list", list)).toMatchObject({ counts: { added: 0, unchanged: 3 } });
    const out = join(home, `out-${format.name}`);
    expect(await run("task", "export", out, "--format", format.name, "--list", list)).toMatchObject({ exit: 0 });
    expect(await json("task", "import", out, "--format", format.name, "--list", `${list}-again`)).toMatchObject({
      counts: { added: 3 },
      problems: [],
    });
  });

  test("a file that has changed brings its tasks up; what is closed here stays closed", async () => {
    const list = `${format.name}-changed`;
    const [design, write, ship] = SOME as [PortableTask, PortableTask, PortableTask];
    await run("task", "import", put(format, format.write(SOME).files), "--list", list);
    await run("task", "done", "2", "--list", list);
    const later = [
      design,
      { ...write, status: "pending" as const },
      { ...ship, subject: "Ship it", status: "completed" as const },
    ];
    // Without ids a task is known by its words: then another text is another task.
    const isNamed = !format.write(later).files.every(({ text }) => !/\b3\b/.test(text));
    const report = await json("task", "import", put(format, format.write(later).files), "--list", list);
    if (isNamed) expect(report.counts).toMatchObject({ added: 0, changed: 1 });
    const tasks = await listed(list);
    expect(tasks.find(({ id }) => id === "2")).toMatchObject({ status: "completed" });
    expect(tasks.find(({ subject }) => subject === "Ship it")).toMatchObject({ status: "completed" });
  });

  test("what was begun there is in progress here too, and held by nobody", async () => {
    const list = `${format.name}-begun`;
    const begun = SOME.map((task) => (task.id === "2" ? { ...task, status: "in_progress" as const } : task));
    await run("task", "import", put(format, format.write(SOME).files), "--list", list);
    const again = () => json("task", "import", put(format, format.write(begun).files), "--list", list);
    const report = await again();
    expect(report.tasks.filter(({ done }: { done: string }) => done !== "unchanged")).toMatchObject([
      { done: "changed", id: "2", fields: ["status"] },
    ]);
    expect((await listed(list))[1]).toMatchObject({ status: "in_progress", lease: null });
    expect(await again()).toMatchObject({ counts: { changed: 0, unchanged: 3 } });
  });

  test("damaged: every good task is taken, what is wrong is named, and the exit says so", async () => {
    const { files } = format.write(SOME);
    // A line, or a file, in the middle is cut through; a checklist has nothing that could break.
    const broken = files.length > 1 ? files.map((file, at) => (at === 1 ? cut(file) : file)) : files.map(cutLine);
    const list = `${format.name}-damaged`;
    const ran = await run("task", "import", put(format, broken), "--format", format.name, "--list", list);
    const tasks = await listed(list);
    if (format.name === "markdown") return;
    expect(ran.exit).not.toBe(0);
    expect(`${ran.out}${ran.err}`).toMatch(/problem|\[/);
    if (format.name !== "json" && format.name !== "task-master") expect(tasks.length).toBeGreaterThanOrEqual(2);
    // A command that deletes must not be something to copy from a message.
    expect(`${ran.out}${ran.err}`).not.toMatch(/\brm\b|--force|delete|--accept-loss/i);
  });

  test("empty: nothing comes in, and nothing breaks", async () => {
    const list = `${format.name}-empty`;
    const files = format.kind === "file" ? [{ path: `empty.${format.name}`, text: "" }] : [];
    const place = put(format, files);
    if (files.length === 0) mkdirSync(place, { recursive: true });
    const ran = await run("task", "import", place, "--format", format.name, "--list", list);
    expect([0, 1]).toContain(ran.exit);
    expect(await listed(list)).toEqual([]);
  });

  const MANY = sized(400, 10_000);
  test(`${MANY} tasks`, async () => {
    const many = Array.from({ length: MANY }, (_, at) =>
      travelling({ id: `${at + 1}`, subject: `Task number ${at + 1}`, blockedBy: at % 2 === 1 ? [`${at}`] : [] }),
    );
    const list = `${format.name}-many`;
    const report = await json(
      "task",
      "import",
      put(format, format.write(many).files),
      "--format",
      format.name,
      "--list",
      list,
    );
    expect(report).toMatchObject({ counts: { added: MANY }, problems: [] });
    expect((await json("task", "claim", "--list", list)).task).toMatchObject({ subject: "Task number 1" });
  }, 120_000);
});

function cut(file: TaskFile): TaskFile {
  return { ...file, text: file.text.slice(0, Math.floor(file.text.length / 3)) };
}

function cutLine(file: TaskFile): TaskFile {
  const lines = file.text.split("\n");
  const middle = Math.floor(lines.length / 2);
  return { ...file, text: lines.map((line, at) => (at === middle ? line.slice(0, line.length / 2) : line)).join("\n") };
}

describe("files", () => {
  test("what is there is kept beside, and only when it is meant", async () => {
    await run("task", "add", "One", "--list", "kept");
    const file = join(home, "TASKS.md");
    writeFileSync(file, "mine");
    expect(await run("task", "export", file, "--list", "kept")).toMatchObject({
      exit: 1,
      err: expect.stringContaining("[file-exists]"),
    });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await run("task", "export", file, "--list", "kept", "--force")).toMatchObject({ exit: 0 });
    expect(readFileSync(file, "utf8")).toContain("One");
    const beside = readdirSync(home).find((name) => name.startsWith("TASKS.md.before-"));
    expect(readFileSync(join(home, beside ?? ""), "utf8")).toBe("mine");
  });

  test("a folder of Claude Code: numbers do not come again, and what is not written is not counted", async () => {
    const mark = (folder: string) => readFileSync(join(folder, ".highwatermark"), "utf8");
    for (const subject of ["One", "Two", "Three"]) await run("task", "add", subject, "--list", "marks");
    for (const number of ["2", "3"]) await run("task", "cancel", number, "--list", "marks");
    const folder = join(home, "marks");
    const out = ["task", "export", folder, "--format", "claude", "--list", "marks"];
    expect((await run(...out)).out).toContain("Wrote 1 task to ");
    expect(mark(folder)).toBe("3");
    writeFileSync(join(folder, ".highwatermark"), "41");
    writeFileSync(join(folder, "42.json"), "{}");
    expect((await json(...out, "--force")).tasks).toBe(1);
    expect(mark(folder)).toBe("42");
    await run("task", "export", join(home, "marks-open"), "--open", ...out.slice(3));
    expect(mark(join(home, "marks-open"))).toBe("3");
  });

  test.each([
    ["nothing", "nowhere.md", "no-file", 3],
    ["what nobody knows", "picture.png", "unknown-format", 1],
  ])("%s", async (_, name, code, exit) => {
    if (name === "picture.png") writeFileSync(join(home, name), "\u0089PNG\r\n\u001a\u0000\u0000");
    const ran = await run("task", "import", join(home, name));
    expect(ran.err).toContain(`[${code}]`);
    expect(ran.err).not.toContain("  ");
    expect(ran.exit).toBe(exit);
  });

  test("a file without tasks is told so", async () => {
    const file = join(home, "words.md");
    writeFileSync(file, "# Only words\n");
    const said = `No tasks found in ${file}.\n`;
    expect(await run("task", "import", file, "--list", "words")).toMatchObject({ exit: 0, out: said });
  });

  test("one problem is told as one", async () => {
    const file = join(home, "blank.md");
    writeFileSync(file, "- [ ] one\n- [ ]\n  - [ ] two\n");
    const ran = await run("task", "import", file, "--list", "blank");
    expect(ran.out).toContain("problem  line 2: This checkbox has no text; it was skipped.\n");
    expect(ran.err).toContain("1 problem, listed above; everything else was imported. [not-all-imported]");
    expect((await listed("blank")).map(({ subject }) => subject)).toEqual(["one", "two"]);
  });

  test("one task, or several files, are told as such", async () => {
    await run("task", "add", "One", "--list", "single");
    const [file, place] = [join(home, "single.md"), join(home, "single")];
    const said = `Wrote 1 task to ${file}.\n`;
    expect((await run("task", "export", file, "--list", "single")).out).toBe(said);
    await run("task", "add", "Two", "--list", "single");
    await run("task", "export", place, "--format", "backlog", "--list", "single");
    expect((await run("task", "export", place, "--format", "backlog", "--list", "single")).err).toMatch(
      / and 1 more already exist\. /,
    );
    expect((await run("task", "export", file, "--list", "single")).err).toContain(
      "already exists. Nothing was written",
    );
  });
});

describe("folders of other tools", () => {
  const BEADS = '{"id":"bd-1","title":"One","status":"open"}\n';
  const MASTER = '{"master":{"tasks":[{"id":1,"title":"One","status":"pending"}]}}';
  const BACKLOG = "---\nid: task-1\ntitle: One\nstatus: To Do\n---\n";
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    ["beads, its own folder", ".beads/issues.jsonl", BEADS, ".beads", "beads"],
    ["beads, the project", ".beads/issues.jsonl", BEADS, ".", "beads"],
    ["Task Master, its own folder", ".taskmaster/tasks/tasks.json", MASTER, ".taskmaster", "task-master"],
    ["Task Master, the project", ".taskmaster/tasks/tasks.json", MASTER, ".", "task-master"],
    ["Backlog.md, its own folder", "backlog/tasks/task-1 - One.md", BACKLOG, "backlog", "backlog"],
    ["Backlog.md, the project", "backlog/tasks/task-1 - One.md", BACKLOG, ".", "backlog"],
  ];
  test.each(cases)("%s", async (_, path, text, inside, format) => {
    const place = join(put(FOLDER, [{ path, text }]), inside);
    const list = `found-${count}`;
    const report = { format, counts: { added: 1 }, problems: [] };
    expect(await json("task", "import", place, "--list", list, "--dry-run")).toMatchObject(report);
    expect(await json("task", "import", place, "--list", list, "--format", format)).toMatchObject(report);
  });

  test("two of them are for a person to choose from", async () => {
    const files = [
      { path: ".beads/issues.jsonl", text: BEADS },
      { path: ".taskmaster/tasks/tasks.json", text: MASTER },
    ];
    const ran = await run("task", "import", put(FOLDER, files));
    expect(ran).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/issues\.jsonl, .*tasks\.json\. See milepost task import --help \[several-formats\]/),
    });
  });

  test("a checklist is a file, and that is said of a folder", async () => {
    const ran = await run("task", "import", home, "--format", "markdown");
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining("is a folder. Pass the markdown file in it.") });
  });
});

/** `put` then names the folder. */
const FOLDER = { kind: "folder" } as TaskFormat;

describe("a checklist that was written from a list", () => {
  test("brings up the same tasks when it comes back, and a tick finishes one", async () => {
    const list = "tour";
    const other = join(home, "other.md");
    // A name from another file must not be taken for a number of this list.
    writeFileSync(other, "- [ ] #2 From elsewhere\n");
    await run("task", "import", other, "--list", list);
    await run("task", "add", "Second", "--list", list, "--priority", "high");
    await run("task", "add", "Third", "--list", list, "--after", "2");
    const file = join(home, "tour.md");
    await run("task", "export", file, "--list", list);
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")[0]).toBe("<!-- milepost: tour 3 -->");
    expect(await json("task", "import", file, "--list", list)).toMatchObject({ counts: { unchanged: 3 } });
    writeFileSync(
      file,
      `${text.replace("[ ] #2 Second", "[x] #2 The second")}- [ ] #4 By hand\n- [ ] Without a name\n`,
    );
    const edited = { counts: { added: 2, changed: 1, unchanged: 2 }, problems: [] };
    expect(await json("task", "import", file, "--list", list, "--dry-run")).toMatchObject(edited);
    expect(await json("task", "import", file, "--list", list)).toMatchObject(edited);
    expect(await json("task", "import", file, "--list", list)).toMatchObject({ counts: { unchanged: 5 } });
    expect((await listed(list)).map(({ subject, status }) => [subject, status])).toEqual([
      ["From elsewhere", "pending"],
      ["The second", "completed"],
      ["Third", "pending"],
      ["By hand", "pending"],
      ["Without a name", "pending"],
    ]);
  });

  test("a number above those it was written with is not that of a later task", async () => {
    const list = "later";
    await run("task", "add", "One", "--list", list);
    const file = join(home, "later.md");
    await run("task", "export", file, "--list", list);
    writeFileSync(file, `${readFileSync(file, "utf8")}- [ ] #2 By hand\n`);
    await run("task", "add", "Somebody else's", "--list", list);
    for (const counts of [
      { added: 1, changed: 0 },
      { added: 0, changed: 0 },
    ])
      expect(await json("task", "import", file, "--list", list)).toMatchObject({ counts });
    expect((await listed(list)).map(({ subject }) => subject)).toEqual(["One", "Somebody else's", "By hand"]);
  });

  test("in another list its tasks are new", async () => {
    await run("task", "add", "One", "--list", "here");
    await run("task", "add", "Theirs", "--list", "there");
    const file = join(home, "here.md");
    await run("task", "export", file, "--list", "here");
    expect(await json("task", "import", file, "--list", "there")).toMatchObject({ counts: { added: 1, changed: 0 } });
  });
});
