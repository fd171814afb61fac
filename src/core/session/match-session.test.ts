import { describe, expect, test } from "vitest";
import { distinctId, matchSessions, readName, shortId, wholeName } from "./match-session.js";

const known = ["s1", "s10", "s1/x1", "s1/xy", "0199ab", "0199ac", "p/s1y", "q/x1", "r/s10"].map((id) => readName(id));

describe("which sessions are meant", () => {
  test.each<[string, string, string | undefined, readonly string[]]>([
    ["a whole id, also where another one begins so", "s1", undefined, ["s1"]],
    ["a session before a sub-agent of that id", "s10", undefined, ["s10"]],
    ["several that begin so", "0199a", undefined, ["0199ab", "0199ac"]],
    ["a longer beginning", "0199ab", undefined, ["0199ab"]],
    ["a sub-agent by its own id", "s1y", undefined, ["p/s1y"]],
    ["a sub-agent by the beginning of its own id", "xy", undefined, ["s1/xy"]],
    ["two sub-agents of the same id", "x1", undefined, ["s1/x1", "q/x1"]],
    ["a session and a sub-agent that begin so", "s", undefined, ["s1", "s10", "p/s1y", "r/s10"]],
    ["a sub-agent in its session", "s1/x1", undefined, ["s1/x1"]],
    ["the same with --agent", "s1", "x1", ["s1/x1"]],
    ["beginnings of both", "q/x", undefined, ["q/x1"]],
    ["a whole session and several sub-agents", "s1/x", undefined, ["s1/x1", "s1/xy"]],
    ["a session is no sub-agent of itself", "s1/s1", undefined, []],
    ["nobody", "zz", undefined, []],
    ["no sub-agent of that session", "s10/x1", undefined, []],
  ])("%s", (_, asked, agent, then) => {
    expect(matchSessions(known, readName(asked, agent)).map(wholeName)).toEqual(then);
  });
});

test.each([
  ["s1", "s1"],
  ["acc5a7d2-0c42-4b7e-9c11-aa0000000000", "acc5a7"],
  ["claude:acc5a7d2-0c42-4b7e", "claude:acc5a7"],
  ["01a1de9d-5790-73b1-91f9-a0b9ae312826", "01a1de9d-5790"],
  ["codex:01a1de9d-5790-73b1-91f9-a0b9ae312826", "codex:01a1de9d-5790"],
])("the short form of %s names it: %s", (id, short) => {
  expect(shortId(id)).toBe(short);
  expect(id.startsWith(short)).toBe(true);
});

test.each([
  ["acc5a7d2-0c42-4b7e", ["acc5a7d2-0c42-4b7e", "b"], "acc5a7"],
  ["acc5a7d2-0c42-4b7e", ["acc5a7d9-0c42"], "acc5a7d2"],
  ["acc5a7d2-0c42", ["acc5a7d2-0c42-4b7e"], "acc5a7d2-0c42"],
  ["s1", ["s10"], "s1"],
])("%s among %j is told by %s", (id, others, then) => {
  expect(distinctId(id, others)).toBe(then);
});
