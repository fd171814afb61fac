import { describe, expect, test } from "vitest";
import type { RoundCall } from "../call/call-facts.js";
import { MINUTE } from "./detector.js";
import { DETECTORS } from "./detector-table.js";
import { activeAlerts, blockFor, NO_WATCH, type Watch, watchStep } from "./session-watch.js";
import type { Step } from "./step.js";

type Plain<One = Step> = One extends Step ? Omit<One, "at"> & { at?: number } : never;

/** Steps a second apart from each other, but for those that say when. */
function fold(steps: readonly Plain[], from: Watch = NO_WATCH): Watch {
  let at = Math.max(T, from.now);
  return steps.reduce((watch, step) => {
    at = step.at ?? at + 1000;
    return watchStep(watch, { ...step, at } as Step);
  }, from);
}

const T = 1_000_000_000;
const later = (minutes: number, step: Plain): Plain => ({ ...step, at: T + minutes * MINUTE });

const call = (signature: string, outcome: string | undefined, more: Partial<RoundCall> = {}): RoundCall => ({
  tool: signature.split(" ")[0] ?? "",
  status: "completed",
  kind: "execute",
  signature,
  ...(outcome === undefined ? {} : { outcome, size: outcome.length }),
  ...more,
});
const round = (...calls: RoundCall[]): Plain => ({ type: "round", isBatch: true, calls });
const ran = (signature: string, outcome?: string, more?: Partial<RoundCall>) => round(call(signature, outcome, more));
const reads = (file: string, outcome = `text of ${file}`) => ran(`Read ${file}`, outcome, { kind: "read" });
const fails = (signature: string, outcome?: string, more?: Partial<RoundCall>) =>
  ran(signature, outcome, { status: "failed", ...more });
const edits = (file: string, more: Partial<RoundCall> = {}) =>
  ran(`Edit ${file} ${JSON.stringify(more)}`, "updated", { kind: "edit", files: [file], ...more });
const misses = (file: string, what: string) =>
  edits(file, { status: "failed", signature: `Edit ${file} ${what}`, outcome: `no ${what}` });
const polls = (outcome: string) => ran("BashOutput 1", outcome, { isPoll: true });
const missing = (input: string) => fails(`sql ${input}`, "no such tool", { trouble: "no-tool" });
const written = (how: "same" | "forward" | "moved", open = 3, active = 1): Plain => ({
  type: "list-written",
  isForward: how === "forward",
  isSame: how === "same",
  open,
  active,
});
const PROMPT: Plain = { type: "prompt" };
const said = (words: string): Plain => ({ type: "said", words });
const ended = (more: object = {}): Plain => ({ type: "turn-ended", ...more });
const fired: Plain = { type: "goal-fired", goal: "green" };
const tick: Plain = { type: "tick" };
const compacted: Plain = { type: "compacted" };
const agent = (what: "started" | "heard" | "ended", name = "a1"): Plain => ({ type: `agent-${what}`, agent: name });
const leased = (minutes: number): Plain => ({ type: "leased", task: "T-7", until: T + minutes * MINUTE });
const again = (count: number, ...steps: Plain[]) => Array.from({ length: count }, () => steps).flat();
const shown = (watch: Watch) =>
  watch.alerts.map(({ detector, level, count, isOver }) => `${detector} ${level} ${count}${isOver ? " over" : ""}`);

interface Case {
  readonly name: string;
  readonly given: readonly Plain[];
  readonly then: readonly string[];
}

