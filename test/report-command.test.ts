import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkReport } from "../src/app/report/work-report.js";
import { clean } from "./hook-process.js";
import { answers, calls, chained, refuses, says, user, wrote } from "./readers/claude-lines.js";
import { runWarm } from "./warm-command.js";

const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-report-")));
const environment = clean({
  HOME: home,
  MILEPOST_HOME: join(home, "milepost"),
  CLAUDE_CONFIG_DIR: join(home, ".claude"),
});
const run = (...args: string[]) => runWarm(["report", ...args], { folder: home, environment });
const SESSION = "aaaa1111-0000-4000-8000-000000000000";
const page = join(home, "report.html");

/** A session of two hours ago. */
beforeAll(() => {
  const folder = join(home, ".claude", "projects", "-app");
  mkdirSync(folder, { recursive: true });
  const lines = [
    user("Fix it"),
    ...wrote("Look!", "Mend"),
    calls("c1", "Bash", { command: "npm test" }),
    refuses("c1", "1 failed"),
    ...wrote("Look.", "Mend!"),
    calls("c2", "Bash", { command: "npm test" }),
    answers("c2"),
    ...wrote("Look.", "Mend."),
    says("Done."),
  ];
  const begin = Date.now() - 2 * 3_600_000;
  const told = chained(lines.map((line) => ({ ...line, sessionId: SESSION }))).map((line, at) => {
    return JSON.stringify({ ...line, timestamp: new Date(begin + at * 10_000).toISOString() });
  });
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${told.join("\n")}\n`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("what was done since then, as text and for scripts", () => {
  const { exit, out, err } = run("--since", "12h");
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toMatch(/1 session: 2 of 2 todos done · 1 turn · \dm at work · 2 calls \(1 failed\)/);
  const { sum, sessions }: WorkReport = JSON.parse(run("--since", "12h", "--json").out);
  expect(sum).toMatchObject({ todos: { done: 2, open: 0 }, calls: { total: 2, failed: 1 }, turns: 1 });
  expect(sessions[0]?.todos.map(({ text, milliseconds }) => [text, milliseconds])).toEqual([
    ["Look", 40_000],
    ["Mend", 40_000],
  ]);
});

test("nothing since then", () => {
  expect(run("--since", "2999-01-01").out).toContain("No session was active in this time.");
});

test("one session, by the beginning of its id", () => {
  expect(JSON.parse(run("--session", "aaaa", "--json").out)).toMatchObject({
    from: null,
    session: SESSION,
    sessions: [{ agent: "claude-code" }],
  });
  expect(run("--session", "bbbb")).toMatchObject({ exit: 2, err: expect.stringContaining("[unknown-session]") });
  expect(run("--session", "aaaa", "--since", "7d")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("[bad-usage]"),
  });
  expect(run("--since", "soon")).toMatchObject({ exit: 2 });
});

test("a page is written whole, and replaces a report, but nothing else", () => {
  expect(run("--html", "report.html")).toMatchObject({ exit: 0, out: "Wrote 1 session to report.html.\n" });
  const first = readFileSync(page, "utf8");
  expect(first).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(run("--html", "report.html").exit).toBe(0);
  expect(run("--html", "-").out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);

  const other = join(home, "letter.html");
  writeFileSync(other, "<p>Dear Ann</p>");
  expect(run("--html", "letter.html")).toMatchObject({ exit: 1, err: expect.stringContaining("[file-exists]") });
  expect(readFileSync(other, "utf8")).toBe("<p>Dear Ann</p>");
  expect(run("--html", "letter.html", "--yes").exit).toBe(0);
  expect(readFileSync(other, "utf8")).toContain("milepost report");

  symlinkSync(page, join(home, "link.html"));
  expect(run("--html", "link.html")).toMatchObject({ exit: 3, err: expect.stringContaining("[not-a-file]") });
  expect(run("--html", "none/report.html")).toMatchObject({
    out: "",
    err: expect.stringMatching(/^milepost: .*\]\n$/),
  });
  expect(existsSync(join(home, "none"))).toBe(false);
});
