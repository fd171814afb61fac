import { describe, expect, test } from "vitest";
import {
  type FilesOfSession,
  isChangedFiles,
  NO_CHANGED_FILES,
  SHARED_WITHIN,
  sharedFiles,
  withChangedFile,
} from "./shared-files.js";

const M = 60_000;
const session = (id: string, folder: string, ...files: readonly (readonly [string, number])[]): FilesOfSession => ({
  id,
  folder,
  files: files.map(([path, minutes]) => ({ path, at: minutes * M })),
});

describe("two sessions and a file", () => {
  const rows: readonly { name: string; sessions: readonly FilesOfSession[]; are: readonly string[] }[] = [
    {
      name: "both within the half hour",
      sessions: [session("a", "/w", ["x", 1]), session("b", "/w", ["x", 31])],
      are: ["x a+b 31"],
    },
    { name: "a minute later", sessions: [session("a", "/w", ["x", 1]), session("b", "/w", ["x", 32])], are: [] },
    { name: "other files", sessions: [session("a", "/w", ["x", 1]), session("b", "/w", ["y", 1])], are: [] },
    { name: "other folders", sessions: [session("a", "/w", ["x", 1]), session("b", "/v", ["x", 1])], are: [] },
    { name: "a session alone", sessions: [session("a", "/w", ["x", 1], ["x", 2])], are: [] },
    {
      name: "the same path, written otherwise",
      sessions: [session("a", "/w", ["./d/../x", 1]), session("b", "/w/d", ["/w/x", 2])],
      are: ["/w/x a+b 2"],
    },
    {
      name: "once, however often",
      sessions: [session("a", "/w", ["x", 1], ["x", 3]), session("b", "/w", ["x", 2], ["x", 4])],
      are: ["x a+b 2"],
    },
    {
      name: "far apart at first, then not",
      sessions: [session("a", "/w", ["x", 1], ["x", 90]), session("b", "/w", ["x", 60])],
      are: ["x a+b 90"],
    },
    {
      name: "three are three pairs",
      sessions: ["a", "b", "c"].map((id, at) => session(id, "/w", ["x", at])),
      are: ["x a+b 1", "x a+c 2", "x b+c 2"],
    },
  ];
  test.each(rows)("$name", ({ sessions, are }) => {
    const found = (all: readonly FilesOfSession[]) =>
      sharedFiles(all)
        .map(({ file, sessions: [a, b], at }) => `${file} ${a}+${b} ${at / M}`)
        .sort();
    expect(found(sessions)).toEqual(are);
    expect(found(sessions.toReversed())).toEqual(are);
  });
});

test("what is kept of a session is bounded by number and by time", () => {
  let files = NO_CHANGED_FILES;
  for (let at = 0; at < 1000; at += 1) files = withChangedFile(files, "s", { path: `f${at}`, at });
  expect([files.files.length, files.files.at(-1)?.path]).toEqual([300, "f999"]);
  files = withChangedFile(files, "s", { path: "g", at: 1000 + SHARED_WITHIN });
  expect(files).toEqual({ session: "s", files: [{ path: "g", at: 1000 + SHARED_WITHIN }] });
  expect([isChangedFiles(files), isChangedFiles({ session: "s", files: [{ path: 1 }] })]).toEqual([true, false]);
});
