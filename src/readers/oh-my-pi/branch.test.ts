import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chained,
  edit,
  HEADER,
  phase,
  read,
  result,
  says,
  shown,
  to,
  user,
  viewOf,
  wrote,
} from "../../../test/readers/oh-my-pi-lines.js";
import type { JsonObject } from "../../core/json.js";
import { evolveView, newView, type SessionView } from "../../core/session/session-facts.js";
import { Transcript } from "../transcript.js";
import { ohMyPiSession } from "./oh-my-pi-session.js";

describe("the branch that the session stands on", () => {
  const [A, B] = [wrote("a!"), wrote("b!")];
  const cases: [name: string, entries: JsonObject[], list: string[]][] = [
    ["going on", [A, user("x"), says("y")], ["P: a!"]],
    ["back to before the list", [user("x"), A, to("e1", user("other way"))], []],
    ["back, and another list", [user("x"), A, to("e1", B)], ["P: b!"]],
    ["back to the list", [A, B, to("e1", user("x"))], ["P: a!"]],
    ["back, and back again", [A, B, to("e1", user("x")), to("e2", user("y"))], ["P: b!"]],
    ["a second root", [A, to(null, user("x"))], []],
    ["a root that says nothing of it", [A, to(undefined, user("x"))], []],
    ["an entry that was never written", [A, to("gone", user("x"))], []],
    ["an entry that follows itself", [A, to("e2", user("x"))], []],
    ["an entry without an id follows the last one", [A, { ...B, id: undefined }], ["P: b!"]],
    ["labels do not move it", [A, { type: "label", targetId: "e1", label: "x" }], ["P: a!"]],
    ["a compaction does not cut it", [A, { type: "compaction", summary: "s", firstKeptEntryId: "e2" }], ["P: a!"]],
    [
      "a summary of another branch",
      [A, B, to("e1", { type: "branch_summary", fromId: "e2", summary: "s" })],
      ["P: a!"],
    ],
    ["an entry nobody knows", [A, B, to("e1", { type: "later_version" })], ["P: a!"]],
  ];
  test.each(cases)("%s", (_, entries, list) => expect(shown(read(...entries))).toEqual(list));

  test("in the first version there are no ids: each entry follows the one before it", () => {
    const { version: _, ...header } = HEADER;
    expect(shown(viewOf([header, A, user("x"), B]))).toEqual(["P: b!"]);
    expect(shown(viewOf([{ ...header, version: 1 }, ...chained([A, to("nowhere", user("x"))])]))).toEqual(["P: a!"]);
  });

  test("a number is given once, on whichever branch", () => {
    const numbers = ({ list }: SessionView) => list.phases.flatMap(({ todos }) => todos.map(({ number }) => number));
    expect(numbers(read(wrote("a"), wrote("a", "b"), to("e1", wrote("a", "c"))))).toEqual([1, 3]);
    expect(numbers(read(wrote("a", "b"), wrote("b.", "a")))).toEqual([2, 1]);
  });
});

