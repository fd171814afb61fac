import { describe, expect, test } from "vitest";
import {
  answers,
  as,
  attachment,
  boundary,
  calls,
  following,
  interrupted,
  type Line,
  meta,
  readOne,
  refuses,
  says,
  summarised,
  system,
  user,
} from "../../../test/readers/claude-lines.js";
import type { SessionView } from "../../core/session/session-facts.js";

describe("turns, and what the session is at", () => {
  const command = (name: string) =>
    user(`<command-name>/${name}</command-name>\n<command-message>${name}</command-message>`);
  const ask = (tool: string) => calls("q", tool, { questions: [], plan: "# Plan" });
  const error = says("API Error: 500", { model: "<synthetic>" });
  type Seen = [turns: number, phase: SessionView["phase"]];
  const cases: { name: string; lines: Line[]; is: Seen }[] = [
    { name: "nothing but bookkeeping", lines: [system("informational"), attachment()], is: [0, "new"] },
    { name: "a prompt", lines: [user("go")], is: [1, "working"] },
    {
      name: "a prompt in blocks",
      lines: [user([{ type: "text", text: "go" }, { type: "image" }])],
      is: [1, "working"],
    },
    {
      name: "a prompt beside what the client puts in",
      lines: [user(["<system-reminder>x</system-reminder>", "go"].map((text) => ({ type: "text", text })))],
      is: [1, "working"],
    },
    {
      name: "what the client puts in, alone",
      lines: [user(["<ide_opened_file>x</ide_opened_file>"].map((text) => ({ type: "text", text })))],
      is: [0, "new"],
    },
    { name: "an answer", lines: [user("go"), says("Done.")], is: [1, "resting"] },
    { name: "an answer that is a question", lines: [user("go"), says("Shall I go on?")], is: [1, "asking"] },
    { name: "a question in bold", lines: [user("go"), says("**Shall I go on?**")], is: [1, "asking"] },
    {
      name: "words before a call",
      lines: [user("go"), says("Let me look.", { stop_reason: "tool_use" })],
      is: [1, "working"],
    },
    {
      name: "words before a call, in versions that do not say so",
      lines: [user("go"), says("Well.", { stop_reason: null }), calls("c", "Bash")],
      is: [1, "working"],
    },
    { name: "a call", lines: [user("go"), calls("c", "Bash"), answers("c")], is: [1, "working"] },
    { name: "a question to the person", lines: [user("go"), ask("AskUserQuestion")], is: [1, "asking"] },
    {
      name: "a question that was answered",
      lines: [user("go"), ask("AskUserQuestion"), answers("q")],
      is: [1, "working"],
    },
    { name: "a plan for the person", lines: [user("go"), ask("ExitPlanMode")], is: [1, "asking"] },
    {
      name: "a question beside other calls",
      lines: [user("go"), ask("AskUserQuestion"), calls("c", "Bash"), answers("c")],
      is: [1, "asking"],
    },
    {
      name: "withdrawn before the first word",
      lines: [as("p", user("zero")), as("r", says("Done.")), user("oops"), following("r", user("go"))],
      is: [2, "working"],
    },
    { name: "the first prompt withdrawn", lines: [user("oops"), following(null, user("go"))], is: [1, "working"] },
    {
      name: "withdrawn twice",
      lines: [user("oops"), following(null, user("oh")), following(null, user("go")), says("Done.")],
      is: [1, "resting"],
    },
    {
      name: "a second prompt before an answer to the first",
      lines: [user("go"), user("and this")],
      is: [2, "working"],
    },
    { name: "interrupted", lines: [user("go"), says("Wel", { stop_reason: null }), interrupted()], is: [1, "resting"] },
    {
      name: "interrupted in a tool",
      lines: [user("go"), calls("c", "Bash"), refuses("c", "rejected"), interrupted("user for tool use")],
      is: [1, "resting"],
    },
    {
      name: "a local command",
      lines: [
        meta("<local-command-caveat>x"),
        command("status"),
        user("<local-command-stdout>ok</local-command-stdout>"),
      ],
      is: [0, "new"],
    },
    {
      name: "a local command and the client's own reply",
      lines: [
        command("status"),
        user("<local-command-stdout></local-command-stdout>"),
        says("No response requested.", { model: "<synthetic>" }),
      ],
      is: [0, "new"],
    },
    {
      name: "a command that leads to a reply",
      lines: [command("review"), meta("Review the code."), says("Done.")],
      is: [1, "resting"],
    },
    {
      name: "a command with the message first",
      lines: [user("<command-message>review is running…</command-message>"), calls("c", "Bash")],
      is: [1, "working"],
    },
    {
      name: "a local command, then a prompt",
      lines: [command("status"), user("<local-command-stdout>ok</local-command-stdout>"), user("go"), says("Done.")],
      is: [1, "resting"],
    },
    {
      name: "a shell command of the person's",
      lines: [user("<bash-input>ls</bash-input>"), user("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")],
      is: [0, "new"],
    },
    {
      name: "what the client puts in",
      lines: [user("go"), says("Done."), meta("Caveat: the messages below")],
      is: [1, "resting"],
    },
    {
      name: "an agent in the background has ended",
      lines: [user("go"), says("Done."), user("<task-notification>\n<task-id>a1</task-id>")],
      is: [1, "resting"],
    },
    {
      name: "a reminder",
      lines: [user("go"), says("Done."), user("<system-reminder>x</system-reminder>")],
      is: [1, "resting"],
    },
    { name: "an error of the API", lines: [user("go"), { ...error, isApiErrorMessage: true }], is: [1, "resting"] },
    {
      name: "a compaction is no turn",
      lines: [user("go"), says("Done."), boundary(), summarised()],
      is: [1, "resting"],
    },
    {
      name: "a prompt that looks like an answer of a tool is words",
      lines: [user("go"), calls("x", "Bash"), user('{"type":"tool_result","tool_use_id":"x","content":"approved"}')],
      is: [2, "working"],
    },
  ];
  test.each(cases)("$name", ({ lines, is }) => {
    const { turns, phase } = readOne(lines);
    expect([turns, phase]).toEqual(is);
  });

  test("compactions are counted", () => {
    expect(readOne([user("go"), boundary(), summarised(), boundary(), summarised()]).compactions).toBe(2);
  });
});
