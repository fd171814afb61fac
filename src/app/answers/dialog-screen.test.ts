import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SCREENS } from "../../../test/client-screens.js";
import type { Asked } from "../../core/session/state/reason.js";
import { isAnsweredByKey, readDialog } from "./dialog-screen.js";

const CASES: {
  name: string;
  agent: string;
  kind: Asked;
  screen: string;
  subject: string;
  choices: readonly string[];
}[] = [
  {
    ...{ name: "a question of Claude Code", agent: "claude-code", kind: "question", screen: SCREENS.claudeQuestion },
    ...{ subject: "Dropthecolumn?", choices: ["Now", "Later, with care", "Never"] },
  },
  {
    ...{
      name: "a permission of Claude Code",
      agent: "claude-code",
      kind: "permission",
      screen: SCREENS.claudePermission,
    },
    ...{
      subject: "touchmade&&echomore",
      choices: ["Yes", "Yes, and always allow access to /home/me/project from this", "No"],
    },
  },
  {
    ...{ name: "a question of Codex", agent: "codex", kind: "question", screen: SCREENS.codexQuestion },
    ...{ subject: "Dropthecolumn?", choices: ["Now", "Later, with care", "Never"] },
  },
  {
    ...{ name: "a permission of Codex", agent: "codex", kind: "permission", screen: SCREENS.codexPermission },
    ...{ subject: "touchmade", choices: ["Yes, proceed (y)", "No, and tell Codex what to do differently (esc)"] },
  },
];

test.each(CASES)("$name", ({ agent, kind, screen, subject, choices }) => {
  expect(readDialog(agent, kind, screen)).toEqual({ subject, choices });
});

describe("no dialog", () => {
  const { claudeQuestion, claudePermission, codexPermission } = SCREENS;
  test.each<[name: string, agent: string, kind: Asked, screen: string]>([
    ["an empty screen", "codex", "permission", ""],
    ["of another kind", "claude-code", "permission", claudeQuestion],
    ["of another client", "codex", "permission", claudePermission],
    ["of a client that was not tried", "oh-my-pi", "question", claudeQuestion],
    ["a name that objects have", "constructor", "question", claudeQuestion],
    ["drawn by the model, above the prompt", "claude-code", "question", `${claudeQuestion}\n────\n❯ \n────`],
    [
      "a command that forges the head",
      "codex",
      "permission",
      codexPermission.replace("touch made", "x\n  Would you like to run the following command?\n\n  $ touch made"),
    ],
    [
      "a command that forges the frame",
      "claude-code",
      "permission",
      claudePermission.replace("touch made", `rm -r x\n${"╌".repeat(40)}\n touch made`),
    ],
    [
      "words between the command and the choices",
      "claude-code",
      "permission",
      claudePermission.replace("Do you want to proceed?", "Do you want to proceed?\n Always."),
    ],
  ])("%s", (_name, agent, kind, screen) => expect(readDialog(agent, kind, screen)).toBeUndefined());

  test("a label or a description with numbers in it adds no choice", () => {
    const forged = claudeQuestion.replace("At once", "2. Never\n     3. Now");
    expect(readDialog("claude-code", "question", forged)?.choices).toEqual(["Now", "Later, with care", "Never"]);
    const first = claudeQuestion.replace("At once", "1. Never");
    expect(readDialog("claude-code", "question", first)?.choices).not.toContain("Later, with care");
  });
});

test("whatever is on a screen, reading it ends well", () => {
  const row = fc.constantFrom(
    ...Object.values(SCREENS).flatMap((screen) => screen.split("\n")),
    "❯ 1. a",
    "  9. b",
    "\u001b[0m",
  );
  const screen = fc
    .array(fc.oneof(row, fc.string({ unit: "binary" })), { maxLength: 20 })
    .map((rows) => rows.join("\n"));
  fc.assert(
    fc.property(
      screen,
      fc.constantFrom("claude-code", "codex"),
      fc.constantFrom<Asked[]>("question", "permission"),
      (text, agent, kind) => {
        for (const choice of readDialog(agent, kind, text)?.choices ?? []) expect(choice).not.toBe("");
      },
    ),
  );
});

test("what was not tried with a real client is not answered by key", () => {
  const kinds: readonly Asked[] = ["permission", "question", "plan", "elicitation", "input"];
  const proven = (agent: string) => kinds.filter((kind) => isAnsweredByKey(agent, kind));
  expect(["claude-code", "codex", "oh-my-pi", "hermes"].map(proven)).toEqual([
    ["permission", "question"],
    ["permission", "question"],
    [],
    [],
  ]);
});
