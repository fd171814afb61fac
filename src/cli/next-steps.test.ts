import { expect, test } from "vitest";
import type { Given } from "../app/command-definition.js";
import { withNextStep } from "./next-steps.js";

const folder = import.meta.dirname;

function after(code: string, line: string, flags: Given): string {
  const words = line.split(" ");
  const name = words.slice(0, /^(?:task|todo) /.test(line) ? 2 : 1).join(" ");
  return withNextStep({ code, message: "No." }, { name, flags, words, folder }).message;
}

test.each([
  ["task-blocked", "task claim 2", { task: "2" }, "What blocks it: milepost task show 2"],
  [
    "task-blocked",
    "task claim 2",
    { task: "#2", list: "my list" },
    "What blocks it: milepost task show '#2' --list 'my list'",
  ],
  ["task-not-held", "task renew 2", { task: "2", store: "x.db" }, "To claim it: milepost task claim 2 --store x.db"],
  [
    "task-not-held",
    "task renew 2 --as w1",
    { task: "2", as: "w1", session: "s" },
    "To claim it: milepost task claim 2 --as w1 --session s",
  ],
  ["stale-fence", "task release 2 --as w1", { task: "2", as: "w1" }, "Its state: milepost task show 2"],
  ["task-closed", "task claim 2", { task: "2" }, "To reopen it: milepost task reopen 2"],
  ["task-held", "task claim 2", { task: "2" }, "Others: milepost task ready"],
  ["no-task", "task block 1 9", { task: "1", list: "a" }, "All tasks: milepost task list --all --list a"],
  ["nothing-to-undo", "todo undo", { session: "s1" }, "The list: milepost todo list --session s1"],
  ["bad-cursor", "events --after x", { after: "x" }, "From the start: milepost events --after 0"],
  ["bad-cursor", "task changes --after x", { after: "x" }, "From the start: milepost task changes --after 0"],
  ["file-exists", "backup new.db", { file: "new.db" }, "Another name: milepost backup new-2.db"],
  ["file-exists", "backup next-steps.ts", { file: "next-steps.ts" }, "Another name: milepost backup next-steps-2.ts"],
  [
    "file-exists",
    "doctor --salvage=y.db --store y.db",
    { salvage: "y.db", store: "y.db" },
    "Another name: milepost doctor --salvage=y-2.db --store y.db",
  ],
  ["file-exists", "todo export", { file: "TODO.md" }, "Another name: milepost todo export TODO-2.md"],
  ["file-exists", "task export a.md", { path: "a.md" }, "and write: milepost task export a.md --force"],
  ["file-exists", "task export -- a.md", { path: "a.md" }, "and write: milepost task export --force -- a.md"],
  ["no-file", "import e.jsonl", { file: "e.jsonl" }, "See milepost import --help"],
  ["no-file", "task import a.md", { path: "a.md", list: "l" }, "See milepost task import --help"],
  ["no-file", "import next-step.ts", { file: "next-step.ts" }, "Did you mean: milepost import next-steps.ts"],
  ["no-file", "import next-steps.ts", { file: "next-steps.ts" }, "See milepost import --help"],
  ["no-file", "import ./x/e.jsonl", { file: "./x/e.jsonl" }, "See milepost import --help"],
  ["no-file", "backup a.db --restore", { file: "a.db", restore: true }, "See milepost backup --help"],
  ["no-file", "restore x", { files: ["x"] }, "All sessions: milepost sessions --all"],
  ["bad-record", "import a.md", { file: "a.md" }, "For a list of tasks: milepost task import a.md"],
  ["bad-record", "import a.jsonl", { file: "a.jsonl" }, "See milepost import --help"],
  ["needs-yes", "task rm #3", { task: "#3" }, "To do it: milepost task rm '#3' --yes"],
  ["needs-yes", "task rm -- 3", { task: "3" }, "To do it: milepost task rm --yes -- 3"],
  ["no-store", "todo --store x.db done 3", { store: "x.db" }, "Without --store: milepost todo done 3"],
  ["no-store", "todo --store=x.db", { store: "x.db" }, "Without --store: milepost todo"],
  ["bad-key", "task add x", {}, "See milepost task add --help"],
])("after %s of %s", (code, line, flags, said) => {
  const message = after(code, line, flags);
  expect(message.slice(-said.length)).toBe(said);
  expect(message).toMatch(/^No\. /);
});

test("nothing is added where nothing is known, or where a command is named already", () => {
  const line = { name: "call", flags: {}, words: ["call"], folder };
  for (const failure of [
    { code: "internal-error", message: "It broke." },
    { code: "no-store", message: "It is gone." },
    { code: "bad-usage", message: "No. Did you mean: milepost call" },
    { code: "store-busy", message: "Locked. Run milepost doctor." },
  ])
    expect(withNextStep(failure, line)).toEqual(failure);
});

test("a password is not repeated", () => {
  const words = ["task", "rm", "3", "--store", "postgres://u:hunter2x@h/d"];
  const said = withNextStep({ code: "needs-yes", message: "No." }, { name: "task rm", flags: {}, words, folder });
  expect(said.message).toContain("--store 'postgres://u:***@h/d' --yes");
});
