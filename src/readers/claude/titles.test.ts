import { describe, expect, test } from "vitest";
import { as, chained, following, type Line, meta, readOne, says, user } from "../../../test/readers/claude-lines.js";
import { claudeSession } from "./claude-session.js";

describe("titles", () => {
  const title = (type: string, fields: object): Line => ({ type, ...fields });
  const summary = (text: string, leafUuid: string) =>
    title("summary", { summary: text, leafUuid, sessionId: undefined });
  const talk = [as("p", user("Please  help\nme")), as("end", says("Done."))];
  const ai = (text: string) => title("ai-title", { aiTitle: text });
  const custom = (text: string) => title("custom-title", { customTitle: text });
  const cases: { name: string; lines: Line[]; title: string }[] = [
    { name: "the first prompt, in one line", lines: talk, title: "Please help me" },
    { name: "not the second", lines: [...talk, user("and more")], title: "Please help me" },
    { name: "not one that was withdrawn", lines: [user("oops"), following(null, user("go"))], title: "go" },
    {
      name: "not a command, nor what the client puts in",
      lines: [meta("Caveat"), user("<command-name>/x</command-name>"), user("go")],
      title: "go",
    },
    { name: "a summary of this conversation, before it", lines: [summary("Help", "end"), ...talk], title: "Help" },
    { name: "a summary of this conversation, after it", lines: [...talk, summary("Help", "end")], title: "Help" },
    {
      name: "a summary of another conversation",
      lines: [summary("Else", "zzz"), ...talk, summary("Else", "yyy")],
      title: "Please help me",
    },
    {
      name: "a summary that is a JSON answer",
      lines: [...talk, summary('{"title":"Nice","x":1}', "end")],
      title: "Nice",
    },
    { name: "a summary that only looks like one", lines: [...talk, summary("{not json}", "end")], title: "{not json}" },
    { name: "the model's title, even before the first prompt", lines: [ai("Helping"), ...talk], title: "Helping" },
    { name: "the last of the model's titles", lines: [ai("One"), ...talk, ai("Two")], title: "Two" },
    { name: "the name a person gave", lines: [...talk, ai("One"), custom("Mine")], title: "Mine" },
    {
      name: "also when the model's title is written again",
      lines: [...talk, custom("Mine"), ai("One")],
      title: "Mine",
    },
    {
      name: "the last name a person gave",
      lines: [...talk, custom("Mine"), ai("One"), custom("Yours")],
      title: "Yours",
    },
    {
      name: "what is no title",
      lines: [...talk, ai(""), custom(""), title("ai-title", { aiTitle: 7 }), title("x-title", {})],
      title: "Please help me",
    },
    { name: "a long one is cut", lines: [user("x".repeat(500))], title: "x".repeat(120) },
  ];
  test.each(cases)("$name", ({ lines, title: expected }) => expect(readOne(lines).title).toBe(expected));

  test("the name a person gave holds after going on later, too", () => {
    const reader = claudeSession.open("s1.jsonl");
    for (const one of chained([...talk, custom("Mine")])) reader.read(one);
    const later = claudeSession.open("s1.jsonl", { saved: JSON.parse(JSON.stringify(reader.save())) });
    expect(later.read({ ...ai("One"), sessionId: "s1" })).toEqual([]);
  });
});
