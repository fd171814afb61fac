import { isObject, own } from "../core/json.js";
import { cutCodePoints } from "../core/text/length.js";
import { terminalText } from "../core/text/terminal-text.js";

// The form in which a client asks the person about a plan, and what the person's answer means.

/** What of a plan is in the form. */
export interface ShownPlan {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What a client sends to the person: the same in both ways to ask. */
export interface PlanForm {
  readonly mode: "form";
  readonly message: string;
  readonly requestedSchema: object;
}

const MOST_LINES = 30;
const LONGEST_LINE = 200;
const LONGEST_MESSAGE = 3000;
const LONGEST_TITLE = 120;

/**
 * Clients draw it in a terminal, and one of them shows three lines: what it is comes first, then where all of it is.
 * What the model wrote is made safe, and each of its lines is set apart from ours.
 */
export function formMessage({ id, title, text }: ShownPlan, showCommand: string): string {
  const all = text.split(/\r?\n/);
  const shown: string[] = [];
  let length = 0;
  for (const line of all.slice(0, MOST_LINES)) {
    const row = `  ${cutCodePoints(terminalText(line), LONGEST_LINE)}`.trimEnd();
    length += row.length + 1;
    if (length > LONGEST_MESSAGE) break;
    shown.push(row);
  }
  const heading = `May the agent start plan ${id}: ${cutCodePoints(terminalText(title), LONGEST_TITLE)}`;
  const rest = shown.length < all.length ? [`  ... ${all.length - shown.length} more lines`] : [];
  return [heading, `The whole plan: ${showCommand}`, "", ...shown, ...rest].join("\n");
}

const CHOICES = [
  { const: "approve", title: "Approve: the agent may start" },
  { const: "reject", title: "Reject it" },
  { const: "changes", title: "Ask for changes (say which in the comment)" },
] as const;

/** Clients of 2025-06-18 know no titled choices but these. */
const OLD_TITLES = "2025-06-18";

/** A flat object: clients draw nothing else. */
export function formSchema(revision: string | undefined): object {
  const names =
    revision === OLD_TITLES
      ? { enum: CHOICES.map((choice) => choice.const), enumNames: CHOICES.map(({ title }) => title) }
      : { oneOf: CHOICES };
  return {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", ...names },
      comment: { type: "string", title: "Comment", description: "what the agent should know" },
    },
    required: ["decision"],
  };
}

export type FormAnswer =
  | { readonly type: "approve" | "reject"; readonly comment?: string }
  /** No decision: the plan stays as it is. `why` is a sentence for the model. */
  | { readonly type: "none"; readonly why: string };

/** Only accept with the decision approve approves. A decline may be nobody's word: a client may do it by itself. */
export function readFormAnswer(result: unknown): FormAnswer {
  if (!isObject(result)) return none("The client's answer to the form cannot be read.");
  const action = own(result, "action");
  if (action === "decline") return none("The form was declined.");
  if (action === "cancel") return none("The form was closed.");
  if (action !== "accept") return none("The client's answer to the form cannot be read.");
  const content = own(result, "content");
  const decision = isObject(content) ? own(content, "decision") : undefined;
  const comment = isObject(content) ? own(content, "comment") : undefined;
  const isKnown = CHOICES.some((choice) => choice.const === decision);
  if (!isKnown || (comment !== undefined && comment !== null && typeof comment !== "string"))
    return none("The form came back without a decision.");
  const said = typeof comment === "string" && comment.trim() !== "" ? { comment: comment.toWellFormed().trim() } : {};
  return { type: decision === "approve" ? "approve" : "reject", ...said };
}

function none(why: string): FormAnswer {
  return { type: "none", why: `${why} Nobody has decided.` };
}
