import { isObject, type JsonObject, parseJson } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { WORK_STATUSES } from "../work-status.js";
import { MOST_STEPS } from "./openclaw-input.js";

// What OpenClaw does with the arguments of `progress_card` before the tool is asked: values of a wrong type are turned
// into the right one where that is plain; for others the model reads the complaints of the schema.

/** The first complaints only, as the original's checker has it. */
const MOST_COMPLAINTS = 8;
/** A longer text is not looked into for JSON. */
const LONGEST_JSON = 65_536;

/** `path`: names and places, a slash before each. */
interface Complaint {
  readonly path: string;
  readonly problem: string;
}

/** The arguments as the tool gets them, or what the model is told instead. */
export function checkArguments(tool: string, sent: unknown): Result<JsonObject, string> {
  const given = isObject(sent) ? withRightTypes(sent) : sent;
  const complaints = firstOf(complaintsAbout(given));
  if (isObject(given) && complaints.length === 0) return ok(given);
  const lines = complaints.map(({ path, problem }) => `  - ${shownPath(path)}: ${problem}`).join("\n");
  return fail(`Validation failed for tool "${tool}":\n${lines}\n\nReceived arguments:\n${printed(sent)}`);
}

function withRightTypes(sent: JsonObject): JsonObject {
  const plan = ofJson(sent.plan, Array.isArray);
  return {
    ...sent,
    ...(Object.hasOwn(sent, "markdown") && { markdown: asText(sent.markdown) }),
    ...(Object.hasOwn(sent, "plan") && { plan: Array.isArray(plan) ? plan.map(stepOf) : plan }),
  };
}

function stepOf(sent: unknown): unknown {
  const entry = ofJson(sent, isObject);
  return isObject(entry) && Object.hasOwn(entry, "step") ? { ...entry, step: asText(entry.step) } : entry;
}

function asText(value: unknown): unknown {
  if (value === null) return "";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function ofJson(value: unknown, isWanted: (value: unknown) => boolean): unknown {
  if (typeof value !== "string" || value.length > LONGEST_JSON) return value;
  const parsed = parseJson(value);
  return isWanted(parsed) ? parsed : value;
}

function* complaintsAbout(given: unknown): Generator<Complaint> {
  if (!isObject(given)) {
    yield { path: "", problem: "must be object" };
    return;
  }
  yield* strangers(given, ["markdown", "plan"], "");
  if (Object.hasOwn(given, "markdown") && typeof given.markdown !== "string")
    yield { path: "/markdown", problem: "must be string" };
  if (!Object.hasOwn(given, "plan")) return;
  const { plan } = given;
  if (!Array.isArray(plan)) yield { path: "/plan", problem: "must be array" };
  else {
    for (const [index, entry] of plan.entries()) yield* complaintsAboutStep(entry, `/plan/${index}`);
    if (plan.length > MOST_STEPS) yield { path: "/plan", problem: `must not have more than ${MOST_STEPS} items` };
  }
}

const STEP_FIELDS = ["step", "status"];

function* complaintsAboutStep(entry: unknown, path: string): Generator<Complaint> {
  if (!isObject(entry)) {
    yield { path, problem: "must be object" };
    return;
  }
  const missing = STEP_FIELDS.filter((field) => !Object.hasOwn(entry, field));
  if (missing.length > 0)
    yield { path: `${path}/${missing[0]}`, problem: `must have required properties ${missing.join(", ")}` };
  yield* strangers(entry, STEP_FIELDS, path);
  if (!missing.includes("step")) yield* complaintsAboutText(entry.step, `${path}/step`);
  if (!missing.includes("status")) yield* complaintsAboutStatus(entry.status, `${path}/status`);
}

function* complaintsAboutText(text: unknown, path: string): Generator<Complaint> {
  if (typeof text !== "string") yield { path, problem: "must be string" };
  else if (text === "") yield { path, problem: "must not have fewer than 1 characters" };
}

/** Each status is a schema of its own there. */
function* complaintsAboutStatus(status: unknown, path: string): Generator<Complaint> {
  if (WORK_STATUSES.some((known) => known === status)) return;
  for (const _ of WORK_STATUSES) {
    if (typeof status !== "string") yield { path, problem: "must be string" };
    yield { path, problem: "must be equal to constant" };
  }
  yield { path, problem: "must match a schema in anyOf" };
}

function* strangers(object: JsonObject, known: readonly string[], path: string): Generator<Complaint> {
  const strange = Object.keys(object).filter((name) => !known.includes(name));
  for (const name of strange) yield { path: `${path}/${name}`, problem: "schema is false" };
  if (strange.length > 0) yield { path, problem: "must not have additional properties" };
}

function firstOf(complaints: Iterable<Complaint>): readonly Complaint[] {
  const first: Complaint[] = [];
  for (const complaint of complaints) {
    first.push(complaint);
    if (first.length === MOST_COMPLAINTS) break;
  }
  return first;
}

function shownPath(path: string): string {
  return path.replace(/^\//, "").replaceAll("/", ".") || "root";
}

/** Input that no JSON text could hold, or that is too deep to be printed, is not shown. */
function printed(sent: unknown): string {
  try {
    return JSON.stringify(sent, null, 2) ?? "undefined";
  } catch {
    return "[...]";
  }
}
