import { type CallHistory, evolveCalls, isCallHistory, NO_CALL_HISTORY } from "../../core/call/call-history.js";
import type { Projection } from "../../store/projection.js";

/** What a session's tools did, its sub-agents' included: counts, what is open, when there was work. */
export const CALLS: Projection<CallHistory> = {
  name: "calls",
  revision: 1,
  initial: NO_CALL_HISTORY,
  keptEvery: 64,
  covers: (stream) => stream.startsWith("calls:"),
  fold: evolveCalls,
  isState: isCallHistory,
  // Calls are history, also those that nobody saw ending: they go by age and size alone.
  isOpen: () => false,
};
