import { sessionAt } from "../json.js";

const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\dZ-]+_(.+)$/;

/**
 * A session's file is called TIME_ID.jsonl, and files of its sub-agents lie beside it in a folder of that name: the
 * session that a name without its ending is of.
 */
export function piSessionIn(name: string): string | undefined {
  return sessionAt(SESSION_NAME.exec(name)?.[1]);
}
