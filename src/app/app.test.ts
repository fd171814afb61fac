import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../test/sizes.js";
import { maskPassword, parseStoreUrl } from "../store/url.js";
import { DIALECT_NAMES } from "./calls/dialect-names.js";
import { type InputLine, jsonLine, readLines } from "./json-lines.js";
import { openMilepost } from "./milepost.js";
import { chooseStore } from "./store-place.js";
import { cutToWidth, wrapWords } from "./terminal/text-width.js";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function lines(bytes: Uint8Array | string, size = 7, longest?: number): Promise<readonly InputLine[]> {
  const read: InputLine[] = [];
  const chunks = chunksOf(typeof bytes === "string" ? Buffer.from(bytes) : bytes, size);
  for await (const line of readLines(chunks, longest)) read.push(line);
  return read;
}
const texts = async (...given: Parameters<typeof lines>) => (await lines(...given)).map(({ text }) => text);

describe("lines", () => {
  test("only 0x0A ends a line; CR before it goes", async () => {
    expect(await texts("a\u2028b\r\n\u0085c\n")).toEqual(["a\u2028b", "\u0085c"]);
  });

  test("a last line without an end is a line", async () => {
    expect(await texts("a\nb")).toEqual(["a", "b"]);
    expect(await texts("")).toEqual([]);
  });

  test("a byte order mark is dropped at the start of the input only", async () => {
    expect(await texts("\ufeffa\n\ufeffb")).toEqual(["a", "\ufeffb"]);
  });

  test("bytes that are no UTF-8 become replacement characters, and later lines stay whole", async () => {
    const bad = Buffer.concat([Buffer.from("x"), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from("\nnext")]);
    expect(await texts(bad)).toEqual(["x\ufffd(\ufffd", "next"]);
  });

  test("a line beyond the limit is dropped, not kept in memory; the next one is read", async () => {
    expect(await lines(`${"x".repeat(100)}\nok\n`, 7, 10)).toEqual([
      { number: 1, text: undefined },
      { number: 2, text: "ok" },
    ]);
  });

  test("how the bytes arrive makes no difference", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const wanted = all.map((text) => text.replace(/[\r\n\ufeff]/g, "")).filter(Boolean);
        expect(await texts(wanted.map((text) => `${text}\n`).join(""), size)).toEqual(wanted);
      }),
    );
  });

  test("JSON lines hold nothing that a terminal or a splitter obeys, and read back the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const line = jsonLine({ text });
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(line)).toEqual({ text });
      }),
      { numRuns: sized(250, 5000) },
    );
  });
});

describe("the facade", () => {
  const names = DIALECT_NAMES;
  const todo = (input: object, place: object = {}) => ({ tool: "todo", input, ...place });

  test("sessions, and the agents in them, have lists of their own", async () => {
    const milepost = await openMilepost({ store: "memory:" });
    await milepost.call(todo({ add: ["a"] }, { session: "codex:1" }));
    await milepost.call(todo({ add: ["b"] }, { session: "codex:1", agent: "child" }));
    expect(await milepost.call(todo({ done: 1 }, { session: "codex:1" }))).toMatchObject({
      value: { text: "1/1 all done" },
    });
    expect(await milepost.list({ session: "codex:1", agent: "child" })).toMatchObject({
      value: { phases: [{ todos: [{ text: "b", status: "in_progress" }] }] },
    });
    expect(await milepost.list({ session: "other" })).toMatchObject({ value: { phases: [] } });
  });

  test("a write in another dialect replaces the list, it opens no second one", async () => {
    const milepost = await openMilepost({ store: "memory:" });
    await milepost.call(todo({ add: ["a", "b"] }));
    const plan = { plan: [{ step: "b", status: "in_progress" }] };
    await milepost.call({ dialect: "codex", tool: "update_plan", input: plan });
    expect(await milepost.call(todo({ done: 2 }))).toMatchObject({ value: { text: "1/1 all done" } });
  });

  test.each(["", ".", "..", "../x", "a/b", "a\\b", "a%2f..", "a b", "é", "x".repeat(129), "-x", "a\0", "a\n"])(
    "%j is no session id",
    async (session) => {
      expect(await (await openMilepost({ store: "memory:" })).call(todo({}, { session }))).toMatchObject({
        ok: false,
        error: { code: "bad-id" },
      });
      expect(await (await openMilepost({ store: "memory:" })).list({ agent: session })).toMatchObject({
        ok: false,
        error: { code: "bad-id" },
      });
    },
  );

  test("a list that is handed out is a copy", async () => {
    const milepost = await openMilepost({ store: "memory:" });
    await milepost.call(todo({ add: ["a"] }));
    const list = await milepost.list();
    if (list.ok) (list.value.phases as unknown[]).length = 0;
    expect(await milepost.call(todo({ done: 1 }))).toMatchObject({ value: { text: "1/1 all done" } });
  });

  test("an unknown dialect is named, with those there are", async () => {
    expect(await (await openMilepost({ store: "memory:" })).call({ ...todo({}), dialect: "x" })).toMatchObject({
      error: { code: "unknown-dialect", message: `There is no dialect "x". Dialects: ${names.join(", ")}.` },
    });
  });
});

