import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { viewWith } from "../../../../test/readers/session-reports.js";
import { processName } from "../../session/process-life.js";
import { claudeProcesses } from "./claude-live.js";

const [, number = "", start = ""] = /:(\d+)\+(\d+)/.exec(processName(process.pid)) ?? [];
const machine = () => {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
};
const own = {
  pid: Number(number),
  procStart: start,
  sessionId: "s1",
  kind: "interactive",
  pidDomain: start === "" ? "" : `linux:${machine()}:${readlinkSync("/proc/self/ns/pid")}`,
  statusUpdatedAt: 5000,
};

/** What the files in the folder say of the session s1. */
function look(...files: readonly (object | string)[]) {
  const home = mkdtempSync(join(tmpdir(), "claude-live-"));
  const folder = join(home, "sessions");
  mkdirSync(folder);
  files.forEach((file, at) => {
    writeFileSync(join(folder, `${at + 1}.json`), typeof file === "string" ? file : JSON.stringify(file));
  });
  const path = join(home, "projects", "-x", "s1.jsonl");
  const seen = {
    view: viewWith(),
    grewAt: 0,
    path,
    format: "claude",
    problems: { lines: 0, first: [] },
    unfinished: 0,
  };
  return { folder, found: () => claudeProcesses([seen]).get("s1") };
}

describe.runIf(start !== "")("what Claude Code says of its session", () => {
  const live = (state: string, reason: string) => ({ isThere: true, live: { state, reason, since: 5000 } });
  test.each([
    ["busy", { ...own, status: "busy" }, live("busy", "in-turn")],
    ["idle", { ...own, status: "idle" }, live("idle", "interrupted")],
    ["a permission", { ...own, status: "waiting", waitingFor: "permission prompt" }, live("waiting", "permission")],
    ["something else", { ...own, status: "waiting", waitingFor: "dialog open" }, live("waiting", "input")],
    ["a word nobody knows", { ...own, status: "dreaming" }, { isThere: true, live: undefined }],
    ["no time", { ...own, status: "idle", statusUpdatedAt: "now" }, { isThere: true, live: undefined }],
    ["crashed", { ...own, status: "busy", procStart: "1" }, { isThere: false, live: undefined }],
    ["of another machine", { ...own, status: "busy", pidDomain: "linux:x:pid:[1]" }, undefined],
    ["no terminal", { ...own, status: "busy", kind: "bg" }, undefined],
    ["another session", { ...own, status: "busy", sessionId: "s2" }, undefined],
    ["no JSON", "{", undefined],
    ["no object", "[7]", undefined],
  ])("%s", (_, file, expected) => {
    expect(look(file).found()).toEqual(expected);
  });

  test("resumed after a crash: the one that is there counts", () => {
    const dead = { ...own, status: "busy", procStart: "1" };
    const alive = { ...own, status: "idle" };
    for (const files of [
      [dead, alive],
      [alive, dead],
    ])
      expect(look(...files).found()?.isThere).toBe(true);
  });

  test("a link is not followed, and a folder that is not there says nothing", () => {
    const { folder, found } = look("{}");
    const file = join(folder, "..", "elsewhere.json");
    writeFileSync(file, JSON.stringify({ ...own, status: "busy" }));
    symlinkSync(file, join(folder, "7.json"));
    expect(found()).toBeUndefined();
  });
});
