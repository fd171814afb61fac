import * as holds from "./demo-checks.js";
import type { DemoAct, DemoAgent, DemoMoment } from "./demo-moment.js";

// The story: a made-up project `shop`, in which discounts get lost. Two agents, one person, and what goes wrong in real
// work. What is answered, warned of and judged is not here: the engine says it while it is played.

const hook = (agent: DemoAgent, event: string, fields: object = {}): DemoAct => ({
  type: "hook",
  agent,
  event,
  fields,
});
const prompt = (agent: DemoAgent, text: string, fields: object = {}) =>
  hook(agent, "UserPromptSubmit", { prompt: text, ...fields });
const todo = (input: object): DemoAct => ({ type: "call", agent: "claude-code", tool: "todo", input });
const task = (agent: DemoAgent, input: object): DemoAct => ({ type: "call", agent, tool: "task", input });

interface Ran {
  readonly takes?: number;
  readonly output?: unknown;
  readonly error?: string;
}

function used(agent: DemoAgent, tool: string, input: object, { takes = 300, output = "ok", error }: Ran = {}): DemoAct {
  return { type: "tool", agent, tool, input, takes, output, ...(error !== undefined && { error }) };
}

const read = (agent: DemoAgent, path: string): DemoAct =>
  used(agent, "Read", { file_path: `/demo/shop/${path}` }, { output: `contents of ${path}` });

const edit = (path: string, before: string, after: string): DemoAct =>
  used(
    "claude-code",
    "Edit",
    { file_path: `/demo/shop/${path}`, old_string: before, new_string: after },
    { output: { filePath: `/demo/shop/${path}`, oldString: before, newString: after } },
  );

const shell = (command: string, ran: Ran): DemoAct => used("claude-code", "Bash", { command }, { takes: 900, ...ran });

const CART_TEST = "npm test -- cart";
const RED =
  "Exit code 1\n FAIL  test/cart.test.ts > keeps the discount\n   expected 8.99, got 9\n Tests  1 failed | 13 passed (14)";
const GREEN = { stdout: " Tests  14 passed (14)", stderr: "", interrupted: false };
const ALL_GREEN = { stdout: " Tests  212 passed (212)", stderr: "", interrupted: false };
const failing = shell(CART_TEST, { error: RED });

const PLAN = `# Keep discounts at the checkout

- Find where the discount gets lost
- Round the price once
- Note it in the changelog
- Document the price API
- Run all tests
`;

const ASKED = { plan: PLAN };
const QUESTION = "Round each item, or only the total?";
const ANSWER = "Each item";
const CHOICES = {
  questions: [
    {
      question: QUESTION,
      header: "Rounding",
      multiSelect: false,
      options: [
        { label: ANSWER, description: "As the receipt shows it" },
        { label: "Only the total", description: "What was charged until now" },
      ],
    },
  ],
};

const steps = (...marks: readonly string[]): DemoAct => {
  const [read = "pending", write = "pending", tell = "pending"] = marks;
  const plan = [
    { step: "Read the price code", status: read },
    { step: "Write docs/prices.md", status: write },
    { step: "Tell the support team", status: tell },
  ];
  return used("codex", "update_plan", { plan }, { takes: 0, output: "Plan updated" });
};

const PATCH = `*** Begin Patch
*** Add File: docs/prices.md
+# Prices
+Each item is rounded once, after its discount.
*** End Patch`;

