import type { ToolDefinition } from "../../dialect.js";

// Our own tool for plans. It is offered only where somebody asked for it. What it answers is in the files beside this
// one, which are loaded with the first call: this definition is all that a client's start needs.

export const PLAN_TOOL = "plan";

export const milepostPlan: ToolDefinition = {
  name: PLAN_TOOL,
  title: "Plan",
  description:
    "Propose a plan to the person and wait: start only when it is approved. A changed plan is proposed anew. {} tells its state.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "the whole plan in markdown, first line: its title" } },
    additionalProperties: false,
  },
  // The person is asked, and nothing outside is touched.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
