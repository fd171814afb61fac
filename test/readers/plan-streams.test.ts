import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type JsonObject, listAt, objectAt } from "../../src/core/json.js";
import { ProposedPlanParser } from "../../src/core/plan/proposed-plan.js";
import { bytesOf } from "./recorded.js";

const linesOf = (text: string): readonly JsonObject[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

type Told = readonly [channel: string, delta: string];

/** What Codex 0.166.0 made of the pieces of one message in plan mode: each delta, and the items; null for no item. */
interface Stream {
  readonly pieces: readonly string[];
  readonly deltas: readonly Told[];
  readonly text: string | null;
  readonly plan: string | null;
}

const FILE = fileURLToPath(new URL("../fixtures/codex-plan-streams.jsonl", import.meta.url));
const streams = linesOf(readFileSync(FILE, "utf8")) as unknown as readonly Stream[];

function parse(pieces: readonly string[]): Omit<Stream, "pieces"> {
  const parser = new ProposedPlanParser();
  const pushed = pieces.flatMap((piece) => parser.push(piece));
  const { deltas, text, plan } = parser.end();
  const told = [...pushed, ...deltas].map(({ channel, delta }): Told => [channel, delta]);
  return { deltas: told, text: text === "" ? null : text, plan: plan ?? null };
}

const joined = (deltas: readonly Told[], channel: string) =>
  deltas.map(([one, delta]) => (one === channel ? delta : "")).join("");

describe("what Codex itself streams", () => {
  test.each(streams.map((one) => [JSON.stringify(one.pieces.join("")), one] as const))("%s", (_, stream) => {
    const { pieces, deltas, text, plan } = stream;
    const parsed = parse(pieces);
    expect(parsed).toMatchObject({ text, plan });
    for (const channel of ["text", "plan"]) expect(joined(parsed.deltas, channel)).toBe(joined(deltas, channel));
    // The client also looks for tags of its own inside of lines, so it holds a `<` at the end of a piece back.
    if (!pieces.some((piece) => piece.endsWith("<"))) expect(parsed.deltas).toEqual(deltas);
  });
});

describe("the recorded session", () => {
  const recorded = (file: string) => linesOf(bytesOf("codex", file).toString());
  const sent = recorded("0.166.0-plan-mode.appserver.jsonl").map(({ method, params }) => ({
    method,
    ...objectAt(params),
  }));
  const items = sent.filter(({ method }) => method === "item/completed").map((one) => objectAt(objectAt(one).item));
  const textOf = (type: string) => items.find((item) => item.type === type)?.text;
  const CHANNELS: Readonly<Record<string, string>> = { "item/agentMessage/delta": "text", "item/plan/delta": "plan" };
  const messages = recorded("0.166.0-plan-mode.jsonl")
    .map(({ payload }) => objectAt(payload))
    .filter(({ type, role }) => type === "message" && role === "assistant")
    .map(({ content }) => String(objectAt(listAt(content)[0]).text));

  test("its deltas and items come from the message that the model wrote", () => {
    const [message = ""] = messages;
    const pieces = ["Intro te", "xt\n<prop", "osed_plan>\n# Ren", "ame helper\n", "\n- Rename x to y\n- Ru"];
    const rest = ["n the tests\n</propo", "sed_plan>", "\nOutro line\n"];
    expect([...pieces, ...rest].join("")).toBe(message);
    const deltas = sent.flatMap((one): Told[] => {
      const channel = CHANNELS[String(one.method)];
      return channel === undefined ? [] : [[channel, String(objectAt(one).delta)]];
    });
    // The last delta is of the turn that carries the plan out.
    const { deltas: told, ...made } = parse([...pieces, ...rest]);
    expect(told).toEqual(deltas.slice(0, -1));
    expect(made).toEqual({ text: textOf("agentMessage"), plan: textOf("plan") });
    expect(parse([message])).toMatchObject(made);
  });
});
