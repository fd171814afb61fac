/** What gencode's proposal puts before its model: with the first request, and after too many turns without an update. */
export const GENCODE_REMINDERS = {
  initial: "<reminder>Use TodoWrite for multi-step tasks.</reminder>",
  stale: "<reminder>10+ turns without todo update. Please update todos.</reminder>",
  staleAfterTurns: 10,
} as const;
