import type { TodoList } from "../../core/todo/list.js";
import type { Answer } from "../../dialects/dialect.js";

/** One moment of the tour: what happens in the agent's world, and the call it makes. */
export interface Scene {
  readonly dialect: "milepost" | "codex" | "claude";
  readonly story: string;
  readonly tool: string;
  readonly input: object;
}

/** A scene after it was played against the real engine. */
export interface Played {
  readonly scene: Scene;
  readonly answer: Answer;
  readonly before: TodoList;
  readonly after: TodoList;
}

const todo = (story: string, input: object): Scene => ({ dialect: "milepost", story, tool: "todo", input });

const DONE_BEFORE = [
  "Read the login code",
  "Find out why sessions end early",
  "Pass a clock into the session code",
  "Write a failing test",
  "Fix the cookie",
];

/** A small job with the things that go wrong in real ones: a detour, a wrong number, a forgotten list, a hand-over. */
export const SCENES: readonly Scene[] = [
  todo("The person asks: make the login page remember people. The agent plans.", {
    add: [
      "Read the login code",
      "Find out why sessions end early",
      "Write a failing test",
      "Fix the cookie",
      "Polish the login form",
      "Run all tests",
    ],
  }),
  todo("It reads src/login.ts and finishes the first todo. The next one starts by itself.", { done: 1 }),
  todo("The cookie has no Max-Age: cause found, and worth a note for the fix.", {
    done: 2,
    note: "#4 cookie lacks Max-Age, see src/session.ts:41",
  }),
  todo("The test needs a clock that can be turned. A new todo, to be done first.", {
    add: ["Pass a clock into the session code"],
    start: "Pass a clock into the session code",
  }),
  todo("Done. It misremembers the number of the next todo.", { done: 7, start: 12 }),
  todo("The answer named the open todos, so the second try fits.", { done: 7, start: 3 }),
  todo("The test fails as it should. The note comes back with its todo.", {
    done: 3,
    evidence: "session.test.ts fails: cookie expires with the window",
  }),
  todo("The context is compacted. The agent, unsure, adds a todo that is there already.", {
    add: ["Run all tests"],
  }),
  todo("Nobody asked for a prettier form. The fix is in.", { drop: [5], done: 4, evidence: "session.test.ts passes" }),
  {
    dialect: "codex",
    story: "Another agent takes over the same list. It speaks Codex's update_plan, which sends the whole plan.",
    tool: "update_plan",
    input: {
      explanation: "Taking over; adding a changelog line",
      plan: [
        ...DONE_BEFORE.map((step) => ({ step, status: "completed" })),
        { step: "Run all tests", status: "in_progress" },
        { step: "Add a line to the changelog", status: "pending" },
      ],
    },
  },
  todo("Back to the first agent. Numbers have stayed what they were.", { done: 6, evidence: "212 tests pass" }),
  todo("The last one.", { done: 8 }),
];
