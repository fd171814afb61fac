import { hostname, userInfo } from "node:os";
import { fail, ok, type Result } from "../../core/result.js";
import { isEventName } from "../../store/event-store.js";

/** Who acts when a person types a command or answers a client's dialogue: `--as`, else user and machine. */
export function personOf(as: string | undefined): Result<string> {
  const name = as ?? `${userName()}@${hostname()}`;
  return isEventName(name) ? ok(name) : fail("bad-actor", "An actor is 1 to 300 visible characters.");
}

/** Not every user of a container has a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "person";
  }
}
