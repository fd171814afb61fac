import { describe, expect, test } from "vitest";
import { EMPTY_LIST } from "../../core/todo/list.js";
import { Chain, type Link } from "./chain.js";

/** Lists are told apart by their revision here: `7` means that the line leaves list 7. */
type Step = readonly [uuid: string, parent: string | null | undefined, role: Link["role"], list?: number | undefined];

function place(chain: Chain, steps: readonly Step[]): boolean[] {
  return steps.map(([uuid, parent, role, list]) => {
    const isBack = chain.place({ uuid, parent, role });
    if (list !== undefined) chain.change({ list: { ...EMPTY_LIST, revision: list } });
    return isBack;
  });
}

const begins = (uuid: string, parent: string | null | undefined, list?: number): Step => [uuid, parent, "begins", list];
const follows = (uuid: string, parent: string | null | undefined, list?: number): Step => [
  uuid,
  parent,
  "follows",
  list,
];
const beside = (uuid: string, parent: string | null | undefined): Step => [uuid, parent, "beside"];

/** Two turns, each with a reply, a result and the client's remark after it: list 1, then list 2. */
const TWO_TURNS: readonly Step[] = [
  begins("p1", null),
  beside("a1", "p1"),
  begins("r1", "a1"),
  follows("x1", "r1", 1),
  beside("d1", "x1"),
  begins("p2", "d1"),
  begins("r2", "p2"),
  follows("x2", "r2", 2),
  beside("d2", "x2"),
];

/** One reply with three calls at once, list 1 before it, list 5 by its second call; results follow their own calls. */
const AT_ONCE: readonly Step[] = [
  begins("p1", null),
  begins("r0", "p1"),
  follows("x0", "r0", 1),
  begins("u1", "x0"),
  follows("u2", "u1"),
  follows("x2", "u2", 5),
  follows("u3", "x2"),
  follows("x3", "u3"),
  follows("x1", "u1"),
];

const cases: { name: string; steps: readonly Step[]; list: number; isBack?: boolean }[] = [
  { name: "in file order the last list holds", steps: TWO_TURNS, list: 2 },
  { name: "going on changes nothing", steps: [...TWO_TURNS, begins("p3", "d2")], list: 2 },
  {
    name: "back before the second prompt, by the client's remark",
    steps: [...TWO_TURNS, begins("p3", "d1")],
    list: 1,
    isBack: true,
  },
  {
    name: "back before the second prompt, by the result",
    steps: [...TWO_TURNS, begins("p3", "x1")],
    list: 1,
    isBack: true,
  },
  {
    name: "back to the reply: its result is part of it",
    steps: [...TWO_TURNS, begins("p3", "r1")],
    list: 1,
    isBack: true,
  },
  {
    name: "back to an attachment of the first prompt",
    steps: [...TWO_TURNS, begins("p3", "a1")],
    list: 0,
    isBack: true,
  },
  { name: "back to the first prompt", steps: [...TWO_TURNS, begins("p3", "p1")], list: 0, isBack: true },
  { name: "back to the second prompt", steps: [...TWO_TURNS, begins("p3", "p2")], list: 1, isBack: true },
  { name: "back to the very beginning", steps: [...TWO_TURNS, begins("p3", null)], list: 0, isBack: true },
  {
    name: "back, and there again",
    steps: [...TWO_TURNS, begins("p3", "d1"), begins("p4", "d2")],
    list: 2,
    isBack: true,
  },
  {
    name: "back, a list, and back before it",
    steps: [...TWO_TURNS, begins("p3", "d1"), follows("x3", "p3", 3), begins("p4", "p3")],
    list: 3,
  },
  { name: "a remark beside an old line changes nothing", steps: [...TWO_TURNS, beside("d3", "p1")], list: 2 },
  {
    name: "but whoever follows that remark is back there",
    steps: [...TWO_TURNS, beside("d3", "p1"), begins("p3", "d3")],
    list: 0,
    isBack: true,
  },
  {
    name: "a remark that follows nothing stands where we are",
    steps: [...TWO_TURNS, beside("b", null), begins("p3", "b")],
    list: 2,
  },
  {
    name: "a line that says nothing of what it follows goes on",
    steps: [...TWO_TURNS, begins("p3", undefined)],
    list: 2,
  },
  { name: "a line that follows an unknown one goes on", steps: [...TWO_TURNS, begins("p3", "gone")], list: 2 },
  { name: "calls at once: all results count, in whatever order", steps: [...AT_ONCE, begins("n", "x1")], list: 5 },
  { name: "also when the next line follows another result", steps: [...AT_ONCE, begins("n", "x3")], list: 5 },
  {
    name: "back to one of the calls: the reply is one step",
    steps: [...AT_ONCE, begins("n", "x1"), begins("p2", "u1")],
    list: 5,
    isBack: true,
  },
  {
    name: "back before the reply with the calls",
    steps: [...AT_ONCE, begins("n", "x1"), begins("p2", "x0")],
    list: 1,
    isBack: true,
  },
  {
    name: "two branches that grow by turns: the last line says which one holds",
    steps: [
      ...TWO_TURNS,
      begins("pA", "d2"),
      begins("pB", "d1"),
      begins("rA", "pA"),
      follows("xA", "rA", 7),
      begins("rB", "pB"),
      follows("xB", "rB", 8),
      begins("nA", "xA"),
    ],
    list: 7,
    isBack: true,
  },
];

