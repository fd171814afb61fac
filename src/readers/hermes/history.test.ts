import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import type { JsonObject } from "../../core/json.js";
import { HermesHistory, type HistoryEdition, itemsInHistory, listInHistory } from "./history.js";

const answer = (text: string, more: JsonObject = { revision: 1 }) =>
  JSON.stringify({ todos: [{ id: text, content: text, status: "pending" }], ...more });
const user: JsonObject = { role: "user", content: "go" };
const reply = (...calls: readonly JsonObject[]): JsonObject => ({ role: "assistant", tool_calls: calls });
const call = (id: string, name = "todo", input: unknown = "{}"): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: input },
});
const result = (id: unknown, content: unknown): JsonObject => ({ role: "tool", tool_call_id: id, content });
const bridge = (input: unknown) => reply(call("c", "tool_call", input));

/** The content of the first item, by edition: what was restored. */
function restored(history: readonly unknown[]): readonly (string | undefined)[] {
  return (["2026-08", "2026-09", "any"] as const).map((edition) => {
    const list = listInHistory(history, edition);
    return list && (itemsInHistory(list, edition)[0]?.content ?? "nothing");
  });
}

const NONE = [undefined, undefined, undefined];
const ALL = ["a", "a", "a"];
const OLD = [reply(call("o")), result("o", answer("old")), user];
const KEPT = ["old", "old", "old"];