export const DEMO_SCENES: readonly DemoMoment[] = [
  {
    agent: "person",
    story: "You ask Claude Code, in plan mode: discounts vanish at the checkout.",
    acts: [
      hook("claude-code", "SessionStart", { source: "startup" }),
      prompt("claude-code", "Discounts vanish at the checkout. Plan first.", { permission_mode: "plan" }),
    ],
    pause: 1500,
    check: holds.isAtWork,
  },
  {
    agent: "claude-code",
    story: "It looks around, and changes nothing yet.",
    acts: [
      read("claude-code", "src/cart.ts"),
      used("claude-code", "Grep", { pattern: "discount" }, { output: "3 files" }),
    ],
    pause: 800,
    check: holds.hasLooked,
  },
  {
    agent: "claude-code",
    story: "It proposes a plan, and waits for you.",
    acts: [{ type: "asks", agent: "claude-code", tool: "ExitPlanMode", input: ASKED }],
    pause: 2600,
    check: holds.planWaits,
  },
  {
    agent: "person",
    story: "You approve it: its steps become the list, and the model is told.",
    acts: [
      { type: "approve", agent: "claude-code" },
      { type: "answered", agent: "claude-code", words: "Yes", output: ASKED },
    ],
    pause: 2200,
    check: holds.planApproved,
  },
  {
    agent: "claude-code",
    story: "It begins with the first one.",
    acts: [todo({ start: 1 })],
    pause: 900,
    check: holds.hasBegun,
  },
  {
    agent: "claude-code",
    story: "It finds the line, and ticks off the first todo.",
    acts: [
      read("claude-code", "src/price.ts"),
      todo({ done: 1, note: "#2 rounded twice: src/price.ts:41 and src/cart.ts:12" }),
    ],
    pause: 1600,
    check: holds.firstWorked,
  },
  {
    agent: "claude-code",
    story: "An edit, then the tests. One fails.",
    acts: [edit("src/price.ts", "round(round(p) * d)", "round(p * d)"), failing],
    pause: 1000,
    check: holds.testFails,
  },
  {
    agent: "claude-code",
    story: "It runs the same failing command again and again: the model is told.",
    acts: [failing, failing],
    pause: 2000,
    check: holds.loopTold,
  },
  {
    agent: "claude-code",
    story: "And once more. The note becomes a warning, which you see in every view.",
    acts: [failing],
    pause: 1800,
    check: holds.loopRises,
  },
  {
    agent: "claude-code",
    story: "The context is compacted. What is open comes back; what is done does not.",
    acts: [
      hook("claude-code", "PreCompact", { trigger: "auto" }),
      hook("claude-code", "SessionStart", { source: "compact" }),
    ],
    pause: 2600,
    check: holds.digestHasOpen,
  },
  {
    agent: "claude-code",
    story: "It has a question only you can answer.",
    acts: [{ type: "asks", agent: "claude-code", tool: "AskUserQuestion", input: CHOICES }],
    pause: 2600,
    check: holds.questionWaits,
  },
  {
    agent: "person",
    story: "You answer: each item. That ends the alert, too.",
    acts: [
      {
        type: "answered",
        agent: "claude-code",
        words: ANSWER,
        output: { ...CHOICES, answers: { [QUESTION]: ANSWER } },
      },
    ],
    pause: 900,
    check: holds.goesOn,
  },
  {
    agent: "claude-code",
    story: "A change of the code, and the tests pass.",
    acts: [edit("src/cart.ts", "round(total)", "total"), shell(CART_TEST, { output: GREEN })],
    pause: 1200,
    check: holds.testsPass,
  },
  {
    agent: "claude-code",
    story: "Done, and verified: a check passed after the last edit.",
    acts: [todo({ done: 2, evidence: `${CART_TEST}: 14 passed` })],
    pause: 1800,
    check: holds.secondVerified,
  },
  {
    agent: "claude-code",
    story: "It ticks off the changelog as well. Nothing was written: unbacked.",
    acts: [todo({ done: 3 })],
    pause: 2600,
    check: holds.thirdUnbacked,
  },
  {
    agent: "claude-code",
    story: "The documentation is for somebody else: a task for the next agent.",
    acts: [
      task("claude-code", { add: ["Document the price API"], description: "docs/prices.md: how prices are rounded" }),
    ],
    pause: 1400,
    check: holds.taskReady,
  },
  {
    agent: "codex",
    story: "Codex comes to the same project, and claims the task with a lease.",
    acts: [
      hook("codex", "SessionStart", { source: "startup" }),
      prompt("codex", "Take the next task."),
      task("codex", { claim: -1 }),
    ],
    pause: 1600,
    check: holds.taskClaimed,
  },
  {
    agent: "claude-code",
    story: "Claude Code reports it as done, by mistake: refused, Codex holds it.",
    acts: [task("claude-code", { done: 1 })],
    pause: 1800,
    check: holds.othersRefused,
  },
  {
    agent: "codex",
    story: "Codex makes a plan of its own, and writes the document.",
    acts: [
      steps("in_progress"),
      used("codex", "Bash", { command: "cat src/price.ts src/cart.ts" }, { output: "export function price() {}" }),
      steps("completed", "in_progress"),
      used(
        "codex",
        "apply_patch",
        { command: PATCH },
        { takes: 500, output: "Success. Updated the following files:\nA docs/prices.md" },
      ),
    ],
    pause: 1200,
    check: holds.codexWorks,
  },
  {
    agent: "codex",
    story: "The task is done, with evidence. Its last step is ticked off: unbacked.",
    acts: [
      steps("completed", "completed", "completed"),
      task("codex", { done: 1, evidence: "docs/prices.md, 2 lines" }),
      hook("codex", "Stop", { stop_hook_active: false, last_assistant_message: "The price API is documented." }),
    ],
    pause: 2200,
    check: holds.taskDone,
  },
  {
    agent: "person",
    story: "You have seen the unbacked todo, and tell Claude Code.",
    acts: [{ type: "tell", agent: "claude-code", text: "The changelog has no line yet." }],
    pause: 1400,
    check: holds.wordStored,
  },
  {
    agent: "claude-code",
    story: "It reads that with its next step, and writes the line.",
    acts: [
      read("claude-code", "docs/prices.md"),
      todo({ start: 3 }),
      edit("CHANGELOG.md", "## Next", "## Next\n- Discounts are kept"),
      todo({ done: [3, 4] }),
    ],
    pause: 1600,
    check: holds.wordHeard,
  },
  {
    agent: "claude-code",
    story: "All tests pass, all todos are done, and the facts agree.",
    acts: [
      shell("npm test", { output: ALL_GREEN, takes: 1200 }),
      todo({ done: 5, evidence: "npm test: 212 passed" }),
      hook("claude-code", "Stop", { stop_hook_active: false, last_assistant_message: "Discounts are kept." }),
    ],
    pause: 1500,
    check: holds.allVerified,
  },
];
