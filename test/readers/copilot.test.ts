import { describe, test } from "vitest";
import { copilotSession } from "../../src/readers/copilot/copilot-session.js";
import { holdsGoldens, neverThrows, type Summary, saysTheSameWhenCut, transcriptsOf } from "./recorded.js";

// GitHub Copilot CLI 1.0.102, recorded with a scripted model. No session of anybody's.

const APP = { phase: "left", place: "/home/dev/app@main", version: "1.0.102", model: "fake-model" } as const;

const COPILOT: Readonly<Record<string, readonly Summary[]>> = {
  // A sub-agent looks around; a command fails, a file may not be read, a hook refuses, SQL stops half way.
  "1.0.102-agent-failures.events": [
    {
      ...{ ...APP, title: "Start the work.", turns: 2, calls: "9/4", tokens: 1210 },
      todos: ["[x] A"],
    },
    {
      ...{ ...APP, title: "look", turns: 1, calls: "1/0", tokens: 220, todos: [] },
      parent: "720ed310-1311-432e-a06e-f6814d2c6386",
    },
  ],
  // Its one compaction is cancelled, and its end cut off.
  "1.0.102-compact.events": [
    {
      ...{ ...APP, phase: "working", turns: 3, calls: "0/0", tokens: 212_760, todos: [] },
      title:
        "Start the work. loader4367 reads5390. token5349 fails token. joins splits9422 parser1082 closes. index stream splits clo",
    },
  ],
  "1.0.102-compacted.events": [
    {
      ...{ ...APP, title: "Start the work.", turns: 2, calls: "6/0", tokens: 990, compactions: 1 },
      todos: ["[~] Read the code", "[ ] Fix it"],
    },
  ],
  // Its end is cut off. Nobody had hooks: our `todo` kept a list of its own.
  "1.0.102-todos-resume.events": [
    {
      ...{ ...APP, phase: "working", title: "Start the work.", turns: 2, calls: "5/1", tokens: 660 },
      todos: ["[~] Read the code", "[ ] Fix it"],
    },
  ],
};

describe("sessions of Copilot CLI", () => {
  holdsGoldens("copilot", COPILOT);
});

describe("whatever happens to a file", () => {
  const files = transcriptsOf("copilot");
  const first = {
    ...{ type: "session.start", id: "e1", parentId: null, timestamp: "2026-11-16T05:00:00.000Z" },
    data: { sessionId: "s1", copilotVersion: "1.0.102", context: { cwd: "/home/dev/app" } },
  };

  test("it says the same in pieces", () => saysTheSameWhenCut("copilot", files), 60_000);
  test(
    "nothing is thrown, and nothing is lost",
    () => neverThrows({ agent: "copilot", files, formats: [copilotSession], name: "events.jsonl", first }),
    60_000,
  );
});