describe("which list a history restores", () => {
  const rows: readonly (readonly [string, readonly unknown[], readonly (string | undefined)[]])[] = [
    ["none", [], NONE],
    ["the answer to a call", [reply(call("c")), result("c", answer("a"))], ALL],
    ["the last one", [...OLD, reply(call("c")), result("c", answer("a"))], ALL],
    [
      "an empty one is one, too",
      [...OLD, reply(call("c")), result("c", '{"todos": [], "revision": 2}')],
      ["nothing", "nothing", "nothing"],
    ],
    ["not the answer to another call", [...OLD, reply(call("c")), result("d", answer("a"))], KEPT],
    ["nor that of another tool", [...OLD, reply(call("c", "terminal")), result("c", answer("a"))], KEPT],
    ["nor one without a call", [...OLD, result("c", answer("a"))], KEPT],
    ["nor behind a person's words", [...OLD, reply(call("c")), user, result("c", answer("a"))], KEPT],
    ["nor behind the system's", [...OLD, reply(call("c")), { role: "system" }, result("c", answer("a"))], KEPT],
    ["nor behind another reply", [...OLD, reply(call("c")), reply(), result("c", answer("a"))], KEPT],
    [
      "but behind a line of another kind",
      [...OLD, reply(call("c")), { role: "session_meta" }, result("c", answer("a"))],
      ALL,
    ],
    [
      "the second of two calls",
      [reply(call("b", "terminal"), call("c")), result("b", "ok"), result("c", answer("a"))],
      ALL,
    ],
    ["no JSON, no list", [...OLD, reply(call("c")), result("c", '{"todos": [')], KEPT],
    ["no list, no list", [...OLD, reply(call("c")), result("c", '{"todos": {}, "revision": 1}')], KEPT],
    ["no object, no list", [...OLD, reply(call("c")), result("c", '["\\"todos\\""]')], KEPT],
    [
      "a name that was escaped is not found",
      [...OLD, reply(call("c")), result("c", '{"t\\u006fdos": [], "revision": 1}')],
      KEPT,
    ],
    ["no id, no answer", [...OLD, reply(call("")), result("", answer("a"))], KEPT],
    ["the new name", [reply(call("c", "todo_list")), result("c", answer("a"))], [undefined, "a", "a"]],
    [
      "through another tool",
      [bridge('{"name": "todo_list", "arguments": {}}'), result("c", answer("a"))],
      [undefined, "a", "a"],
    ],
    [
      "decoded already",
      [bridge({ name: "todo_list", arguments: "{}" }), result("c", answer("a"))],
      [undefined, "a", "a"],
    ],
    ["with another name", [bridge({ name: "todo", arguments: {} }), result("c", answer("a"))], NONE],
    ["with no arguments", [bridge({ name: "todo_list", arguments: [] }), result("c", answer("a"))], NONE],
    ["with more than that", [bridge({ name: "todo_list", arguments: {}, x: 1 }), result("c", answer("a"))], NONE],
    ["the other id", [reply({ ...call("x"), call_id: " c " }), result("c", answer("a"))], ["a", undefined, "a"]],
    ["an id with blanks", [reply(call(" c")), result("c", answer("a"))], ["a", undefined, "a"]],
    ["two answers", [reply(call("c")), result("c", answer("a")), result("c", answer("b"))], ["b", "a", "b"]],
    [
      "the first of them no list",
      [reply(call("c")), result("c", "x"), result("c", answer("b"))],
      ["b", undefined, "b"],
    ],
    ["two calls of one id", [reply(call("c"), call("c", "terminal")), result("c", answer("a"))], ["a", undefined, "a"]],
    ["an object", [reply(call("c")), result("c", JSON.parse(answer("a")))], [undefined, "a", "a"]],
    ["without a revision", [reply(call("c")), result("c", answer("a", {}))], ["a", undefined, "a"]],
    ["with one that is none", [reply(call("c")), result("c", answer("a", { revision: true }))], ["a", undefined, "a"]],
    ["or not whole", [reply(call("c")), result("c", answer("a").replace("1}", "1.0}"))], ["a", undefined, "a"]],
    ["or below zero", [reply(call("c")), result("c", answer("a", { revision: -1 }))], ["a", undefined, "a"]],
    ["with something more", [reply(call("c")), result("c", answer("a", { revision: 1, x: 1 }))], ["a", undefined, "a"]],
    [
      "with a summary that is none",
      [reply(call("c")), result("c", answer("a", { revision: 1, summary: [] }))],
      ["a", undefined, "a"],
    ],
    ["in a history with something else", [7, reply(call("c")), result("c", answer("a"))], ["a", undefined, "a"]],
  ];
  test.each(rows)("%s", (_name, history, expected) => expect(restored(history)).toEqual(expected));

  test("an answer of more than 512,000 characters is none; they are counted in code points", () => {
    const long = (count: number) => [
      reply(call("c")),
      result("c", JSON.stringify({ todos: [{ id: "a", content: "a", x: "😀".repeat(count) }], revision: 1 })),
    ];
    expect(restored(long(511_000))).toEqual(["a", "a", "a"]);
    expect(restored(long(512_000))).toEqual(NONE);
  });

  test("257 items are too many for the later edition alone", () => {
    const todos = Array.from({ length: 257 }, (_, at) => ({ id: at, content: "a" }));
    expect(restored([reply(call("c")), result("c", JSON.stringify({ todos, revision: 1 }))])).toEqual([
      "a",
      undefined,
      "a",
    ]);
  });

  test("before 2026-09 there were no parents, so the one at work moves up", () => {
    const todos = [
      { id: "a", content: "a" },
      { id: "b", content: "b", status: "in_progress", parent: "a" },
    ];
    const history = [reply(call("c")), result("c", JSON.stringify({ todos, revision: 1 }))];
    expect(restored(history)).toEqual(["b", "a", "a"]);
  });

  test("texts that Python could not make restore nothing", () => {
    const list = { todos: [new Map([["id", JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`)]])], revision: 1n };
    expect(() => itemsInHistory(list, "any")).not.toThrow();
  });
});

/** As Hermes does it: from the end, and from each answer back to its call. */
function backwards(history: readonly JsonObject[], edition: HistoryEdition): unknown {
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const from = history.slice(0, at).findLastIndex(({ role }) => role !== "tool" && role !== "session_meta");
    const group = history.slice(Math.max(0, from), at + 1);
    const before = history.slice(Math.max(0, from), at);
    const reader = new HermesHistory(edition);
    const wasAnswered = edition === "2026-09" && before.some((one) => one.tool_call_id === history[at]?.tool_call_id);
    const [first, last] = [group[0], group.at(-1)];
    if (first && last && last.role === "tool" && !wasAnswered) {
      reader.read(first);
      const list = reader.read(last);
      if (list) return list;
    }
  }
  return undefined;
}

const message = fc.oneof(
  fc.constantFrom(user, { role: "system" }, { role: "session_meta" }),
  fc
    .array(fc.record({ id: fc.constantFrom("c", "d"), name: fc.constantFrom("todo", "todo_list", "terminal") }), {
      maxLength: 2,
    })
    .map((calls) => reply(...calls.map(({ id, name }) => call(id, name)))),
  fc
    .record({
      id: fc.constantFrom("c", "d", "e"),
      content: fc.oneof(
        fc.nat(9).map((at) => answer(`t${at}`)),
        fc.constantFrom("x", answer("n", {})),
      ),
    })
    .map(({ id, content }) => result(id, content)),
);

test.each(["2026-08", "2026-09", "any"] as const)("forwards is the same as backwards: %s", (edition) => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 14 }), (history) => {
      expect(listInHistory(history, edition)).toEqual(backwards(history, edition));
    }),
    { numRuns: sized(250, 5000) },
  );
});

test("a reader that goes on later says the same", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 14 }), (history) => {
      const whole = new HermesHistory("any");
      let piece = new HermesHistory("any");
      for (const one of history) {
        expect(piece.read(one)).toEqual(whole.read(one));
        piece = new HermesHistory("any", JSON.parse(JSON.stringify(piece.save())));
      }
    }),
  );
});