describe("what holds after the last line", () => {
  test.each(cases)("$name", ({ steps, list, isBack = false }) => {
    const chain = new Chain(false);
    const back = place(chain, steps);
    expect([chain.intent.list.revision, back.at(-1)]).toEqual([list, isBack]);
    expect(chain.isLost).toBe(false);
  });

  test.each(cases)("the same when every line is read by another reader: $name", ({ steps, list }) => {
    let chain = new Chain(false);
    for (const step of steps) {
      chain = new Chain(false, JSON.parse(JSON.stringify(chain.save())));
      place(chain, [step]);
      // One that does not know says so; it never says something wrong.
      if (chain.isLost) return;
    }
    expect(chain.intent.list.revision).toBe(list);
  });
});

describe("what is kept", () => {
  const long = (lines: number): Step[] => [
    begins("p0", null, 1),
    ...Array.from({ length: lines }, (_, at) => begins(`p${at + 1}`, `p${at}`, at % 2)),
  ];
  const gone = () => {
    const chain = new Chain(false);
    place(chain, long(100));
    return new Chain(false, JSON.parse(JSON.stringify(chain.save())));
  };

  test("is bounded, and every list once", () => {
    const chain = new Chain(false);
    place(chain, [...long(1000), ...Array.from({ length: 60 }, (_, at) => beside(`b${at}`, "p1000"))]);
    const { links, lists } = chain.save();
    expect([links.length <= 50, lists.length <= 1]).toEqual([true, true]);
  });

  const lost: [string, Step, boolean][] = [
    ["going on", begins("q", "p100"), false],
    ["back to a line that is kept", begins("q", "p90"), false],
    ["back beyond what is kept", begins("q", "p3"), true],
    ["back to the very beginning, which is always known", begins("q", null), false],
    ["a remark that follows nothing", beside("q", null), false],
    ["a remark to a line beyond what is kept", beside("q", "p3"), true],
    ["a line that says nothing of what it follows", begins("q", undefined), false],
  ];
  test.each(lost)("%s", (_, step, isLost) => {
    const chain = gone();
    place(chain, [step]);
    expect(chain.isLost).toBe(isLost);
  });
});

describe("a long conversation", () => {
  const talk = Array.from({ length: 1000 }, (_, at) => begins(`p${at}`, at === 0 ? null : `p${at - 1}`, at + 1));

  test("going back further than is remembered: it is lost", () => {
    const chain = new Chain(false);
    place(chain, [...talk, begins("q", "p3")]);
    expect(chain.isLost).toBe(true);
  });

  test("one that is thorough knows what held there", () => {
    const chain = new Chain(true);
    place(chain, [...talk, begins("q", "p3")]);
    expect([chain.isLost, chain.intent.list.revision]).toEqual([false, 4]);
  });

  test("a line that was never there is no reason to look again, once everything was read", () => {
    const chain = new Chain(true);
    place(chain, [...talk, begins("q", "nowhere")]);
    expect([chain.isLost, chain.intent.list.revision]).toEqual([false, 1000]);
  });

  test("replies and results of lines that were never written go on", () => {
    const chain = new Chain(false);
    place(chain, talk);
    chain.place({ uuid: "r", parent: "nowhere", role: "begins", reply: "m1" });
    chain.place({ uuid: "x", parent: "nowhere either", role: "follows" });
    expect(chain.isLost).toBe(false);
  });

  test("a file that names lines it does not have is read again once, not at every look", () => {
    const thorough = new Chain(true);
    place(thorough, [...talk, begins("q", "nowhere")]);
    const later = new Chain(false, JSON.parse(JSON.stringify(thorough.save())));
    place(later, [begins("z", "nowhere else")]);
    expect(later.isLost).toBe(false);
  });
});

test("what goes on from the very beginning does so in a later look, too", () => {
  const steps = [follows("x", null, 3), begins("p", null)];
  const whole = new Chain(false);
  const told = place(whole, steps);
  const early = new Chain(false);
  const retold = steps.flatMap((step, at) => {
    const chain = at === 0 ? early : new Chain(false, JSON.parse(JSON.stringify(early.save())));
    return place(chain, [step]);
  });
  expect(retold).toEqual(told);
});
