import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../test/sizes.js";
import { baseChecksum, eventChecksum, viewsChecksum } from "./checksum.js";
import { formatCursor, isAfter, parseCursor } from "./cursor.js";
import { isEventType } from "./event-store.js";
import { Observations } from "./log/observations.js";
import { isStream, sessionStream } from "./stream.js";

describe("stream names", () => {
  test.each(["session:a", "session:codex:0199-x", "session:a/child", "calls:a", "task:main/12", "list:a.b_c-d"])(
    "%s is one",
    (name) => expect(isStream(name)).toBe(true),
  );

  test.each([
    "",
    "session",
    "session:",
    ":a",
    "Session:a",
    "session:a/",
    "session:a/b/c",
    "session:../x",
    "session:a b",
    "session:.",
    "session:a.",
    "session:CON",
    "session:é",
    "session:a\n",
    "session:a\0",
    `session:${"x".repeat(129)}`,
    7,
    null,
  ])("%j is none", (name) => expect(isStream(name)).toBe(false));

  test("a sub-agent has its own", () => {
    expect([sessionStream("a"), sessionStream("a", "b")]).toEqual(["session:a", "session:a/b"]);
  });
});

test.each([
  ["todo.added", true],
  ["list.x-y.z1", true],
  ["todo", false],
  ["Todo.added", false],
  ["todo.added\n", false],
  [`a.${"b".repeat(200)}`, false],
  [undefined, false],
])("the type %j: %j", (type, is) => {
  expect(isEventType(type)).toBe(is);
});

describe("cursors", () => {
  const position = fc.record({
    xid: fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String),
    seq: fc.integer({ min: 1, max: 2 ** 50 }),
  });

  test("what is written is read back", () => {
    fc.assert(
      fc.property(position, ({ xid, seq }) => {
        const [one, many] = [{ concurrentWriters: false }, { concurrentWriters: true }];
        expect(parseCursor(one, formatCursor(one, { xid, seq }))).toEqual({ xid: "0", seq });
        expect(parseCursor(many, formatCursor(many, { xid, seq }))).toEqual({ xid, seq });
      }),
    );
  });

  test("order is by transaction first, as numbers", () => {
    expect(isAfter({ xid: "1000", seq: 1 }, { xid: "999", seq: 5 })).toBe(true);
    expect(isAfter({ xid: "7", seq: 2 }, { xid: "7", seq: 2 })).toBe(false);
    expect(isAfter({ xid: "7", seq: 3 }, { xid: "7", seq: 2 })).toBe(true);
  });

  test("nothing else is one", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const concurrentWriters of [false, true])
          if (parseCursor({ concurrentWriters }, text)) expect(text).toMatch(/^\d+(?:\.\d+)?$/);
      }),
      { numRuns: sized(250, 5000) },
    );
  });
});

describe("checksums", () => {
  const event = { stream: "session:a", version: 1, id: "i", type: "a.b", at: 5, actor: "w", data: '{"a":1}' };
  const changes = [
    { stream: "session:b" },
    { version: 2 },
    { id: null },
    { id: "j" },
    { type: "a.c" },
    { at: 6 },
    { actor: null },
    { data: '{"a":2}' },
  ];

  test.each(changes)("an event's changes with %j", (change) => {
    expect(eventChecksum({ ...event, ...change })).not.toBe(eventChecksum(event));
  });

  test.each([{ view: "w" }, { stream: "session:b" }, { revision: 2 }, { version: 3 }, { data: "{ }" }])(
    "a base's changes with %j",
    (change) => {
      const view = { view: "v", stream: "session:a", revision: 1, version: 2, data: "{}" };
      expect(baseChecksum({ ...view, ...change })).not.toBe(baseChecksum(view));
    },
  );

  test.each([{ stream: "session:b" }, { views: "{ }" }])("that of views changes with %j", (change) => {
    const row = { stream: "session:a", views: "{}" };
    expect(viewsChecksum({ ...row, ...change })).not.toBe(viewsChecksum(row));
  });

  test("a flipped bit anywhere in the data is found", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(15), (text, at, bit) => {
        const index = at % text.length;
        const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
        const other = text.slice(0, index) + flipped + text.slice(index + 1);
        const sums = [text, other].map((data) => eventChecksum({ ...event, data: JSON.stringify(data) }));
        expect(sums[0] === sums[1]).toBe(text === other);
      }),
    );
  });
});

describe("observations", () => {
  test("join, are cut into bounded pieces, and fail together", async () => {
    const sizes: number[] = [];
    const gathered = new Observations(async (writes) => {
      sizes.push(writes.reduce((sum, { events }) => sum + events.length, 0));
    });
    const event = { type: "a.b", data: {} };
    await Promise.all(Array.from({ length: 7 }, () => gathered.add("calls:a", new Array(200).fill(event))));
    await gathered.add("calls:a", new Array(1200).fill(event));
    expect(sizes).toEqual([400, 400, 400, 200, 500, 500, 200]);
    const broken = new Observations(async () => {
      throw new Error("full");
    });
    const all = await Promise.allSettled([broken.add("calls:a", [event]), broken.add("calls:b", [event])]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
