import type { Alert } from "../../detectors/alert.js";
import { MOST_REFUSALS } from "./check-counts.js";

/**
 * For people: an agent that was kept from stopping as often as it may be, and let go. No detector has found it, so it
 * has no streak. `at`: when its turn ended.
 */
export function missedAlert(at: number): Alert {
  return {
    id: 0,
    detector: "unchecked",
    level: "warn",
    count: MOST_REFUSALS,
    at,
    message:
      "Todos were completed, code was changed, and no check has passed since. The agent was asked twice and stopped all the same: run the tests, the linter or the build yourself before you rely on it.",
  };
}
