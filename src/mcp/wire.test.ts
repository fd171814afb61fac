import { describe, expect, test } from "vitest";
import { readMessage, unboxed } from "./wire.js";

const request = (more: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", ...more });

const answer = (more: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...more });
const failed = (code: number) => ({ type: "answer", message: { id: 1, error: { code } } });

describe("one line of input", () => {
  test.each<[string, string | undefined, object]>([
    ["a request", request({ method: "ping" }), { type: "request", message: { jsonrpc: "2.0", id: 1, method: "ping" } }],
    ["a request with a text as id", request({ id: "a" }), { type: "request", message: { id: "a" } }],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}', { type: "notification" }],
    ["members nobody knows", request({ extra: 1 }), { type: "request" }],
    ["a blank line", "  ", { type: "nothing" }],
    ["an answer", answer({ result: { a: 1 } }), { type: "answer", message: { id: 1, result: { a: 1 } } }],
    ["an answer that is an error", answer({ error: { code: 7, message: "m", data: 1 } }), failed(7)],
    ["an answer with a result that is none", answer({ result: 7 }), failed(-32603)],
    ["an answer with a result and an error", answer({ result: {}, error: {} }), failed(-32603)],
    ["an answer with an error that is none", answer({ error: null }), failed(-32603)],
    ["an answer to nobody", '{"jsonrpc":"2.0","result":{}}', { type: "nothing" }],
    ["a notification with odd params", '{"jsonrpc":"2.0","method":"x","params":1}', { type: "nothing" }],
    ["a _meta that is null", request({ params: { _meta: null } }), { type: "problem", id: 1, code: -32602 }],
    ["a _meta that is a list", request({ params: { _meta: [] } }), { type: "problem", id: 1, code: -32602 }],
    [
      "a token that is none",
      request({ params: { _meta: { progressToken: {} } } }),
      { type: "problem", id: 1, code: -32602 },
    ],
    ["a token", request({ params: { _meta: { progressToken: 3 } } }), { type: "request" }],
    ["no JSON", "{", { type: "problem", id: null, code: -32700 }],
    ["a line too long", undefined, { type: "problem", id: null, code: -32600 }],
    ["a batch", `[${request({})}]`, { type: "problem", id: null, code: -32600 }],
    ["an empty batch", "[]", { type: "problem", id: null, code: -32600 }],
    ["a number", "7", { type: "problem", id: null, code: -32600 }],
    ["null", "null", { type: "problem", id: null, code: -32600 }],
    ["an empty object", "{}", { type: "problem", id: null, code: -32600 }],
    ["no version", '{"id":4,"method":"ping"}', { type: "problem", id: 4, code: -32600 }],
    ["a method that is none", request({ method: 5 }), { type: "problem", id: 1, code: -32600 }],
    ["an id that is none", request({ id: null }), { type: "problem", id: null, code: -32600 }],
    ["an id that is an object", request({ id: {} }), { type: "problem", id: null, code: -32600 }],
    ["a fraction as id", request({ id: 1.5 }), { type: "problem", id: null, code: -32600 }],
    ["params that are a list", request({ params: [1] }), { type: "problem", id: 1, code: -32602 }],
  ])("%s", (_, line, then) => {
    expect(readMessage(line)).toMatchObject(then);
  });

  test.each([{ add: ["a"] }, "text", 7, null, ["a"], JSON.parse('{"__proto__":{"done":1}}')])(
    "arguments come through as they were sent: %j",
    (sent) => {
      const incoming = readMessage(request({ params: { name: "todo", arguments: sent } }));
      expect(
        incoming.type === "request" && unboxed(incoming.message.params?.arguments as { raw: unknown }).input,
      ).toEqual(sent);
    },
  );
});