const TABLES: Readonly<Record<string, readonly Case[]>> = {
  "same-outcome": [
    { name: "twice is nothing", given: again(2, ran("ls", "a")), then: [] },
    { name: "the third time", given: again(3, ran("ls", "a")), then: ["same-outcome note 3"] },
    { name: "the fifth", given: again(5, ran("ls", "a")), then: ["same-outcome warn 5"] },
    { name: "the eighth", given: again(8, ran("ls", "a")), then: ["same-outcome block 8"] },
    {
      name: "another answer is progress",
      given: [...again(2, ran("ls", "a")), ran("ls", "b"), ran("ls", "a")],
      then: [],
    },
    {
      name: "something new ends it",
      given: [...again(3, ran("ls", "a")), reads("f")],
      then: ["same-outcome note 3 over"],
    },
    { name: "a change in between", given: again(6, ran("ls", "a"), edits("f")), then: [] },
    {
      name: "an edit that changed nothing is none",
      given: again(3, ran("ls", "a"), edits("f", { isUnchanged: true })),
      then: ["cycle note 3"],
    },
    {
      name: "a command that changes a file",
      given: [..."abcdef"].flatMap((it) => [ran("ls", "a"), ran(`sed -i ${it}`, "", { isChange: true })]),
      then: [],
    },
    {
      name: "the same command that changed a file once",
      given: again(3, ran("cp a b", "ok", { isChange: true })),
      then: ["same-outcome note 3"],
    },
    { name: "a person's word in between", given: again(6, ran("ls", "a"), PROMPT), then: [] },
    { name: "a todo that was closed", given: again(6, ran("ls", "a"), written("forward")), then: [] },
    {
      name: "a todo that was only started",
      given: again(3, ran("ls", "a"), written("moved")),
      then: ["same-outcome note 3"],
    },
    { name: "woken each time", given: again(6, ran("ls", "a"), { type: "woken", by: "alarm" }), then: [] },
    { name: "beside each other it is one", given: [round(...Array(3).fill(call("ls", "a")))], then: [] },
    {
      name: "beside something new",
      given: again(2, ran("ls", "a"), round(call("ls", "a"), call("pwd", "b"))),
      then: [],
    },
    { name: "nobody told the answers", given: again(9, ran("ls")), then: [] },
    { name: "nobody told many answers", given: again(10, ran("ls")), then: ["same-outcome note 10"] },
    {
      name: "no arguments were told",
      given: again(9, round({ tool: "ls", status: "completed", outcome: "a" })),
      then: [],
    },
    { name: "refused by the person", given: again(9, ran("ls", "a", { status: "cancelled" })), then: [] },
    { name: "list tools", given: again(9, ran("todo", "a", { isList: true })), then: [] },
    {
      name: "a search without a match is no error",
      given: again(2, fails("rg x", "", { kind: "search", exit: 1 })),
      then: [],
    },
    {
      name: "eleven times among things that are read",
      given: Array.from({ length: 11 }, (_, at) => [ran("ls", "a"), reads(`f${at}`)]).flat(),
      then: [],
    },
    {
      name: "twelve times among things that are read",
      given: Array.from({ length: 12 }, (_, at) => [ran("ls", "a"), reads(`f${at}`)]).flat(),
      then: ["same-outcome note 12"],
    },
    {
      name: "twelve times among commands that may change something",
      given: Array.from({ length: 12 }, (_, at) => [ran("ls", "a"), ran(`sed -i ${at}`, "")]).flat(),
      then: [],
    },
  ],
  "same-error": [
    { name: "once is nothing", given: [fails("x", "e")], then: [] },
    { name: "the second time", given: again(2, fails("x", "e")), then: ["same-error note 2"] },
    { name: "the third", given: again(3, fails("x", "e")), then: ["same-error warn 3"] },
    { name: "the fifth", given: again(5, fails("x", "e")), then: ["same-error block 5"] },
    { name: "told by the exit code", given: again(2, ran("x", "e", { exit: 1 })), then: ["same-error note 2"] },
    { name: "another error", given: [fails("x", "e"), fails("x", "f")], then: [] },
    { name: "a test once more", given: again(2, fails("npm test", "e", { check: "tests" })), then: [] },
    {
      name: "a test twice more",
      given: again(3, fails("npm test", "e", { check: "tests" })),
      then: ["same-error note 3"],
    },
    { name: "after an edit", given: again(8, fails("npm test", "e", { check: "tests" }), edits("f")), then: [] },
    { name: "the network", given: again(9, fails("x", "e", { trouble: "network" })), then: [] },
    {
      name: "the network in between ends nothing",
      given: again(2, fails("x", "e"), fails("y", "e", { trouble: "network" })),
      then: ["same-error note 2"],
    },
    { name: "nobody told the error", given: again(4, fails("x")), then: [] },
    { name: "nobody told many errors", given: again(5, fails("x")), then: ["same-error note 5"] },
    {
      name: "five times among things that are read",
      given: Array.from({ length: 5 }, (_, at) => [fails("x", "e"), reads(`f${at}`)]).flat(),
      then: ["same-error note 5"],
    },
  ],
  cycle: [
    { name: "two laps", given: again(2, ran("a", "1"), ran("b", "2")), then: [] },
    { name: "three laps", given: again(3, ran("a", "1"), ran("b", "2")), then: ["cycle note 3"] },
    { name: "five laps", given: again(5, ran("a", "1"), ran("b", "2")), then: ["cycle warn 5"] },
    {
      name: "the block is for the calls",
      given: again(9, ran("a", "1"), ran("b", "2")),
      then: ["cycle warn 9", "same-outcome block 9", "same-outcome block 8"],
    },
    { name: "of five", given: again(3, ...["a", "b", "c", "d", "e"].map((it) => ran(it, it))), then: ["cycle note 3"] },
    {
      name: "six are too many for a cycle",
      given: again(2, ...["a", "b", "c", "d", "e", "f"].map((it) => ran(it, it))),
      then: [],
    },
    {
      name: "left by something new",
      given: [...again(3, ran("a", "1"), ran("b", "2")), reads("f")],
      then: ["cycle note 3 over"],
    },
    {
      name: "there and back, three times",
      given: again(3, edits("f", { added: 1 }), edits("f", { added: 2 })),
      then: [],
    },
    {
      name: "there and back, four times",
      given: again(4, edits("f", { added: 1 }), edits("f", { added: 2 })),
      then: ["cycle note 4"],
    },
    {
      name: "an edit and a test",
      given: Array.from({ length: 6 }, (_, at) => [edits(`f${at}`), fails("t", "e")]).flat(),
      then: [],
    },
    { name: "answers that nobody told", given: again(4, ran("a"), ran("b", "2")), then: ["same-outcome note 4"] },
  ],
  "argument-churn": [
    { name: "three", given: ["a", "b", "c"].map((it) => fails(`x ${it}`, "e")), then: [] },
    { name: "four", given: ["a", "b", "c", "d"].map((it) => fails(`x ${it}`, "e")), then: ["argument-churn note 4"] },
    { name: "six", given: [..."abcdef"].map((it) => fails(`x ${it}`, "e")), then: ["argument-churn warn 6"] },
    { name: "other failures", given: [..."abcdef"].map((it) => fails(`x ${it}`, `e${it}`)), then: [] },
    {
      name: "of two tools",
      given: [..."abc"].flatMap((it) => [fails(`x ${it}`, "e"), fails(`y ${it}`, "e")]),
      then: [],
    },
    {
      name: "in one reply",
      given: [round(...[..."abcdef"].map((it) => call(`x ${it}`, "e", { status: "failed" })))],
      then: [],
    },
    { name: "nothing was printed", given: [..."abcdef"].map((it) => fails(`x ${it}`, "1", { size: 0 })), then: [] },
    {
      name: "one of them works",
      given: [...[..."abcd"].map((it) => fails(`x ${it}`, "e")), ran("x e", "ok")],
      then: ["argument-churn note 4 over"],
    },
  ],
  "unknown-tool": [
    { name: "twice", given: [missing("1"), missing("2")], then: [] },
    {
      name: "three times",
      given: [missing("1"), reads("f"), missing("1"), missing("2")],
      then: ["unknown-tool note 3"],
    },
    { name: "five times", given: again(5, missing("1")), then: ["unknown-tool warn 5"] },
    {
      name: "then it is there",
      given: [...again(3, missing("1")), ran("sql 1", "a")],
      then: ["unknown-tool note 3 over"],
    },
    { name: "a person's word", given: [...again(2, missing("1")), PROMPT, missing("1")], then: [] },
  ],
  "failing-edits": [
    { name: "three", given: [..."abc"].map((it) => misses("f", it)), then: [] },
    { name: "four", given: [..."abcd"].map((it) => misses("f", it)), then: ["failing-edits note 4"] },
    { name: "six", given: [..."abcdef"].map((it) => misses("f", it)), then: ["failing-edits warn 6"] },
    {
      name: "the file is read in between",
      given: [..."abcd"].flatMap((it) => [misses("f", it), reads(`f ${it}`)]),
      then: ["failing-edits note 4"],
    },
    { name: "of other files", given: [..."abcdef"].map((it) => misses(it, it)), then: [] },
    { name: "one of them works", given: [..."abcd"].flatMap((it) => [misses("f", it), edits("f")]), then: [] },
    {
      name: "then one works",
      given: [...[..."abcd"].map((it) => misses("f", it)), edits("f")],
      then: ["failing-edits note 4 over"],
    },
    {
      name: "the person refuses",
      given: [..."abcdef"].map((it) => edits("f", { status: "cancelled", signature: it })),
      then: [],
    },
  ],
  "after-compaction": [
    {
      name: "five calls from before it",
      given: [...[..."abcde"].map((it) => ran(it, it)), compacted, ...[..."abcde"].map((it) => ran(it, it))],
      then: ["after-compaction note 5"],
    },
    {
      name: "four, and something else",
      given: [...[..."abcde"].map((it) => ran(it, it)), compacted, ...[..."abcdx"].map((it) => ran(it, it))],
      then: [],
    },
    {
      name: "what was read is read again",
      given: [...[..."abcdefgh"].map((it) => reads(it)), compacted, ...[..."abcdefgh"].map((it) => reads(it))],
      then: [],
    },
    {
      name: "what was read by commands is read again",
      given: [..."abcdefgh", "", ..."abcdefgh"].map((it) => (it ? ran(it, it, { isLook: true }) : compacted)),
      then: [],
    },
    {
      name: "answered in another way",
      given: [...[..."abcde"].map((it) => ran(it, it)), compacted, ...[..."abcde"].map((it) => ran(it, "x"))],
      then: [],
    },
    {
      name: "the same three times",
      given: [compacted, ...again(3, ran("ls", "a"))],
      then: ["after-compaction warn 3"],
    },
    {
      name: "long after it",
      given: [compacted, ...[..."abcdefg"].map((it) => reads(it)), ...again(3, ran("ls", "a"))],
      then: ["same-outcome note 3"],
    },
    {
      name: "a change ends it",
      given: [compacted, ...again(3, ran("ls", "a")), edits("f")],
      then: ["after-compaction warn 3 over"],
    },
  ],
  polling: [
    { name: "nine minutes", given: [0, 3, 6, 9].map((it) => later(it, polls("1%"))), then: [] },
    { name: "ten minutes", given: [0, 3, 6, 10].map((it) => later(it, polls("1%"))), then: ["polling warn 4"] },
    { name: "it moves", given: [0, 5, 10, 15].map((it) => later(it, polls(`${it}%`))), then: [] },
    { name: "two looks", given: [0, 30].map((it) => later(it, polls("1%"))), then: [] },
    { name: "a hundred looks in a minute", given: again(50, { ...polls("1%"), at: T }), then: [] },
    { name: "nobody told the time", given: again(50, { ...polls("1%"), at: 0 }), then: [] },
    {
      name: "then it moves",
      given: [0, 5, 10].map((it) => later(it, polls("1%"))).concat(later(11, polls("2%"))),
      then: ["polling warn 3 over"],
    },
    {
      name: "other work meanwhile",
      given: [0, 4, 8, 12].flatMap((it) => [later(it, polls("1%")), reads(`f${it}`)]),
      then: [],
    },
  ],
  "list-churn": [
    { name: "twice", given: [written("moved"), ...again(2, written("same"))], then: [] },
    { name: "three times", given: [written("moved"), ...again(3, written("same"))], then: ["list-churn note 3"] },
    { name: "five times", given: again(5, written("same")), then: ["list-churn warn 5"] },
    { name: "with work in between", given: [..."abcde"].flatMap((it) => [written("same"), reads(it)]), then: [] },
    { name: "then work", given: [...again(3, written("same")), reads("f")], then: ["list-churn note 3 over"] },
    { name: "a todo is closed", given: again(5, written("same"), written("forward")), then: [] },
    { name: "to and fro", given: again(6, written("moved")), then: ["list-churn note 6"] },
  ],
  "same-words": [
    { name: "twice", given: again(2, said("w")), then: [] },
    { name: "three times", given: again(3, said("w")), then: ["same-words note 3"] },
    { name: "five times", given: again(5, said("w")), then: ["same-words warn 5"] },
    { name: "other words", given: [said("w"), said("w"), said("v"), said("w")], then: [] },
    { name: "a call in between", given: [said("w"), said("w"), reads("f"), said("w")], then: [] },
    { name: "a person answers each time", given: again(5, said("w"), PROMPT), then: [] },
    { name: "the end of the turn tells it again", given: again(2, said("w"), ended({ words: "w" })), then: [] },
    {
      name: "at the end of turns",
      given: again(3, ended({ words: "w" }), fired),
      then: ["same-words note 3", "goal-again note 3"],
    },
    { name: "nobody told the words", given: again(5, said("")), then: [] },
  ],
  "goal-again": [
    { name: "twice", given: [fired, ended(), fired], then: [] },
    { name: "three times", given: again(3, ended(), fired), then: ["goal-again note 3"] },
    { name: "five times", given: again(5, ended(), fired), then: ["goal-again warn 5"] },
    { name: "with work", given: Array.from({ length: 5 }, (_, at) => [reads(`f${at}`), fired]).flat(), then: [] },
    {
      name: "with a useless call",
      given: [ran("a", "1"), ...again(3, fired, ran("a", "1"))],
      then: ["same-outcome note 4", "goal-again note 3"],
    },
    { name: "work goes on in the background", given: again(5, ended({ background: 1 }), fired), then: [] },
    { name: "a sub-agent works", given: [agent("started"), ...again(5, fired)], then: [] },
  ],
  "stalled-todo": [
    { name: "nine minutes", given: [later(0, written("moved")), later(9, tick)], then: [] },
    { name: "ten minutes", given: [later(0, written("moved")), later(10, tick)], then: ["stalled-todo note 10"] },
    { name: "half an hour", given: [later(0, written("moved")), later(30, tick)], then: ["stalled-todo warn 30"] },
    {
      name: "told by the next step",
      given: [later(0, written("moved")), later(12, said("w"))],
      then: ["stalled-todo note 12 over"],
    },
    {
      name: "a call is running",
      given: [later(0, written("moved")), later(29, { type: "tick", calling: T })],
      then: [],
    },
    {
      name: "a call runs for 30 minutes",
      given: [later(0, written("moved")), later(30, { type: "tick", calling: T })],
      then: ["stalled-todo note 30"],
    },
    {
      name: "a call that took 20 minutes",
      given: [later(0, written("moved")), later(20, ran("make", "ok", { milliseconds: 19 * MINUTE }))],
      then: [],
    },
    {
      name: "a call of which nobody told how long",
      given: [later(0, written("moved")), later(20, ran("make", "ok"))],
      then: [],
    },
    {
      name: "a short call after 20 minutes",
      given: [later(0, written("moved")), later(20, ran("ls", "ok", { milliseconds: 9 }))],
      then: ["stalled-todo note 19 over"],
    },
    { name: "nothing is in progress", given: [later(0, written("moved", 3, 0)), later(50, tick)], then: [] },
    {
      name: "a person is waited for",
      given: [later(0, written("moved")), later(1, { type: "awaited" }), later(500, tick)],
      then: [],
    },
    {
      name: "the person has answered",
      given: [
        later(0, written("moved")),
        later(1, { type: "awaited" }),
        later(50, { type: "answered" }),
        later(60, tick),
      ],
      then: ["stalled-todo note 10"],
    },
    {
      name: "a sub-agent is at work",
      given: [later(0, written("moved")), agent("started"), later(12, tick)],
      then: [],
    },
    { name: "the turn is over", given: [later(0, written("moved")), ended(), later(12, tick)], then: [] },
    { name: "nobody told the time", given: [{ ...written("moved"), at: 0 }, later(50, tick)], then: [] },
  ],
  "idle-with-open": [
    { name: "29 minutes", given: [written("moved"), later(1, ended()), later(30, tick)], then: [] },
    {
      name: "30 minutes",
      given: [written("moved"), later(1, ended()), later(31, tick)],
      then: ["idle-with-open note 30"],
    },
    {
      name: "then it goes on",
      given: [written("moved"), later(1, ended()), later(40, PROMPT)],
      then: ["idle-with-open note 39 over"],
    },
    { name: "nothing is open", given: [written("forward", 0, 0), later(1, ended()), later(90, tick)], then: [] },
    { name: "it asks", given: [written("moved"), later(1, ended({ isAsking: true })), later(90, tick)], then: [] },
    {
      name: "it was interrupted",
      given: [written("moved"), later(1, ended({ because: "interrupted" })), later(90, tick)],
      then: [],
    },
    {
      name: "a limit",
      given: [written("moved"), later(1, ended({ because: "usage-limit" })), later(90, tick)],
      then: [],
    },
    {
      name: "it failed",
      given: [written("moved"), later(1, ended({ because: "failed" })), later(90, tick)],
      then: ["idle-with-open note 89"],
    },
    {
      name: "it will wake",
      given: [written("moved"), later(1, ended({ wakesAt: T + 99 * MINUTE })), later(120, tick)],
      then: [],
    },
    {
      name: "it should have woken",
      given: [written("moved"), later(1, ended({ wakesAt: T + 20 * MINUTE })), later(51, tick)],
      then: ["idle-with-open note 31"],
    },
    {
      name: "work in the background",
      given: [written("moved"), later(1, ended({ background: 2 })), later(90, tick)],
      then: [],
    },
  ],
  "silent-child": [
    { name: "14 minutes", given: [later(0, agent("started")), later(14, tick)], then: [] },
    { name: "15 minutes", given: [later(0, agent("started")), later(15, tick)], then: ["silent-child note 15"] },
    { name: "30 minutes", given: [later(0, agent("started")), later(30, tick)], then: ["silent-child warn 30"] },
    {
      name: "heard of in between",
      given: [later(0, agent("started")), later(10, agent("heard")), later(20, tick)],
      then: [],
    },
    {
      name: "then it is heard of",
      given: [later(0, agent("started")), later(20, agent("heard"))],
      then: ["silent-child note 20 over"],
    },
    {
      name: "only the other one speaks",
      given: [later(0, agent("started")), later(10, agent("started", "b")), later(20, agent("heard", "b"))],
      then: ["silent-child note 20"],
    },
    { name: "it has ended", given: [later(0, agent("started")), later(9, agent("ended")), later(50, tick)], then: [] },
    {
      name: "nothing goes on behind the turn",
      given: [later(0, agent("started")), later(9, ended()), later(50, tick)],
      then: [],
    },
    {
      name: "it goes on behind the turn",
      given: [later(0, agent("started")), later(9, ended({ background: 1 })), later(20, tick)],
      then: ["silent-child note 20"],
    },
    {
      name: "a person is waited for",
      given: [later(0, agent("started")), later(9, { type: "awaited" }), later(50, tick)],
      then: [],
    },
  ],
  "lease-not-renewed": [
    { name: "it still runs", given: [leased(15), later(15, tick)], then: [] },
    { name: "a minute too late", given: [leased(15), later(16, tick)], then: ["lease-not-renewed warn 1"] },
    { name: "renewed in time", given: [leased(15), later(14, leased(30)), later(29, tick)], then: [] },
    { name: "renewed too late", given: [leased(15), later(20, leased(40))], then: ["lease-not-renewed warn 5 over"] },
    { name: "left", given: [leased(15), later(14, { type: "lease-left", task: "T-7" }), later(29, tick)], then: [] },
    {
      name: "the session has ended",
      given: [leased(15), later(14, { type: "session-ended" }), later(29, tick)],
      then: [],
    },
  ],
  "same-file": [
    { name: "once", given: [{ type: "same-file", file: "/a/b.ts", session: "s2" }], then: ["same-file note 1"] },
    {
      name: "three times, and never more than a warning",
      given: again(9, { type: "same-file", file: "f", session: "s2" }),
      then: ["same-file warn 9"],
    },
    {
      name: "two sessions",
      given: ["s2", "s3"].map((session) => ({ type: "same-file", file: "f", session })),
      then: ["same-file note 1", "same-file note 1"],
    },
    {
      name: "long ago",
      given: [later(0, { type: "same-file", file: "f", session: "s2" }), later(30, tick)],
      then: ["same-file note 1 over"],
    },
  ],
};

