import { isObject } from "../../../core/json.js";
import { PLAN_MAX } from "../../../core/plan/plan.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { codePointLength } from "../../../core/text/length.js";
import type { ToolInput } from "../../dialect.js";
import { checkJsonSize } from "../../json-limits.js";
import { isBlank } from "../spelling.js";
import { unwrap } from "../todo-request.js";

/** Without a text it asks for the state of the plan that is there. */
export interface PlanRequest {
  readonly text?: string;
}

const EXAMPLE = 'as in {"text":"# Title\\n\\n1. First step\\n2. Second step"}.';

/** Reads a call, or says in one sentence how to repair it. */
export function readPlanRequest(input: ToolInput): Result<PlanRequest, string> {
  const value = unwrap("value" in input ? input.value : input.text);
  if (!isObject(value)) return fail(`The arguments must be one JSON object, ${EXAMPLE}`);
  const size = checkJsonSize(value);
  if (!size.ok) return size;
  const unknown = Object.keys(value).find((key) => key !== "text");
  if (unknown !== undefined)
    return fail(`There is no field ${JSON.stringify(unknown.slice(0, 40))}, only text, ${EXAMPLE}`);
  return isBlank(value.text) ? ok({}) : readText(value.text);
}

function readText(text: unknown): Result<PlanRequest, string> {
  if (typeof text !== "string") return fail(`"text" takes the whole plan as one text, ${EXAMPLE}`);
  if (codePointLength(text) > PLAN_MAX) return fail(`A plan has at most ${PLAN_MAX} characters. Shorten it.`);
  return ok({ text: text.toWellFormed() });
}
