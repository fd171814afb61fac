import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { planWith, reportWith } from "../../../test/readers/session-reports.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { MOST_SESSIONS, mergeMarks, parseMarks } from "./mark-file.js";
import { openMarks } from "./person-marks.js";

const root = mkdtempSync(join(tmpdir(), "milepost-marks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = join(root, "home");
const file = join(folder, "view.json");
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

const START = Date.parse("2026-03-01T12:00:00Z");
const minute = (minutes: number) => START + 60_000 * minutes;
const iso = (minutes: number) => new Date(minute(minutes)).toISOString();
const open = (at = 0, complaints: string[] = []) =>
  openMarks(folder, { now: () => minute(at), complain: (text) => void complaints.push(text) });

const session = (state: SessionReport["state"], since: number, fields: Partial<SessionReport> = {}): SessionReport =>
  reportWith({}, { state, why: { reason: "in-turn", source: "hook", since: iso(since), word: null }, ...fields });
const gone = (reason: "process-gone" | "long-quiet", since: number) =>
  session("ended", since, { why: { reason, source: "process", since: iso(since), word: null } });
const alert = (at: number) => ({
  detector: "d",
  level: "warn" as const,
  count: 1,
  at: iso(at),
  message: "",
  isOver: false,
});
const running = session("running", 1);

describe("what is new", () => {
  const rows: { name: string; seen: SessionReport; now: SessionReport; isNew: boolean }[] = [
    { name: "the same", seen: session("idle", 5), now: session("idle", 5), isNew: false },
    { name: "calls", seen: running, now: session("running", 9, { calls: { total: 9, failed: 2 } }), isNew: false },
    { name: "it waits", seen: running, now: session("waiting", 5), isNew: true },
    { name: "its turn is over", seen: running, now: session("idle", 5), isNew: true },
    { name: "it stalls", seen: running, now: session("stalled", 5), isNew: true },
    { name: "it goes on", seen: session("waiting", 5), now: session("running", 6), isNew: false },
    { name: "its next turn is over", seen: session("idle", 5), now: session("idle", 6), isNew: true },
    { name: "the same moment by another source", seen: session("idle", 5), now: session("idle", 5.02), isNew: false },
    { name: "its process is gone", seen: session("idle", 5), now: gone("process-gone", 5), isNew: true },
    { name: "a day of silence", seen: session("idle", 5), now: gone("long-quiet", 5), isNew: false },
    {
      name: "a finished list",
      seen: running,
      now: session("running", 1, { finished: { at: iso(4), phases: [] } as SessionReport["finished"] }),
      isNew: true,
    },
    {
      name: "a plan",
      seen: running,
      now: session("running", 1, { plan: planWith({ proposedAt: iso(4) }) }),
      isNew: true,
    },
    { name: "an alert", seen: running, now: session("running", 1, { alerts: [alert(4)] }), isNew: true },
    {
      name: "the second alert",
      seen: session("running", 1, { alerts: [alert(4)] }),
      now: session("running", 1, { alerts: [alert(4), alert(7)] }),
      isNew: true,
    },
  ];
  test.each(rows)("$name: $isNew", ({ seen, now, isNew }) => {
    const marks = open();
    marks.seen(seen, minute(3));
    expect(marks.isNew(now)).toBe(isNew);
    marks.seen(now, minute(8));
    expect(marks.isNew(now)).toBe(false);
  });

  test("nothing at the first start ever, and then what has happened since", async () => {
    const first = open(10);
    expect(first.isNew(session("waiting", 9))).toBe(false);
    expect(first.isNew(session("waiting", 11))).toBe(true);
    await first.save();
    expect(open(20).isNew(session("waiting", 11))).toBe(true);
    expect(open(20).isNew(session("waiting", 9))).toBe(false);
  });
});

describe("pins and snoozes", () => {
  test("are kept", async () => {
    const marks = open();
    marks.togglePin("s1");
    marks.snooze("s2", minute(30));
    await marks.save();
    const next = open(1);
    expect([next.isPinned("s1"), next.isPinned("s2")]).toEqual([true, false]);
    expect([next.snoozedUntil("s2", minute(29)), next.snoozedUntil("s2", minute(30))]).toEqual([minute(30), undefined]);
    next.togglePin("s1");
    next.snooze("s2", undefined);
    await next.save();
    expect([open(2).isPinned("s1"), open(2).snoozedUntil("s2", minute(3))]).toEqual([false, undefined]);
  });

  test("two views lose nothing, also when they write at the same time", async () => {
    const views = Array.from({ length: 8 }, (_, at) => open(at));
    for (const [at, view] of views.entries()) view.togglePin(`s${at}`);
    await Promise.all(views.map((view) => view.save()));
    const last = open(9);
    expect(views.map((_, at) => last.isPinned(`s${at}`))).toEqual(views.map(() => true));
    // A view learns of the others, too.
    await views[0]?.save();
    expect(views[0]?.isPinned("s7")).toBe(true);
    expect(readdirSync(folder)).toEqual(["view.json"]);
  });

  test("what a killed process has locked is free again", async () => {
    const old = new Date(Date.now() - 10_000);
    writeFileSync(`${file}.lock`, "");
    utimesSync(`${file}.lock`, old, old);
    const marks = open();
    marks.togglePin("s1");
    await marks.save();
    expect(open().isPinned("s1")).toBe(true);
  });
});

describe("the file", () => {
  test("nothing is written without a folder, until the person wants something kept", async () => {
    rmSync(folder, { recursive: true });
    const marks = open();
    marks.seen(running, minute(1));
    await marks.save();
    expect(existsSync(folder)).toBe(false);
    marks.togglePin("s1");
    await marks.save();
    expect(open().isPinned("s1")).toBe(true);
  });

  const hostile: readonly (readonly [string, string])[] = [
    ["no JSON", '{"sessions":[{'],
    ["no object", "[]"],
    ["no list", '{"sessions":{}}'],
    ["too large", " ".repeat(2_000_001)],
  ];
  test.each(hostile)("%s: empty, told once, and written anew", async (_name, text) => {
    writeFileSync(file, text);
    const complaints: string[] = [];
    const marks = open(0, complaints);
    expect(marks.isNew(session("waiting", -1))).toBe(false);
    marks.togglePin("s1");
    await marks.save();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(file);
    expect(open().isPinned("s1")).toBe(true);
  });

  test("a link is neither read nor written through", async () => {
    writeFileSync(join(root, "elsewhere"), '{"sessions":[]}');
    symlinkSync(join(root, "elsewhere"), file);
    const complaints: string[] = [];
    const marks = open(0, complaints);
    marks.togglePin("s1");
    await marks.save();
    expect([complaints.length, readFileSync(join(root, "elsewhere"), "utf8")]).toEqual([1, '{"sessions":[]}']);
    expect(marks.isPinned("s1")).toBe(true);
  });

  test("odd rows are left out", () => {
    const rows = [
      { id: "ok", pin: { isOn: true, at: 5 } },
      { id: "__proto__", pin: { isOn: true, at: 5 } },
      { id: "a\u001b[2J", pin: { isOn: true, at: 5 } },
      { id: 7 },
      null,
      {
        id: "odd",
        pin: { isOn: "yes", at: 5 },
        seen: { at: 0.5, upTo: 1, state: "idle" },
        snooze: { until: -1, at: 1 },
      },
    ];
    const { sessions } = parseMarks(JSON.stringify({ since: "x", sessions: rows })) ?? {};
    expect([...(sessions ?? [])]).toEqual([
      ["ok", { pin: { isOn: true, at: 5 } }],
      ["__proto__", { pin: { isOn: true, at: 5 } }],
      ["odd", { pin: { isOn: false, at: 5 } }],
    ]);
  });

  test("has an end: what is pinned stays, then what was touched last", () => {
    const rows = Array.from({ length: MOST_SESSIONS + 50 }, (_, at) => ({ id: `s${at}`, pin: { isOn: at === 0, at } }));
    const { sessions } = parseMarks(JSON.stringify({ since: 1, sessions: rows })) ?? { sessions: new Map() };
    expect([sessions.size, sessions.has("s0"), sessions.has("s1"), sessions.has("s51")]).toEqual([
      MOST_SESSIONS,
      true,
      false,
      true,
    ]);
  });

  test("any text is read or refused, and merging has no order", () => {
    const at = fc.nat(3);
    const mark = fc.record(
      {
        seen: fc.record({ upTo: at, state: fc.constantFrom("idle", "ended"), at }),
        pin: fc.record({ isOn: fc.boolean(), at }),
        snooze: fc.record({ until: at, at }),
      },
      { requiredKeys: [] },
    );
    const row = fc.tuple(fc.constantFrom("a", "b"), mark).map(([id, parts]) => ({ id, ...parts }));
    const marks = fc.record({ since: at, sessions: fc.array(row, { maxLength: 2 }) }).map((value) => {
      const parsed = parseMarks(JSON.stringify(value));
      if (!parsed) throw new Error("unread");
      return parsed;
    });
    const plain = (value: ReturnType<typeof parseMarks>) => [value?.since, Object.fromEntries(value?.sessions ?? [])];
    fc.assert(
      fc.property(marks, marks, marks, fc.json(), (a, b, c, text) => {
        parseMarks(text);
        expect(plain(mergeMarks(a, b))).toEqual(plain(mergeMarks(b, a)));
        expect(plain(mergeMarks(mergeMarks(a, b), c))).toEqual(plain(mergeMarks(a, mergeMarks(b, c))));
        expect(plain(mergeMarks(a, a))).toEqual(plain(a));
      }),
    );
  });
});