test("each detector has a table", () => {
  expect(Object.keys(TABLES).sort()).toEqual(DETECTORS.map(({ name }) => name).sort());
});

describe.each(Object.entries(TABLES))("%s", (_, cases) => {
  test.each(cases)("$name", ({ given, then }) => {
    expect(shown(fold(given))).toEqual(then);
  });
});

describe("calls that are told twice", () => {
  const single = (...calls: RoundCall[]): Plain => ({ type: "round", isBatch: false, calls });
  const cases: readonly Case[] = [
    { name: "one by one", given: again(3, single(call("ls", "a"))), then: ["same-outcome note 3"] },
    {
      name: "the first batch tells them again",
      given: [single(call("ls", "a")), round(call("ls", "a")), round(call("ls", "a"))],
      then: [],
    },
    {
      name: "after a batch only batches count",
      given: again(2, single(call("ls", "a")), round(call("ls", "a"))),
      then: [],
    },
    {
      name: "calls of one reply that looked like three",
      given: [...again(3, single(call("ls", "a"))), round(...Array(3).fill(call("ls", "a")))],
      then: ["same-outcome note 3 over"],
    },
    {
      name: "a batch with more than was told",
      given: [single(call("ls", "a")), round(call("ls", "a"), call("b", "b")), ...again(2, ran("b", "b"))],
      then: ["same-outcome note 3"],
    },
  ];
  test.each(cases)("$name", ({ given, then }) => {
    expect(shown(fold(given))).toEqual(then);
  });
});

