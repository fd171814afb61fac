import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maskedScreen } from "./masked-screen.js";
import { openView, otherProcess, told } from "./open-view.js";
import type { Terminal } from "./pseudo-terminal.js";
import { leftOver } from "./watched-screen.js";
import { IDS, storeWorld, type ViewWorld } from "./worlds.js";

// Keys at a real terminal, and what the store says afterwards. One view for all of it: tests go on where the one before
// has left it.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-keys-")));
const editor = join(root, "editor.sh");
let world: ViewWorld;
let view: Terminal;

beforeAll(async () => {
  world = await storeWorld(root);
  writeFileSync(editor, '#!/bin/sh\nprintf "\\n- [ ] Written in an editor\\n" >> "$1"\n');
  chmodSync(editor, 0o700);
  realRepository(world.folder);
  otherProcess(world, "task", "add", "Release 2.0", "--list", "release");
  otherProcess(world, "task", "add", "Fix the login", "--list", "release");
  view = await openView(world, { columns: 120, rows: 40 }, { more: { EDITOR: editor, VISUAL: editor } });
  await view.until("IDLE 1");
});
afterAll(async () => {
  await view?.close();
  rmSync(root, { recursive: true, force: true });
});

/** What the session has changed is in its working tree. */
function realRepository(folder: string): void {
  const git = (...words: readonly string[]) => {
    const { status, stderr } = spawnSync("git", words, { cwd: folder, env: world.environment, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  rmSync(join(folder, ".git"), { recursive: true });
  for (const part of ["src", "test"]) mkdirSync(join(folder, part));
  const write = (words: string) => {
    for (const file of ["src/session.ts", "test/session.test.ts"])
      writeFileSync(join(folder, file), `${words} ${file}\n`);
  };
  write("old");
  git("init", "--quiet", "--initial-branch", "fix/login");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--message", "Begin");
  write("new");
}

const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`;
const isShown = (text: string) => view.screen().some((row) => row.includes(text));
const selected = () => view.screen().find((row) => row.includes("▌")) ?? "";
const untilSelected = (text: string) => view.until((rows) => rows.some((row) => /▌/.test(row) && row.includes(text)));
const untilGone = (text: string) => view.until((rows) => !rows.some((row) => row.includes(text)));

/** Todos of a session: `1. completed Read the schema`. */
function todosOf(session: string): readonly string[] {
  const {
    list: { phases },
  } = told(world, "todo", "--session", session);
  const todos: readonly { number: number; status: string; text: string }[] = phases.flatMap(
    ({ todos: own }: { todos: object[] }) => own,
  );
  return todos.map(({ number, status, text }) => `${number}. ${status} ${text}`);
}

describe("the list of sessions", () => {
  test("hjkl, arrows and the wheel move; a number and tab change the view", async () => {
    expect(selected()).toContain("Move sessions to Redis");
    view.type("j");
    await untilSelected("Drop the old column");
    view.press("down");
    await untilSelected("codex");
    view.wheel("up", 5, 10);
    await untilSelected("Drop the old column");
    view.type("k");
    await untilSelected("Move sessions to Redis");
    view.type("l");
    await view.until("PLAN  proposed");
    view.type("h");
    await view.until("NEEDS YOU 2");
    for (const [key, words] of [
      ["2", "board (tab)"],
      ["3", "Move sessions to Redis"],
      ["4", "Nothing has happened"],
      ["1", "NEEDS YOU 2"],
    ] as const) {
      view.type(key);
      await view.until(words);
    }
    view.press("shift+tab");
    await view.until("[4 events]");
    view.press("tab");
    await view.until("NEEDS YOU 2");
  });

  test("a pasted text does nothing here, whatever its letters are", async () => {
    // A frame may still be on its way, and seconds go on.
    await view.quiet();
    const before = maskedScreen(view.screen(), root);
    view.type(PASTE("x\nq\n n a a\n2"));
    view.press("ctrl+l");
    await view.quiet();
    expect(maskedScreen(view.screen(), root)).toEqual(before);
  });

  test("/ shows only what fits, enter keeps it, esc takes it away", async () => {
    view.type("/pull request");
    await untilGone("NEEDS YOU");
    await view.until("/ pull request");
    view.press("enter");
    await view.until("filter: pull request");
    expect(view.screen().filter((row) => /^.{2}(?:claude|codex)/.test(row))).toHaveLength(1);
    view.press("esc");
    await view.until("NEEDS YOU 2");
  });

  test("P pins and z snoozes, and the next start knows", async () => {
    view.press("end");
    await untilSelected("docs");
    view.type("P");
    await view.until("PINNED 1");
    view.type("g");
    await untilSelected("api");
    view.type("z");
    await view.until("SNOOZED 1");
    const marks = readFileSync(join(root, "state", "view.json"), "utf8");
    expect(marks).toContain(IDS.docs);
    expect(marks).toContain(IDS.api);
    view.press("end");
    await untilSelected("api");
    view.type("z");
    await untilGone("SNOOZED");
    await untilSelected("api");
  });
});

describe("a session", () => {
  const doing = "5. in_progress Run tests";
  const last = "6. pending Open the pull request";

  test("space completes what is under the cursor, u takes it back", async () => {
    view.type("/pull request\r\r");
    await view.until("4/6");
    await untilSelected("Running tests");
    view.press("space");
    await view.until("5/6");
    expect(todosOf(IDS.web)).toContain("5. completed Run tests");
    view.type("u");
    await view.until("4/6");
    expect(todosOf(IDS.web).slice(4)).toEqual([doing, last]);
  });

  test("s starts another one, x drops one", async () => {
    view.type("j");
    await untilSelected("Open the pull request");
    view.type("s");
    await view.until((rows) => rows.some((row) => row.includes("▌") && row.includes("▸")));
    expect(todosOf(IDS.web)).toContain("6. in_progress Open the pull request");
    view.type("x");
    await view.until("4/5");
    expect(todosOf(IDS.web)).toContain("6. cancelled Open the pull request");
    view.type("uu");
    await untilGone("4/5");
  });

  test("n adds what is typed or pasted, in one line", async () => {
    view.type("n");
    await view.until("Add to claude · web:");
    view.type("支払いを直す 🧪");
    view.type(PASTE(" and\nthen\r\n\tmore"));
    await view.until("支払いを直す 🧪 and then more█");
    view.press("enter");
    await view.until("4/7");
    expect(todosOf(IDS.web)).toContain("7. pending 支払いを直す 🧪 and then more");
  });

  test("t tells, and the agent will hear it", async () => {
    view.type("t");
    await view.until("Tell claude · web:");
    view.type("Use the test database\r");
    await untilGone("Tell claude");
    const isTold = () => otherProcess(world, "events").includes("Use the test database");
    await expect.poll(isTold, { timeout: 10_000, interval: 20 }).toBe(true);
  });

  test("w shows why, esc comes back", async () => {
    view.type("g");
    await untilSelected("Find where the session ends early");
    view.type("w");
    await view.until("Todo 1: Find where");
    expect(isShown("No check ran while it was in progress.")).toBe(true);
    view.press("esc");
    await view.until("4/7");
  });

  test("d shows what changed for a todo, D what changed in the turn", async () => {
    view.press("down");
    await untilSelected("Write a failing test");
    view.type("d");
    await view.until("+new test/session.test.ts");
    expect(isShown("-old test/session.test.ts")).toBe(true);
    expect(isShown("src/session.ts")).toBe(false);
    view.press("esc");
    await view.until("4/7");
    view.type("D");
    await view.until("+new src/session.ts");
    expect(isShown("+new test/session.test.ts")).toBe(true);
    view.press("esc");
    await view.until("4/7");
  });

  test("e opens the editor on the person's own screen, and what was written is in the list", async () => {
    view.type("e");
    await view.until("4/8");
    expect(todosOf(IDS.web)).toContain("8. pending Written in an editor");
    expect(view.modes()).toMatchObject({ isAlternate: true, isCursorHidden: true, mouse: "vt200" });
  });

  test("c says what is there instead of a clipboard", async () => {
    view.type("c");
    await view.until("No clipboard here: cd ");
  });
});

describe("plans", () => {
  const plan = () => told(world, "plan", "list").plans[0];

  test("a shows the text, and approves only that text", async () => {
    view.type("3");
    await untilSelected("Move sessions to Redis");
    view.type("a");
    await view.until("2. Copy sessions while both are there");
    // Somebody changes it while it is read.
    const file = join(root, "plan.md");
    writeFileSync(file, "# Move sessions to Redis\n\n1. Something else\n");
    otherProcess(world, "plan", "edit", plan().id, file);
    view.type("a");
    await view.until((rows) => /changed|another|text/.test(rows.at(-1) ?? ""));
    expect(plan()).toMatchObject({ status: "proposed" });
    view.type("a");
    await view.until("1. Something else");
    view.type("a");
    await view.until((rows) => rows.some((row) => row.includes("▌") && row.includes("approved")));
    expect(plan()).toMatchObject({ status: "approved" });
  });

  test("r rejects with a reason", async () => {
    const file = join(root, "second.md");
    writeFileSync(file, "# Delete all backups\n\n1. Delete them\n");
    otherProcess(world, "plan", "propose", file, "--session", IDS.web);
    await view.until("Delete all backups");
    view.type("g");
    await untilSelected("Delete all backups");
    view.type("rNot the backups\r");
    await view.until((rows) => rows.some((row) => row.includes("Delete all") && row.includes("rejected")));
    expect(told(world, "plan", "list").plans).toContainEqual(
      expect.objectContaining({ title: "Delete all backups", status: "rejected", reason: "Not the backups" }),
    );
  });
});

describe("tasks", () => {
  const tasks = (): readonly string[] =>
    told(world, "task", "list", "--list", "release", "--all").tasks.map(
      ({ id, status, subject }: Record<string, string>) => `${id} ${status} ${subject}`,
    );

  test("n adds, s claims, space completes, x cancels, and columns are moved between", async () => {
    view.type("2");
    await view.until("READY 2");
    view.type("nWrite the docs\r");
    await view.until("READY 3");
    view.type("s");
    await view.until("IN PROGRESS 1");
    expect(tasks()).toContain("1 in_progress Release 2.0");
    view.press("space");
    await view.until("DONE 1");
    expect(tasks()).toContain("1 completed Release 2.0");
    view.press("left");
    await untilSelected("Fix the login");
    view.type("x");
    await view.until("DONE 2");
    expect(tasks()).toEqual(["1 completed Release 2.0", "2 cancelled Fix the login", "3 pending Write the docs"]);
    view.press("tab");
    await view.until("tree (tab)");
    view.press("enter");
    await view.until("Task ");
    view.press("esc");
    await view.until("tree (tab)");
  });
});

test("another process's write is on the screen within moments", async () => {
  view.type("1");
  await view.until("NEEDS YOU");
  const before = performance.now();
  otherProcess(world, "todo", "start", "8", "--session", IDS.web);
  const committed = performance.now();
  await view.until("Written in an editor", 3000);
  // The command was run while nobody looked at the screen: it can only have taken less.
  expect(performance.now() - committed, `the command took ${committed - before} ms`).toBeLessThan(3000);
});

test("o prints the way back on the person's own screen, and leaves", async () => {
  view.type("gj");
  await untilSelected("shop");
  view.type("o");
  expect(await view.exit()).toEqual({ code: 0, signal: 0 });
  expect(leftOver(view.modes())).toEqual([]);
  expect(view.screen().join("")).toContain(`claude --resume ${IDS.shop}`);
  expect(view.screen().join("")).toContain(join("home", "src", "shop"));
});
