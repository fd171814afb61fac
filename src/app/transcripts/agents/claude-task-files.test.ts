import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeTaskFiles } from "./claude-task-files.js";

/** Long ago, in seconds: nobody is writing any more. */
const OLD = 1_700_000_000;

function openFolder(names: readonly string[] = ["1.json"]) {
  const folder = mkdtempSync(join(tmpdir(), "milepost-tasks-"));
  const path = (name: string) => join(folder, name);
  const put = (name: string, subject: string, at = OLD) => {
    writeFileSync(path(name), JSON.stringify({ id: name.replace(".json", ""), subject, status: "pending" }));
    utimesSync(path(name), at, at);
  };
  for (const name of names) put(name, "one");
  const subjects = (files: ClaudeTaskFiles) => files.tasksIn(folder, names).map(({ subject }) => subject);
  return { folder, path, put, subjects };
}

test("a file that is as it was is not read again", () => {
  const { put, subjects } = openFolder();
  const files = new ClaudeTaskFiles();
  expect(subjects(files)).toEqual(["one"]);
  // Same time, same size, same inode: only reading it would tell.
  put("1.json", "two");
  expect(subjects(files)).toEqual(["one"]);
});

type Folder = ReturnType<typeof openFolder>;

const CHANGES: { name: string; change: (folder: Folder) => void; then: readonly string[] }[] = [
  { name: "a later time", change: ({ put }) => put("1.json", "two", OLD + 1), then: ["two"] },
  { name: "an earlier time", change: ({ put }) => put("1.json", "two", OLD - 1), then: ["two"] },
  { name: "another size", change: ({ put }) => put("1.json", "three"), then: ["three"] },
  {
    name: "another inode",
    change: ({ path }) => {
      writeFileSync(path("new"), readFileSync(path("1.json"), "utf8").replace("one", "two"));
      utimesSync(path("new"), OLD, OLD);
      renameSync(path("new"), path("1.json"));
    },
    then: ["two"],
  },
  { name: "it is gone", change: ({ path }) => rmSync(path("1.json")), then: [] },
  { name: "no JSON any more", change: ({ path }) => writeFileSync(path("1.json"), "{ half"), then: [] },
];

test.each(CHANGES)("a file that has changed is read again: $name", ({ change, then }) => {
  const folder = openFolder();
  const files = new ClaudeTaskFiles();
  expect(folder.subjects(files)).toEqual(["one"]);
  change(folder);
  expect(folder.subjects(files)).toEqual(then);
});

test("two writes in the same moment are both seen", () => {
  const { put, subjects } = openFolder();
  const files = new ClaudeTaskFiles();
  const now = Date.now() / 1000;
  put("1.json", "one", now);
  expect(subjects(files)).toEqual(["one"]);
  put("1.json", "two", now);
  expect(subjects(files)).toEqual(["two"]);
});

test("what is remembered is bounded, and the folder that was asked for last stays", () => {
  const names = Array.from({ length: 10 }, (_, at) => `${at + 1}.json`);
  const files = new ClaudeTaskFiles(12_000);
  const folders = Array.from({ length: 20 }, () => openFolder(names));
  for (const folder of folders) {
    expect(folder.subjects(files)).toHaveLength(10);
    expect(files.kept).toBeLessThanOrEqual(12_000);
  }
  const last = folders.at(-1);
  last?.put("1.json", "two");
  expect(last?.subjects(files)[0]).toBe("one");
  folders[0]?.put("1.json", "two");
  expect(folders[0]?.subjects(files)[0]).toBe("two");
});

test("tasks that are gone are not remembered", () => {
  const { folder, subjects } = openFolder();
  const files = new ClaudeTaskFiles();
  subjects(files);
  expect(files.kept).toBeGreaterThan(0);
  files.tasksIn(folder, []);
  expect(files.kept).toBe(0);
});