describe("a long session", () => {
  const long = [wrote("a!"), ...Array.from({ length: 600 }, (_, at) => (at === 0 ? wrote("b!") : user(`${at}`)))];
  const lines = (entries: readonly JsonObject[]) =>
    Buffer.from([HEADER, ...chained(entries)].map((record) => `${JSON.stringify(record)}\n`).join(""));
  const transcriptOf = (entries: readonly JsonObject[], isThorough: boolean) => {
    const transcript = new Transcript({ file: "f.jsonl", isThorough });
    transcript.push(lines(entries));
    return transcript;
  };
  const listIn = (transcript: Transcript) => shown(transcript.views.get("s1") ?? newView(""));

  test("back beyond what is remembered: it is lost, and one that is thorough knows", () => {
    const back = [...long, to("e1", user("x"))];
    expect(transcriptOf(back, false).isLost).toBe(true);
    const thorough = transcriptOf(back, true);
    expect([thorough.isLost, listIn(thorough)]).toEqual([false, ["P: a!"]]);
  });

  test("back to what is remembered, or to the very beginning, it is not", () => {
    const known: [parent: string | null, list: string[]][] = [
      ["e500", ["P: b!"]],
      [null, []],
    ];
    for (const [parent, list] of known) {
      const transcript = transcriptOf([...long, to(parent, user("x"))], false);
      expect([transcript.isLost, listIn(transcript)]).toEqual([false, list]);
    }
  });

  test("gone on with later, it is lost where it goes back beyond what was kept", () => {
    const entries = chained(long.slice(0, 100));
    const later = (parentId: string | null) => {
      const reader = ohMyPiSession.open("f.jsonl");
      for (const record of [HEADER, ...entries]) reader.read(record);
      const next = ohMyPiSession.open("f.jsonl", { saved: JSON.parse(JSON.stringify(reader.save())) });
      next.read({ ...user("x"), id: "q", parentId });
      return next.isLost;
    };
    expect([later("e100"), later("e90"), later("e30"), later(null)]).toEqual([false, false, true, false]);
  });

  test("what is kept between two looks stays small", () => {
    const saved = transcriptOf(long, false).save();
    expect(saved?.reader.length).toBeLessThan(4000);
  });
});

describe("any tree of entries", () => {
  const entry = fc.record({
    /** How far back it goes; 0 follows the last one, and more than there are is a root or an entry that is gone. */
    back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 50 })),
    kind: fc.constantFrom("talk", "write", "edit", "refused", "strange"),
    texts: fc.uniqueArray(fc.constantFrom("a", "b.", "c!", "d-", "e"), { maxLength: 4 }),
    isGone: fc.boolean(),
  });

  function entryOf(kind: string, texts: readonly string[]): JsonObject {
    const phases = [phase("P", ...texts)];
    if (kind === "write") return result("todo_write", { phases });
    if (kind === "edit") return edit({ phases });
    if (kind === "refused") return result("todo_write", { phases }, { isError: true });
    return kind === "strange" ? edit({ phases: "none" }) : user("x");
  }

  /** The rule itself: from the last entry to its root, and the first one that says a list. */
  function walk(entries: readonly JsonObject[], written: ReadonlyMap<string, readonly string[]>): readonly string[] {
    const byId = new Map(entries.map((one) => [String(one.id), one]));
    let at = entries.at(-1);
    while (at) {
      const texts = written.get(String(at.id));
      if (texts) return [`P: ${texts.join(", ")}`];
      at = byId.get(String(at.parentId));
    }
    return [];
  }

  test("the list is what a walk from the last entry to its root finds, read at once or in pieces", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (plan) => {
        const written = new Map<string, readonly string[]>();
        const entries = plan.map(({ back, kind, texts, isGone }, at) => {
          const parent = at - 1 - back;
          const parentId = parent >= 0 ? `e${parent}` : isGone ? "gone" : null;
          if (kind === "write" || kind === "edit") written.set(`e${at}`, texts);
          return { ...entryOf(kind, texts), id: `e${at}`, parentId };
        });
        const expected = walk(entries, written);
        expect(shown(viewOf([HEADER, ...entries]))).toEqual(expected);
        expect(shown(inPieces([HEADER, ...entries]))).toEqual(expected);
      }),
    );
  });

  /** Another reader goes on after each record; once it is lost, a thorough one reads everything. */
  function inPieces(records: readonly JsonObject[]): SessionView {
    let reader = ohMyPiSession.open("f.jsonl");
    let view = newView("s1");
    for (const record of records) {
      view = reader.read(record).reduce(evolveView, view);
      if (reader.isLost) return thoroughly(records);
      reader = ohMyPiSession.open("f.jsonl", { saved: JSON.parse(JSON.stringify(reader.save())) });
    }
    return view;
  }

  function thoroughly(records: readonly JsonObject[]): SessionView {
    const reader = ohMyPiSession.open("f.jsonl", { isThorough: true });
    return records.flatMap((record) => reader.read(record)).reduce(evolveView, newView("s1"));
  }
});
