import { describe, test } from "vitest";
import { qwenSession } from "../../src/readers/qwen/qwen-session.js";
import { holdsGoldens, neverThrows, type Summary, saysTheSameWhenCut, transcriptsOf } from "./recorded.js";

// Qwen Code 0.24.4, recorded with a scripted model. No session of anybody's.

const APP = { phase: "resting", place: "/home/dev/app@main", version: "0.24.4", model: "fake-model" } as const;

/** The sessions had no hooks: their `todo` kept a list of its own, which is not that of `todo_write`. */
const QWEN: Readonly<Record<string, readonly Summary[]>> = {
  "0.24.4-compress": [
    {
      ...{ ...APP, turns: 3, calls: "2/0", tokens: 182_250, compactions: 1 },
      title:
        "Start the work. loader4367 reads5390. token5349 fails token. joins splits9422 parser1082 closes. index stream splits clo",
      todos: ["[~] Read the code"],
    },
  ],
  "0.24.4-mcp-tool_call": [
    { ...APP, title: "Start the work.", turns: 1, calls: "2/0", tokens: 330, todos: ["[~] Read the code"] },
  ],
  // Its end is cut off.
  "0.24.4-todo-resume": [
    {
      ...{ ...APP, phase: "working", title: "Start the work.", turns: 2, calls: "7/3", tokens: 880 },
      todos: ["[x] Read the code", "[x] Fix it"],
    },
  ],
};

describe("sessions of Qwen Code", () => {
  holdsGoldens("qwen", QWEN);
});

describe("whatever happens to a file", () => {
  const files = transcriptsOf("qwen");
  const first = {
    ...{ uuid: "u1", parentUuid: null, sessionId: "s1", type: "user", provenance: "real_user" },
    ...{ timestamp: "2026-11-16T05:00:00.000Z", message: { role: "user", parts: [{ text: "Go" }] } },
  };

  test("it says the same in pieces", () => saysTheSameWhenCut("qwen", files), 60_000);
  test(
    "nothing is thrown, and nothing is lost",
    () => neverThrows({ agent: "qwen", files, formats: [qwenSession], name: "s1.jsonl", first }),
    60_000,
  );
});
