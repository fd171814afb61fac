import { type JsonObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { utf8Length } from "../../core/text/length.js";
import { isWorkStatus, WORK_STATUSES, type WorkStatus } from "../work-status.js";

interface OpenclawStep {
  readonly step: string;
  readonly status: WorkStatus;
}

/** What a call of either tool sets: markdown or an explanation, and steps. */
export interface OpenclawCard {
  readonly note: string | undefined;
  readonly steps: readonly OpenclawStep[];
}

export const MOST_STEPS = 50;
const MOST_STEP_BYTES = 512;
const MOST_MARKDOWN_BYTES = 8192;

type Read<T> = Result<T, string>;

/** `progress_card`: each part may be absent or empty. */
export function readCard(input: JsonObject): Read<OpenclawCard> {
  const note = readMarkdown(own(input, "markdown"));
  if (!note.ok) return note;
  const plan = own(input, "plan");
  if (plan !== undefined && !Array.isArray(plan)) return fail("plan must be an array");
  if (plan && plan.length > MOST_STEPS) return fail(`plan can contain at most ${MOST_STEPS} steps`);
  const steps = readSteps(plan ?? [], readCardStep);
  return steps.ok ? ok({ note: note.value, steps: steps.value }) : steps;
}

/** `update_plan`: texts are trimmed, and a plan has to be there. */
export function readPlan(input: JsonObject): Read<OpenclawCard> {
  const note = trimmed(own(input, "explanation"));
  const plan = own(input, "plan");
  if (!Array.isArray(plan) || plan.length === 0) return fail("plan required");
  const steps = readSteps(plan, readPlanStep);
  return steps.ok ? ok({ note, steps: steps.value }) : steps;
}

/** A blank note is none. The limit is on what was sent, hidden characters included. */
function readMarkdown(markdown: unknown): Read<string | undefined> {
  if (markdown === undefined) return ok(undefined);
  if (typeof markdown !== "string") return fail("markdown must be a string");
  if (utf8Length(markdown) > MOST_MARKDOWN_BYTES)
    return fail(`progress card markdown exceeds ${MOST_MARKDOWN_BYTES} UTF-8 bytes`);
  const text = withoutHidden(markdown);
  return ok(text.trim() === "" ? undefined : text);
}

type ReadStep = (step: JsonObject) => Read<OpenclawStep>;

/** The first step that is wrong ends the reading. */
function readSteps(plan: readonly unknown[], readStep: ReadStep): Read<readonly OpenclawStep[]> {
  const steps: OpenclawStep[] = [];
  for (const [index, entry] of plan.entries()) {
    // An array passes for an object here; it has no step.
    if (typeof entry !== "object" || entry === null) return fail(`plan[${index}] must be an object`);
    const step = readStep(entry as JsonObject);
    if (!step.ok) return fail(`plan[${index}].${step.error}`);
    steps.push(step.value);
  }
  return ok(steps);
}

function readCardStep(entry: JsonObject): Read<OpenclawStep> {
  const sent = own(entry, "step");
  if (typeof sent !== "string") return fail("step must be a string");
  if (utf8Length(sent) > MOST_STEP_BYTES) return fail(`step exceeds ${MOST_STEP_BYTES} UTF-8 bytes`);
  const step = withoutHidden(sent);
  if (step.trim() === "") return fail("step must not be empty");
  const status = own(entry, "status");
  return isWorkStatus(status) ? ok({ step, status }) : fail(WRONG_STATUS);
}

function readPlanStep(entry: JsonObject): Read<OpenclawStep> {
  const step = trimmed(own(entry, "step"));
  if (step === undefined) return fail("step required");
  const status = trimmed(own(entry, "status"));
  if (status === undefined) return fail("status required");
  return isWorkStatus(status) ? ok({ step, status }) : fail(WRONG_STATUS);
}

const WRONG_STATUS = `status must be one of ${WORK_STATUSES.join(", ")}`;

function trimmed(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim()) || undefined;
}

/** Zero widths, signs that turn the writing direction, and tag characters: what a person cannot see is not kept. */
function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

const HIDDEN = /[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2064}\u{206a}-\u{206f}\u{feff}\u{e0000}-\u{e007f}]/gu;
