import type { AgentReminders } from "../agent-reminders.js";

/** As gencode's proposal has it: at the beginning, and after too many turns without an update. */
export const GENCODE_REMINDERS: AgentReminders = {
  // Its ten turns are ours as well, and a person may tune them.
  settings: {},
  text(kind) {
    if (kind === "first" || kind === "unused") return "<reminder>Use TodoWrite for multi-step tasks.</reminder>";
    return kind === "stale" ? "<reminder>10+ turns without todo update. Please update todos.</reminder>" : undefined;
  },
};
