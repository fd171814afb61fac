import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PlanDelta, ProposedPlanParser, proposedPlanIn } from "./proposed-plan.js";

const OPEN = "<proposed_plan>";
const CLOSE = "</proposed_plan>";

function parse(pieces: readonly string[]) {
  const parser = new ProposedPlanParser();
  const pushed = pieces.map((piece) => parser.push(piece));
  const { deltas: last, text, plan } = parser.end();
  const deltas = [...pushed.flat(), ...last];
  const joined = (channel: PlanDelta["channel"]) =>
    deltas.map((one) => (one.channel === channel ? one.delta : "")).join("");
  return { pushed, last, text, plan, said: joined("text"), planned: joined("plan") };
}

describe("a message", () => {
  const cases: { name: string; message: string; text: string; plan?: string; planned?: string }[] = [
    { name: "without a plan", message: "Nothing.\n", text: "Nothing.\n" },
    { name: "a plan alone", message: `${OPEN}\n# A\n${CLOSE}`, text: "", plan: "# A\n" },
    {
      name: "text around it",
      message: `Hi\n${OPEN}\n# A\n\n- b\n${CLOSE}\nBye\n`,
      text: "Hi\nBye\n",
      plan: "# A\n\n- b\n",
    },
    { name: "blanks around tags", message: ` \t${OPEN} \na\n\u00a0${CLOSE}\t\nb`, text: "b", plan: "a\n" },
    { name: "CRLF", message: `a\r\n${OPEN}\r\nb\r\n${CLOSE}\r\nc\r\n`, text: "a\r\nc\r\n", plan: "b\r\n" },
    {
      name: "NEL is a blank, a byte order mark is not",
      message: `\u0085${OPEN}\na\n\ufeff${CLOSE}`,
      text: "",
      plan: `a\n\ufeff${CLOSE}`,
    },
    { name: "words before the opening tag", message: `See ${OPEN}\na\n${CLOSE}\n`, text: `See ${OPEN}\na\n${CLOSE}\n` },
    { name: "words behind the closing tag", message: `${OPEN}\na\n${CLOSE} b\n`, text: "", plan: `a\n${CLOSE} b\n` },
    { name: "both tags on a line", message: `${OPEN}${CLOSE}\n`, text: `${OPEN}${CLOSE}\n` },
    { name: "a tag in capitals", message: "<Proposed_Plan>\n", text: "<Proposed_Plan>\n" },
    { name: "half a tag", message: "<proposed_\nplan>\n", text: "<proposed_\nplan>\n" },
    { name: "half a tag at the end", message: "a\n<proposed_pl", text: "a\n<proposed_pl" },
    { name: "an opening tag inside", message: `${OPEN}\na\n${OPEN}\nb\n${CLOSE}`, text: "", plan: `a\n${OPEN}\nb\n` },
    { name: "a closing tag outside", message: `${CLOSE}\na`, text: `${CLOSE}\na` },
    {
      name: "two plans: the last counts",
      message: `1:\n${OPEN}\na\n${CLOSE}\n2:\n${OPEN}\nb\n${CLOSE}\n`,
      text: "1:\n2:\n",
      plan: "b\n",
      planned: "a\nb\n",
    },
    {
      name: "two plans, the last is empty",
      message: `${OPEN}\na\n${CLOSE}\n${OPEN}\n${CLOSE}`,
      text: "",
      plan: "",
      planned: "a\n",
    },
    { name: "a plan without an end", message: `${OPEN}\na\nb`, text: "", plan: "a\nb" },
    { name: "an opening tag as the last line", message: `a\n${OPEN}`, text: "a\n", plan: "" },
    { name: "blanks at the end of a plan without an end", message: `${OPEN}\na\n  `, text: "", plan: "a\n  " },
    {
      name: "blanks before the first word",
      message: `\n \n${OPEN}\na\n${CLOSE}\n\n b`,
      text: "\n \n\n b",
      plan: "a\n",
    },
    { name: "nothing but blanks beside the plan", message: `\n${OPEN}\na\n${CLOSE}\n \n`, text: "", plan: "a\n" },
    { name: "nothing but blanks", message: " \n\t", text: "" },
    { name: "empty", message: "", text: "" },
    { name: "control characters", message: `${OPEN}\n\u0000\u001b[2J\n${CLOSE}`, text: "", plan: "\u0000\u001b[2J\n" },
    { name: "half a character", message: `\ud83d\n${OPEN}\n\ude00\ud83d`, text: "\ud83d\n", plan: "\ude00\ud83d" },
  ];
  test.each(cases)("$name", ({ message, text, plan, planned }) => {
    for (const pieces of [[message], [...message], message.split("")])
      expect(parse(pieces)).toMatchObject({ text, said: text, plan, planned: planned ?? plan ?? "" });
    expect(proposedPlanIn(message)).toBe(plan);
  });

  test("a line of blanks is not held back for ever", () => {
    const blanks = " ".repeat(5_000);
    expect(parse(["a\n", blanks]).pushed[1]).toEqual([{ channel: "text", delta: blanks }]);
    for (const pieces of [[`a\n${blanks}${OPEN}\nb`], ["a\n", ...blanks, OPEN, "\nb"]])
      expect(parse(pieces)).toMatchObject({ text: `a\n${blanks}${OPEN}\nb`, plan: undefined });
  });

  test("what is sure is told at once", () => {
    expect(parse(["Hel", "lo\n", "  ", "<pro", "mise>", "\n"]).pushed).toEqual([
      [{ channel: "text", delta: "Hel" }],
      [{ channel: "text", delta: "lo\n" }],
      [],
      [],
      [{ channel: "text", delta: "  <promise>" }],
      [{ channel: "text", delta: "\n" }],
    ]);
    expect(parse([`a\n${OPEN}\nb\nc\n${CLOSE}\nd`]).pushed).toEqual([
      [
        { channel: "text", delta: "a\n" },
        { channel: "plan", delta: "b\nc\n" },
        { channel: "text", delta: "d" },
      ],
    ]);
  });

  test("takes time in proportion to its length, whatever it says", () => {
    const began = performance.now();
    for (const line of [`${" ".repeat(4000)}x\n`, `${OPEN}${" ".repeat(4000)}x\n`, `${OPEN}\n${CLOSE}\n`, "<prop\n"]) {
      const message = line.repeat(1_000_000 / line.length);
      expect(parse([message, message.slice(0, 5_000)]).text.length).toBeLessThanOrEqual(1_005_000);
    }
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(OPEN, CLOSE, "\n", "\r\n", `\n${OPEN}\n`, `\n${CLOSE}\n`) },
  { weight: 4, arbitrary: fc.constantFrom(" ", "\t", "  ", "\u00a0", "\u2028", "\u0085", "\ufeff") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("<", "/", ">", "<prop", "osed_plan>", "</", "</proposed_plan", "<proposed_plan x>"),
  },
  { weight: 2, arbitrary: fc.constantFrom("a", "# Plan", "- b", "é", "😀", "\ud83d", "\ude00", "\u0000", "\u001b[2J") },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const message = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));

/** The rules once more, line by line of a whole message. */
function linesOf(whole: string) {
  let isInside = false;
  const kept: { channel: PlanDelta["channel"]; line: string }[] = [];
  for (const line of whole.split(/(?<=\n)/)) {
    const word = line.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
    if (word === (isInside ? CLOSE : OPEN)) isInside = !isInside;
    else kept.push({ channel: isInside ? "plan" : "text", line });
  }
  const joined = (channel: PlanDelta["channel"]) =>
    kept.map((one) => (one.channel === channel ? one.line : "")).join("");
  return { text: joined("text"), planned: joined("plan") };
}

test("however a message is cut, it is the same message, and no tag is in it", () => {
  fc.assert(
    fc.property(message, fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 12 }), (whole, places) => {
      const cuts = [0, ...places.map((place) => Math.min(place, whole.length)), whole.length].sort((a, b) => a - b);
      const pieces = cuts.slice(1).map((end, at) => whole.slice(cuts[at], end));
      const [once, cut, units] = [parse([whole]), parse(pieces), parse(whole.split(""))];
      const { text, planned } = linesOf(whole);
      const told = { text: /\P{White_Space}/u.test(text) ? text : "", planned };
      for (const one of [once, cut, units]) {
        expect(one).toMatchObject({ ...told, said: told.text, plan: once.plan });
        expect((one.plan ?? "").length).toBeLessThanOrEqual(planned.length);
        expect(planned.endsWith(one.plan ?? "")).toBe(true);
      }
      expect(proposedPlanIn(whole)).toBe(once.plan);
    }),
  );
});
