import { type CommandGroup, entry } from "../../command-definition.js";

export const PLAN_COMMANDS: CommandGroup = {
  name: "plan",
  summary: "Read and decide on agents' plans: list, show, approve, reject, edit, diff ...",
  details: `A plan is what an agent intends, for a person to decide on; it is no list of work, and approving it starts
nothing. Plans are named by their id (nt54-9u2wr), a beginning of it, or what stands behind its dash. Those of Claude
Code and Codex are picked up from hooks and transcripts. An agent does not decide: in its own shell approve, reject and
edit are refused.`,
  examples: ["milepost plan list", "milepost plan approve 9u2wr"],
  verbs: [
    entry(
      "list",
      "List plans, those that wait for you first; milepost plan alone does the same",
      async () => (await import("./list-plans.js")).listPlans,
    ),
    entry("show", "Show a plan's whole text", async () => (await import("./list-plans.js")).showPlan),
    entry("approve", "Approve a plan", async () => (await import("./judge-plan.js")).approvePlan),
    entry("reject", "Reject a plan, with a reason", async () => (await import("./judge-plan.js")).rejectPlan),
    entry("edit", "Change a plan's text before you decide", async () => (await import("./write-plan.js")).editPlan),
    entry("diff", "Show what a plan changes in an earlier one", async () => (await import("./diff-plan.js")).diffPlan),
    entry("propose", "Propose a plan from a file", async () => (await import("./write-plan.js")).proposePlan),
  ],
};
