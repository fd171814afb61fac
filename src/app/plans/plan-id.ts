import { createHash } from "node:crypto";

/** Without letters that look like others: people type them. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const OF_SESSION = 4;
const OF_PLAN = 5;

/**
 * `key`: what the client calls the proposal (a call, a turn), so that whoever reports it gives it the same id. What
 * comes of the session stands in front: its plans are neighbours in the store.
 */
export function planId(session: string, key: string): string {
  return `${sessionPart(session)}-${letters(`${session}\n${key}`, OF_PLAN)}`;
}

/** With this the ids of all plans of a session and its sub-agents begin; those of others may, too. */
export function sessionPart(session: string): string {
  const [root = session] = session.split("/");
  return letters(root, OF_SESSION);
}

const PLAN_ID = /^[a-z2-9]{4}-[a-z2-9]{5}$/;

export function isPlanId(id: string): boolean {
  return PLAN_ID.test(id);
}

function letters(text: string, length: number): string {
  const bytes = createHash("sha256").update(text).digest();
  return [...bytes.subarray(0, length)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** What a decision is bound to. */
export function planHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
