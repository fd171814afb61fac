import { expect, test } from "vitest";
import type { BaseRow, StreamRow } from "../queries.js";
import { planStream, type StreamFindings } from "./plan-stream.js";

const LAST = 77;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const row = (version: number, views: object, more: Partial<StreamRow> = {}): StreamRow => ({
  stream: "session:a",
  version,
  checksum: LAST,
  pruned: 0,
  size: 0,
  at: 5,
  views: JSON.stringify(views),
  views_checksum: 0,
  ...more,
});
const kept = (version: number) => ({ revision: 1, version, state: `as of ${version}` });
const base = (version: number, view = "list"): BaseRow => ({
  view,
  stream: "session:a",
  revision: 1,
  version,
  data: "{}",
  checksum: 0,
});
const plan = (more: Partial<StreamFindings>) =>
  planStream({
    versions: [],
    known: [],
    lastChecksum: LAST,
    row: undefined,
    bases: [],
    covering: ["list"],
    isBaseDoubtful: false,
    isForgotten: false,
    longest: 1000,
    ...more,
  });

const cases: { name: string; given: Partial<StreamFindings>; then: object }[] = [
  {
    name: "a sound stream",
    given: { versions: range(1, 5), row: row(5, { list: kept(5) }) },
    then: { begin: 0, lost: [], marks: [], refolded: [], isBaseLost: false },
  },
  {
    name: "an event in the middle: the view of the end is restored there",
    given: { versions: [1, 2, 4, 5], row: row(5, { list: kept(5) }) },
    then: {
      lost: [{ from: 3, to: 3 }],
      refolded: [],
      marks: [
        { after: 2, missing: { from: 3, to: 3 } },
        { after: 5, views: { list: kept(5) } },
      ],
    },
  },
  {
    name: "a view that was kept before the loss knows nothing of it",
    given: { versions: [1, 2, 4, 5], row: row(5, { list: kept(2) }) },
    then: { refolded: ["list"], marks: [{ after: 2, missing: { from: 3, to: 3 } }] },
  },
  {
    name: "a view between two losses is restored at its place",
    given: { versions: [1, 3, 4, 6], row: row(6, { list: kept(4) }) },
    then: {
      refolded: ["list"],
      marks: [
        { after: 1, missing: { from: 2, to: 2 } },
        { after: 4, missing: { from: 5, to: 5 } },
        { after: 4, views: { list: kept(4) } },
      ],
    },
  },
  {
    name: "the last events: the row knows how many there were",
    given: { versions: range(1, 3), lastChecksum: 1, row: row(5, { list: kept(5) }) },
    then: { lost: [{ from: 4, to: 5 }], refolded: [] },
  },
  {
    name: "the last events and the row: an index knows",
    given: { versions: range(1, 3), known: [4, 5, 6] },
    then: { lost: [{ from: 4, to: 6 }], refolded: ["list"] },
  },
  {
    name: "a version in the row that is damaged: the checksum of the last event shows the end",
    given: { versions: range(1, 5), row: row(5 + 64, { list: kept(5) }) },
    then: { lost: [], marks: [] },
  },
  {
    name: "a version in the row that no log could reach",
    given: { versions: range(1, 4), lastChecksum: 1, row: row(2 ** 40, { list: kept(5) }) },
    then: { lost: [{ from: 5, to: 5 }] },
  },
  {
    name: "pruned history: events before the base are not part of it",
    given: { versions: range(2, 8), row: row(8, { list: kept(8) }, { pruned: 4 }), bases: [base(4), base(2, "older")] },
    then: { begin: 4, lost: [], bases: [base(4)], marks: [] },
  },
  {
    name: "a base that is lost: the view stands for it",
    given: { versions: [5, 6], row: row(6, { list: kept(6) }, { pruned: 4 }), isBaseDoubtful: true },
    then: { begin: 4, lost: [], isBaseLost: true, refolded: [], marks: [{ after: 6, views: { list: kept(6) } }] },
  },
  {
    name: "a view that came after the pruning never had a base",
    given: { versions: [5, 6], row: row(6, { list: kept(6) }, { pruned: 4 }) },
    then: { begin: 4, isBaseLost: false, marks: [] },
  },
  {
    name: "a number of pruned events that the events contradict",
    given: { versions: range(1, 6), row: row(6, { list: kept(6) }, { pruned: 4 }) },
    then: { begin: 0, lost: [], marks: [] },
  },
  {
    name: "a session that was being forgotten stays forgotten",
    given: { versions: range(3, 6), row: row(6, {}, { pruned: 6 }), isForgotten: true },
    then: { begin: 6, lost: [], marks: [] },
  },
  {
    name: "one that was being forgotten, and whose row is lost",
    given: { versions: range(3, 6), isForgotten: true },
    then: { begin: 6, lost: [], marks: [] },
  },
  {
    name: "one that was being forgotten, and written to since",
    given: { versions: range(3, 8), row: row(8, { list: kept(8) }, { pruned: 6 }), isForgotten: true },
    then: { begin: 6, lost: [], marks: [] },
  },
  {
    name: "all events: what is left is the view",
    given: { lastChecksum: undefined, row: row(3, { list: kept(3) }) },
    then: { lost: [{ from: 1, to: 3 }], refolded: [] },
  },
  {
    name: "a stream that was pruned to its end",
    given: { lastChecksum: undefined, row: row(9, { list: kept(9) }, { pruned: 9 }), bases: [base(9)] },
    then: { begin: 9, lost: [], marks: [] },
  },
];

test.each(cases)("$name", ({ given, then }) => {
  expect(plan(given)).toMatchObject(then);
});
