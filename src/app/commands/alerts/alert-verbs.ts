import { type CommandGroup, entry } from "../../command-definition.js";

export const ALERT_COMMANDS: CommandGroup = {
  name: "alerts",
  summary: "What detectors found: loops, stalls, two sessions in one file; mute one that is fine",
  details: `Detectors look at what an agent calls and at how long it says nothing. What they find is told to the agent
once, shown in every view, and never stops anything, unless a person has set detectors.block. docs/detectors.md
explains each of them.`,
  examples: ["milepost alerts", "milepost alerts list --all"],
  verbs: [
    entry(
      "list",
      "List alerts of all sessions, or of one; milepost alerts alone does the same",
      async () => (await import("./list-alerts.js")).listAlerts,
    ),
    entry(
      "mute",
      "Say that this is fine: one detector is silent for one session",
      async () => (await import("./mute-detector.js")).muteDetector,
    ),
    entry(
      "unmute",
      "Let a muted detector speak again",
      async () => (await import("./mute-detector.js")).unmuteDetector,
    ),
  ],
};