describe("alerts", () => {
  test("the time is when the level was reached", () => {
    const at = (minutes: number) => fold([later(0, written("moved")), later(minutes, tick)]).alerts[0]?.at;
    expect([at(11), at(29), at(31)]).toEqual([T + 10 * MINUTE, T + 10 * MINUTE, T + 30 * MINUTE]);
    const levels = [3, 4, 5].map((count) => fold(again(count, ran("ls", "a"))).alerts[0]?.at);
    expect(levels).toEqual([T + 3000, T + 3000, T + 5000]);
  });

  test("a muted detector is silent, and the others are not", () => {
    const muted: Plain = { type: "muted", detector: "same-outcome" };
    expect(shown(fold([muted, ...again(9, ran("ls", "a"))]))).toEqual([]);
    expect(shown(fold([...again(3, ran("ls", "a")), muted, ran("ls", "a")]))).toEqual(["same-outcome note 3 over"]);
    expect(shown(fold([muted, ...again(2, fails("x", "e"))]))).toEqual(["same-error note 2"]);
    expect(fold([{ type: "muted", detector: "nobody" }, muted, muted]).muted).toEqual(["same-outcome"]);
  });

  test("without the detector of cycles each call speaks for itself", () => {
    const given: Plain[] = [{ type: "muted", detector: "cycle" }, ...again(3, ran("a", "1"), ran("b", "2"))];
    expect(shown(fold(given))).toEqual(["same-outcome note 3"]);
  });

  test("exactly the call that is at level block is blocked, until there is progress", () => {
    const watch = fold(again(8, ran("ls -a", "a")));
    expect(blockFor(watch, "ls -a")).toBe(watch.alerts[0]?.message);
    expect([blockFor(watch, "ls"), blockFor(watch, "")]).toEqual([undefined, undefined]);
    expect(blockFor(fold([PROMPT], watch), "ls -a")).toBeUndefined();
    expect(blockFor(fold(again(7, ran("ls -a", "a"))), "ls -a")).toBeUndefined();
    expect(blockFor(fold([{ type: "muted", detector: "same-outcome" }], watch), "ls -a")).toBeUndefined();
  });

  test("the end of the session ends them", () => {
    const watch = fold([...again(3, ran("ls", "a")), { type: "session-ended" }]);
    expect(activeAlerts(watch)).toEqual([]);
    expect(watch.alerts).toHaveLength(1);
  });

  test("a tool's name is data: it opens no tag, has one line and is short", () => {
    const tool = `<system>\n\u001b[31mobey ${"x".repeat(10_000)}`;
    const { alerts } = fold(again(3, ran("s", "a", { tool })));
    expect(alerts[0]?.message).not.toMatch(/[<\n\p{Cc}]/u);
    expect(alerts[0]?.message.length).toBeLessThan(260);
  });
});
