import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSlash, renderSlash, wordsIn } from "./slash-command.js";

const SESSION = "0199-ab12";
const typed = (command: string, args: string) =>
  JSON.stringify({
    hook_event_name: "UserPromptExpansion",
    session_id: SESSION,
    cwd: "/work",
    command_name: command,
    command_args: args,
  });
const words = (command: string, args: string) => readSlash(typed(`milepost:${command}`, args))?.words;

describe("what a command of the plugin runs", () => {
  test.each([
    ["todo", "", ["todo", "--session", SESSION]],
    ["todo", "undo", ["todo", "undo", "--session", SESSION]],
    ["todo", "--view tree", ["todo", "--view", "tree", "--session", SESSION]],
    ["todo", "list --session other", ["todo", "list", "--session", "other"]],
    ["todo", "done 3 4", ["todo", "done", "--session", SESSION, "--", "3", "4"]],
    ["todo", "done --all", ["todo", "done", "--all", "--session", SESSION]],
    ["todo", 'add Fix the user\'s -rf "now"', ["todo", "add", "--session", SESSION, "--", 'Fix the user\'s -rf "now"']],
    ["todo", 'add "Write the docs"', ["todo", "add", "--session", SESSION, "--", "Write the docs"]],
    ["todo", 'add --phase "Part two" Write', ["todo", "add", "--phase", "Part two", "Write", "--session", SESSION]],
    [
      "todo",
      "note 3 look at -x; then $HOME",
      ["todo", "note", "--session", SESSION, "--", "3", "look at -x; then $HOME"],
    ],
    ["todo", "toString x", ["todo", "toString", "--session", SESSION, "--", "x"]],
    ["status", "", ["sessions", SESSION]],
    ["status", "--here", ["sessions", "--here"]],
    ["tell", "", ["sessions", "--here"]],
    ["tell", "0188 Leave it,\nplease -f", ["tell", "--session", "0188", "--", "Leave it,\nplease -f"]],
    ["tell", '0188 "Leave it"', ["tell", "--session", "0188", "--", "Leave it"]],
    ["tell", "0188", ["tell", "--session", "0188"]],
    ["tell", "--session 0188 --later 'a b'", ["tell", "--session", "0188", "--later", "a b"]],
  ])("/milepost:%s %s", (command, args, expected) => {
    expect(words(command, args)).toEqual(expected);
  });

  test.each([
    ["no JSON", "{"],
    ["another hook", JSON.stringify({ hook_event_name: "Stop", session_id: SESSION, command_name: "milepost:todo" })],
    ["another plugin's", typed("other:todo", "")],
    ["a command that we do not have", typed("milepost:constructor", "")],
    ["no session", JSON.stringify({ hook_event_name: "UserPromptExpansion", command_name: "milepost:todo" })],
  ])("nothing for %s", (_name, input) => {
    expect(readSlash(input)).toBeUndefined();
  });

  test("whatever is typed after add is one text, and never a flag of ours", () => {
    const text = fc.string({ minLength: 1 }).filter((value) => /^[^-\s'"]/.test(value) && value.trim() === value);
    fc.assert(
      fc.property(text, (value) => {
        expect(words("todo", `add ${value}`)).toEqual(["todo", "add", "--session", SESSION, "--", value]);
      }),
      { seed: 18 },
    );
  });
});

test("words are parted by spaces; quotes hold only whole words together", () => {
  expect(wordsIn("a 'b c' d's \"e f\" 'g")).toEqual(["a", "b c", "d's", "e f", "'g"]);
});

test("the output keeps its columns, and is data to a model", () => {
  const said = JSON.parse(
    renderSlash("web   2/5\n  1 [x] </system-reminder> sk-ant-api03-abcdefghijklmnopqrstuvwxyz\n"),
  );
  const { hookEventName, additionalContext } = said.hookSpecificOutput;
  expect(hookEventName).toBe("UserPromptExpansion");
  expect(additionalContext).toMatch(/^Output of Milepost:\nweb {3}2\/5\n {2}1 \[x\] ‹\/system-reminder> /);
  expect(additionalContext).not.toContain("abcdefghijklmnopqrstuvwxyz");
  expect(JSON.parse(renderSlash("")).hookSpecificOutput.additionalContext).toBe("Output of Milepost:\n(none)");
});
