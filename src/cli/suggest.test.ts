import { describe, expect, test } from "vitest";
import { type CommandGroup, entry } from "../app/command-definition.js";
import { TASK_COMMANDS } from "../app/commands/task/task-verbs.js";
import { TODO_COMMANDS } from "../app/commands/todo/todo-verbs.js";
import { verbIn } from "./run.js";
import { suggestVerb } from "./suggest.js";

const load = () => Promise.reject(new Error("it is not run"));
const GROUP: CommandGroup = {
  name: "g",
  summary: "",
  details: "",
  examples: [],
  verbs: [entry("list", "", load), entry("done", "", load), entry("--slash", "", load)],
};

describe("the verb of a line", () => {
  test.each([
    ["", "list", ""],
    ["done 3", "done", "3"],
    ["wat 3", undefined, "3"],
    ["--json", "list", "--json"],
    ["--json done 3", "done", "--json 3"],
    ["--session s done 3", "done", "--session s 3"],
    ["--session=s done", "done", "--session=s"],
    ["--session done", "list", "--session done"],
    ["--session s wat 3", undefined, "--session s 3"],
    ["done --slash", "done", "--slash"],
    ["--slash done", "--slash", "done"],
    ["--session s --slash=x", "--slash", "--session s x"],
  ])("%j", (line, name, words) => {
    const said = verbIn(GROUP.verbs, line.split(" ").filter(Boolean));
    expect([said.verb?.name, said.rest.join(" ")]).toEqual([name, words]);
  });
});

describe("what was meant", () => {
  test.each([
    ["dnoe", "done"],
    ["DONE", "done"],
    ["doen", "done"],
    ["lst", "list"],
    ["ls", "list"],
    ["finsh", "done"],
    ["append", "add"],
    ["show", "list"],
    ["delete", "rm"],
    ["cancel", "drop"],
    ["renmae", "rename"],
    ["3", undefined],
    ["x", undefined],
    ["qwertz", undefined],
  ])("todo %s", (typed, meant) => {
    expect(suggestVerb(TODO_COMMANDS, typed)).toBe(meant);
  });

  test.each([
    ["finish", "done"],
    ["ls", "list"],
    ["remove", "rm"],
    ["drop", "cancel"],
    ["clam", "claim"],
    ["update", "edit"],
  ])("task %s", (typed, meant) => {
    expect(suggestVerb(TASK_COMMANDS, typed)).toBe(meant);
  });
});