describe("rows", () => {
  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["日本語", 5, "日本…"],
    ["日本語", 6, "日本語"],
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"],
  ])("%s in %i columns is %s", (text, columns, row) => {
    expect(cutToWidth(text, columns)).toBe(row);
  });

  test("words wrap, and a word wider than the row is cut", () => {
    expect(wrapWords("aa bb cccccc d", 5)).toEqual(["aa bb", "cccc…", "d"]);
  });
});

describe("where the store is", () => {
  test.each([
    ["memory:", { type: "memory" }],
    ["lists.db", { type: "file", path: "lists.db" }],
    ["sqlite:/x/y.db", { type: "file", path: "/x/y.db" }],
    ["sqlite:///x/y.db", { type: "file", path: "/x/y.db" }],
    ["C:\\x\\y.db", { type: "file" }],
    ["postgres://u:p@ss:w@db/x", { type: "server", name: "postgres://u:***@db/x" }],
    ["postgresql://db/x?password=secret&a=b", { type: "server", name: "postgresql://db/x?password=***&a=b" }],
  ])("%s", (url, place) => {
    expect(parseStoreUrl(url)).toMatchObject(place);
  });

  test.each([
    "mysql://u:pa55w0rd@db/x",
    "sqlite:",
    "a\0b",
    " ",
    ":memory:",
    "memory",
    "folder/",
    "--json",
    "~/x.db",
    "sqlite://x.db",
    "x.db-wal",
    "x.head",
    "host=x password=pa55w0rd",
    "x".repeat(250),
  ])("%j is none, and no password is shown", (url) => {
    expect(() => parseStoreUrl(url)).toThrow(/cannot be used/);
    expect(() => parseStoreUrl(url)).not.toThrow(/pa55w0rd/);
  });

  test.each([
    ["postgres://user:pa55w0rd@db.example/x", "postgres://user:***@db.example/x"],
    ["postgres://user@db/x", "postgres://user@db/x"],
    ["postgres://user:pa/ss#wo?rd@db/x", "postgres://user:***@db/x"],
    ["postgres:bob:PW@h", "postgres:bob:***@h"],
    ["postgres:/bob:PW@h/db", "postgres:/bob:***@h/db"],
    ["postgres://bob%3APW@h/db", "postgres://bob:***@h/db"],
    ["postgres:bob%3apw@h", "postgres:bob:***@h"],
    ["postgres:///db?password=PW&user=bob", "postgres:///db?password=***&user=bob"],
    ["postgres://:PW@h", "postgres://:***@h"],
    ["host=h user=bob password=PW dbname=d", "host=h user=bob password=*** dbname=d"],
    ["host=h password='P W' user=bob", "host=h password=*** user=bob"],
    ["host=h password = PW", "host=h password = ***"],
    ["./work.db", "./work.db"],
  ])("%s is shown as %s", (url, shown) => {
    expect(maskPassword(url)).toBe(shown);
  });

  test.each([
    ["asked.db", { MILEPOST_STORE: "env.db" }, { url: "asked.db", isOwnFolder: false }],
    [undefined, { MILEPOST_STORE: "env.db", MILEPOST_HOME: "/home/m" }, { url: "env.db", isOwnFolder: false }],
    [undefined, { MILEPOST_STORE: "", MILEPOST_HOME: "/m" }, { url: "/m/milepost.db", isOwnFolder: true }],
    [undefined, { XDG_STATE_HOME: "/state" }, { url: "/state/milepost/milepost.db", isOwnFolder: true }],
  ])("asked for %s with %j", (asked, environment, chosen) => {
    expect(chooseStore(asked, environment)).toEqual(chosen);
  });
});
