import { expect, test } from "vitest";
import { ownerName } from "./owner-text.js";

const UUID = "acc5a7f3-1111-4222-8333-944455556666";
const known = {
  agents: new Map([
    [UUID, "claude-code"],
    ["s1", "codex"],
    ["s2", ""],
  ]),
  machine: "desk.example",
};

test.each([
  [UUID, "claude acc5a7"],
  [`${UUID}/agent-77aa11bb22cc`, "claude acc5a7/agent-"],
  ["s1", "codex s1"],
  ["s2", "s2"],
  ["ann@desk.example", "ann"],
  ["ann@other.example", "ann@other"],
  ["ann@vm", "ann@vm"],
  ["worker-1", "worker-1"],
  ["a/b", "a/b"],
  ["not one@two@three", "not one@two@three"],
  ["evil\u001b[2J@desk.example", "evil␛[2J"],
])("%s is shown as %s", (owner, shown) => {
  expect(ownerName(owner, known)).toBe(shown);
});
