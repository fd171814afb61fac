import { expect, test } from "vitest";
import type { AcpFact } from "../../readers/acp/acp-fact.js";
import { FactQueue } from "./fact-queue.js";

const turn = (session = "s"): AcpFact => ({ session, type: "turn.started" });
const plan = (content: string, session = "s"): AcpFact => ({
  session,
  type: "plan.told",
  plan: { entries: [{ content }] },
});
const call = (id: string, session = "s"): AcpFact => ({
  session,
  type: "call.started",
  call: id,
  tool: "Read",
  facts: { kind: "read", signature: id },
});

function short(fact: AcpFact): string {
  if (fact.type === "plan.told") return `${fact.session} ${JSON.stringify(fact.plan.entries)}`;
  return fact.type === "call.started" ? `${fact.session} ${fact.call}` : `${fact.session} ${fact.type}`;
}

function queue(most: number, ...facts: readonly AcpFact[]) {
  const waiting = new FactQueue(most);
  for (const fact of facts) waiting.push({ fact, at: 0 });
  const taken = () => {
    const all: string[] = [];
    for (let next = waiting.shift(); next; next = waiting.shift()) all.push(short(next.fact));
    return all;
  };
  return { waiting, taken };
}

test("first in, first out", () => {
  const { waiting, taken } = queue(9, turn(), call("a"), turn("t"));
  expect(waiting.length).toBe(3);
  expect(taken()).toEqual(["s turn.started", "s a", "t turn.started"]);
  expect([waiting.length, waiting.dropped]).toEqual([0, 0]);
});

test("when it is full calls are dropped, and of plans only the last one is kept; turns stay", () => {
  const flood = [turn(), plan("1"), call("a"), call("b"), plan("2"), call("c"), plan("3"), turn("t")];
  const { waiting, taken } = queue(3, ...flood);
  expect(waiting.dropped).toBe(2);
  expect(taken()).toEqual(["s turn.started", "s a", 's [{"content":"3"}]', "t turn.started"]);
});

test("it never grows past twice its size", () => {
  const { waiting } = queue(3, ...Array.from({ length: 50 }, (_, at) => turn(`s${at}`)));
  expect([waiting.length, waiting.dropped]).toEqual([6, 44]);
});

test("calls of one session that follow each other are taken together", () => {
  const { waiting, taken } = queue(9, call("a"), call("b"), call("c"), call("d", "t"), call("e"));
  expect(waiting.callsOf("s", 2).map(short)).toEqual(["s a", "s b"]);
  expect(waiting.callsOf("s", 9).map(short)).toEqual(["s c"]);
  expect(waiting.callsOf("s", 9)).toEqual([]);
  expect(taken()).toEqual(["t d", "s e"]);
});

test("thousands are taken in their order", () => {
  const { waiting, taken } = queue(9000, ...Array.from({ length: 5000 }, (_, at) => call(`${at}`)));
  for (let at = 0; at < 2500; at += 1) waiting.shift();
  waiting.push({ fact: turn(), at: 0 });
  expect([waiting.has("turn.started"), waiting.has("opened")]).toEqual([true, false]);
  expect(taken().slice(-2)).toEqual(["s 4999", "s turn.started"]);
});
