import type { DemoAct, DemoAgent } from "./demo-moment.js";

// What the story is made of: the acts of a client and of a model, and what the made-up project's tools would answer.

export const hook = (agent: DemoAgent, event: string, fields: object = {}): DemoAct => ({
  type: "hook",
  agent,
  event,
  fields,
});
export const prompt = (agent: DemoAgent, text: string, fields: object = {}) =>
  hook(agent, "UserPromptSubmit", { prompt: text, ...fields });
export const todo = (input: object): DemoAct => ({ type: "call", agent: "claude-code", tool: "todo", input });
export const task = (agent: DemoAgent, input: object): DemoAct => ({ type: "call", agent, tool: "task", input });

interface Ran {
  readonly takes?: number;
  readonly output?: unknown;
  readonly error?: string;
}

export function used(
  agent: DemoAgent,
  tool: string,
  input: object,
  { takes = 300, output = "ok", error }: Ran = {},
): DemoAct {
  return { type: "tool", agent, tool, input, takes, output, ...(error !== undefined && { error }) };
}

export const read = (agent: DemoAgent, path: string): DemoAct =>
  used(agent, "Read", { file_path: `/demo/shop/${path}` }, { output: `contents of ${path}` });

export const edit = (path: string, before: string, after: string): DemoAct =>
  used(
    "claude-code",
    "Edit",
    { file_path: `/demo/shop/${path}`, old_string: before, new_string: after },
    { output: { filePath: `/demo/shop/${path}`, oldString: before, newString: after } },
  );

export const shell = (command: string, ran: Ran): DemoAct =>
  used("claude-code", "Bash", { command }, { takes: 900, ...ran });

export const CART_TEST = "npm test -- cart";
const RED =
  "Exit code 1\n FAIL  test/cart.test.ts > keeps the discount\n   expected 8.99, got 9\n Tests  1 failed | 13 passed (14)";
export const GREEN = { stdout: " Tests  14 passed (14)", stderr: "", interrupted: false };
export const ALL_GREEN = { stdout: " Tests  212 passed (212)", stderr: "", interrupted: false };
export const failing = shell(CART_TEST, { error: RED });

/** The model says them again as todos, as agents do: a person may have approved the plan in another way meanwhile. */
export const STEPS = [
  { text: "Find where the discount gets lost", activeForm: "Finding where the discount gets lost" },
  { text: "Round the price once", activeForm: "Rounding the price once" },
  { text: "Note it in the changelog", activeForm: "Noting it in the changelog" },
  { text: "Document the price API", activeForm: "Documenting the price API" },
  { text: "Run all tests", activeForm: "Running all tests" },
];

const PLAN = `# Keep discounts at the checkout\n\n${STEPS.map(({ text }) => `- ${text}\n`).join("")}`;

export const ASKED = { plan: PLAN };
export const QUESTION = "Round each item, or only the total?";
export const ANSWER = "Each item";
export const CHOICES = {
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

export const steps = (...marks: readonly string[]): DemoAct => {
  const [read = "pending", write = "pending", tell = "pending"] = marks;
  const plan = [
    { step: "Read the price code", status: read },
    { step: "Write docs/prices.md", status: write },
    { step: "Tell the support team", status: tell },
  ];
  return used("codex", "update_plan", { plan }, { takes: 0, output: "Plan updated" });
};

export const PATCH = `*** Begin Patch
*** Add File: docs/prices.md
+# Prices
+Each item is rounded once, after its discount.
*** End Patch`;
