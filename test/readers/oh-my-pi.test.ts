import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { ohMyPiSession } from "../../src/readers/oh-my-pi/oh-my-pi-session.js";
import {
  holdsGoldens,
  neverThrows,
  readInChunks,
  type Summary,
  saysTheSameWhenCut,
  transcriptsOf,
} from "./recorded.js";

// Made by hand after what oh-my-pi 15.7.3 and 17.1, and pi, write; those of 14.9.9, 18.2.3 and pi 0.73.1 were
// recorded with a scripted model. No session of anybody's.

const APP = { phase: "resting", place: "/home/dev/app@", version: "" } as const;

/** Our own tool was called, too: its list is another one. */
const RECORDED = {
  ...{ ...APP, title: "Start the work.", model: "fake-model", turns: 2, calls: "4/0", tokens: 660 },
  todos: ["[x] x", "[x] y"],
};

const OH_MY_PI: Readonly<Record<string, readonly Summary[]>> = {
  "14.9.9-todo_write": [RECORDED],
  "18.2.3-todo-resume": [{ ...RECORDED, phase: "left", tokens: 770 }],
  "18.2.3-compact": [
    {
      ...{ ...RECORDED, phase: "left", turns: 3, calls: "2/0", tokens: 208_250, compactions: 1 },
      title:
        "Start the work. loader4367 reads5390. token5349 fails token. joins splits9422 parser1082 closes. index stream splits clo",
      todos: ["[~] x", "[ ] y"],
    },
  ],
  "18.2.3-mcp-xd": [{ ...RECORDED, phase: "left", turns: 1, tokens: 550, todos: ["[~] Read the code", "[ ] Fix it"] }],
  "15.7.3-branches": [
    {
      ...{ ...APP, title: "Port the cache", model: "claude-sonnet-4-5", turns: 3, calls: "6/1", tokens: 1440 },
      cost: 0.008,
      todos: ["[x] Read the old cache", "[~] Write the new one", "[ ] Run the tests", "[ ] Describe it"],
    },
  ],
  "15.7.3-compaction": [
    {
      ...{ ...APP, phase: "asking", title: "Rename the helper.", model: "gpt-5.2", turns: 2, calls: "4/1" },
      ...{ tokens: 900, cost: 0.005, compactions: 1 },
      todos: ["[~] Inspect helper", "[ ] Rename helper", "[ ] Run tests"],
    },
  ],
  "17.1.2-todo": [
    {
      ...{ ...APP, title: "Ship the importer, with a key", model: "claude-sonnet-4-5", turns: 1, calls: "5/0" },
      ...{ tokens: 1128, cost: 0.0061 },
      todos: ["[x] Parse the file", "[~] Store the rows", "[ ] Ask for the key"],
    },
  ],
};

const LOREM = "lorem ipsum dolor sit amet ".repeat(4);

const PI: Readonly<Record<string, readonly Summary[]>> = {
  "0.20.0-linear": [
    {
      ...{ ...APP, title: "Say hello.", model: "claude-sonnet-4-5", turns: 1, calls: "1/0", tokens: 360, todos: [] },
      cost: 0.001,
    },
  ],
  "0.73.1-compact": [
    {
      ...{ ...RECORDED, turns: 3, calls: "2/1", tokens: 196_650, todos: [], compactions: 1 },
      title: `Start the work. ${LOREM}`.slice(0, 120),
    },
  ],
  "0.73.1-todo-extension": [{ ...RECORDED, calls: "5/0", tokens: 770, todos: ["[x] Read the code", "[ ] Fix it"] }],
  "0.60.0-todo-extension": [
    {
      ...{ ...APP, title: "Tidying", model: "claude-opus-4-5", turns: 1, calls: "5/0", tokens: 900, cost: 0.005 },
      todos: ["[x] Look around", "[ ] Tidy up"],
    },
  ],
};

describe("sessions of oh-my-pi", () => {
  holdsGoldens("oh-my-pi", OH_MY_PI);

  test("notes are kept, and a blocked todo says why", () => {
    const notesIn = (file: string) =>
      [...readInChunks("oh-my-pi", file).views.values()].flatMap(({ list }) =>
        list.phases.flatMap(({ todos }) => todos.flatMap(({ notes }) => notes)),
      );
    expect(notesIn("15.7.3-compaction.jsonl")).toEqual(["two callers", "one test"]);
    expect(notesIn("17.1.2-todo.jsonl")).toEqual(["blocked: nobody is there"]);
  });
});

describe("sessions of pi", () => {
  holdsGoldens("pi", PI);
});

describe("whatever happens to a file", () => {
  const first: JsonObject = {
    type: "session",
    version: 3,
    id: "s1",
    timestamp: "2026-06-01T10:00:00.000Z",
    cwd: "/app",
  };

  for (const agent of ["oh-my-pi", "pi"] as const) {
    const files = transcriptsOf(agent);
    test(`${agent}: cut anywhere and gone on with later, it says the same`, () => saysTheSameWhenCut(agent, files));
    test(`${agent}: no record makes a reader throw, and going on later changes nothing`, () =>
      neverThrows({ agent, files, formats: [ohMyPiSession], name: "2026-06-01T10-00-00-000Z_s1.jsonl", first }));
  }
});
