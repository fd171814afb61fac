import { hostname, userInfo } from "node:os";
import { fail, ok, type Result } from "../core/result.js";
import { isEventName } from "../store/event-store.js";

/** Who acts when a person types a command: `--as`, else user and machine. */
export function personOf(as: string | undefined): Result<string> {
  const name = as ?? `${userName()}@${hostname()}`;
  if (isEventName(name)) return ok(name);
  return fail({ code: "bad-actor", message: "An actor is 1 to 300 visible characters." });
}

/** Not every user of a container has a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "person";
  }
}
