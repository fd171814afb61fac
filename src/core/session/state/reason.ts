/** Why a session is in its state: one word of these everywhere, in JSON as it stands here. */
export const REASONS = [
  // running
  "in-turn",
  "call-running",
  "background-work",
  // waiting
  "permission",
  "question",
  "plan",
  "elicitation",
  "input",
  // idle
  "started",
  "turn-ended",
  "interrupted",
  "failed",
  "usage-limit",
  // stalled
  "no-event",
  // ended
  "session-ended",
  "process-gone",
  "parent-ended",
  "long-quiet",
] as const;
export type Reason = (typeof REASONS)[number];

/** Who says so: a hook, the transcript, or the client's process (also the file in which it says what it does). */
export type Source = "hook" | "transcript" | "process";

/** What a person can be waited for with. */
const ASKED = ["permission", "question", "plan", "elicitation", "input"] as const;
export type Asked = (typeof ASKED)[number];

export function isAsked(reason: Reason): reason is Asked {
  return (ASKED as readonly Reason[]).includes(reason);
}

/** Clients have words of their own, and grow new ones: what is not known is an input of some kind. */
const BY_CLIENT: Readonly<Record<string, Asked>> = {
  permission_prompt: "permission",
  worker_permission_prompt: "permission",
  "permission prompt": "permission",
  "sandbox request": "permission",
  elicitation_dialog: "elicitation",
};

export function askedOf(word: string): Asked {
  const known = ASKED.find((asked) => asked === word);
  return known ?? (Object.hasOwn(BY_CLIENT, word) ? BY_CLIENT[word] : undefined) ?? "input";
}

/** Ways in which a turn ends that leave no doubt that it is over. */
const CUT = ["interrupted", "failed", "usage-limit"] as const;
export type Cut = (typeof CUT)[number];

export function isCut(reason: Reason): reason is Cut {
  return (CUT as readonly Reason[]).includes(reason);
}

export function cutOf(word: string | undefined): Cut | undefined {
  return CUT.find((cut) => cut === word);
}

const LIMIT =
  /^(?:You['’]ve (?:hit|reached) your|You['’]re out of|Your org is out of|Claude(?: AI)? usage limit reached)/i;

/** How clients say that the person's plan has nothing left; all else is a limit of the moment. */
export function isUsageLimit(message: string): boolean {
  return LIMIT.test(message);
}

/** As a person reads it. */
export function reasonText(reason: Reason): string {
  return reason.replaceAll("-", " ");
}
