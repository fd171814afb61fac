import { describe, expect, test } from "vitest";
import { hermesGateway } from "../../src/readers/hermes/gateway.js";
import { hermesSessions } from "../../src/readers/hermes/session-files.js";
import { Transcript } from "../../src/readers/transcript.js";
import {
  bytesOf,
  holdsGoldens,
  neverThrows,
  type Summary,
  saysTheSameWhenCut,
  summary,
  transcriptsOf,
} from "./recorded.js";

const files = transcriptsOf("hermes");

const HERMES = { phase: "working", turns: 1, calls: "1/0", tokens: 0, place: "@", version: "", model: "" } as const;
const ROW = { ...HERMES, phase: "resting", place: "/home/dev/app@", model: "hermes-4-405b", todos: [] } as const;

const GOLDEN: Readonly<Record<string, readonly Summary[]>> = {
  "20251229_092000_d4e5f6": [{ ...HERMES, title: "Do A then B", todos: ["[~] Do A"] }],
  "20260301_091500_a1b2c3": [
    {
      ...HERMES,
      title: "Rename the helper everywhere, then run the tests.",
      turns: 2,
      // A file that is not there, tests that fail, and a merge that breaks off.
      calls: "6/3",
      model: "hermes-4-70b",
      todos: ["[x] Look at the helper", "[~] Rename it", "[ ] Run the tests"],
    },
  ],
  "sessions-export": [
    {
      ...ROW,
      title: "Parser and printer",
      turns: 2,
      calls: "2/0",
      tokens: 2000,
      cost: 0.0125,
      compactions: 1,
      todos: ["[x] Write the parser", "[~] Write the printer", "[ ] Numbers"],
    },
    { ...ROW, title: "Check how numbers are printed", calls: "1/1", parent: "20260901_120000_111111" },
    { ...ROW, title: "Go on.", phase: "asking", place: "@", compactions: 1 },
  ],
};

describe("made-up sessions", () => {
  holdsGoldens("hermes", GOLDEN);

  test("a snapshot is one record, however it is printed", () => {
    const file = "session_20260415_080000_9f8e7d.json";
    const transcript = new Transcript({ file });
    transcript.tell(JSON.parse(bytesOf("hermes", file).toString()));
    const [view] = transcript.views.values();
    expect(transcript.format).toBe(hermesSessions);
    expect(view && [view.id, summary(view)]).toEqual([
      "20260415_080000_9f8e7d",
      {
        ...HERMES,
        title: "Tidy up the docs.",
        calls: "2/1",
        model: "hermes-4-70b",
        todos: ["[~] Look at the helper", "[ ] Rename it", "[ ] Run the tests"],
      },
    ]);
  });
});

describe("whatever happens to a file", () => {
  test("cut anywhere and gone on with later, it says the same", () => saysTheSameWhenCut("hermes", files));

  test("no record makes a reader throw, and going on later changes nothing", () =>
    neverThrows({
      agent: "hermes",
      files,
      formats: [hermesGateway, hermesSessions],
      name: "20260301_091500_a1b2c3.jsonl",
      first: { role: "session_meta" },
    }));
});
