import type { TodoList } from "../../core/todo/list.js";
import { type Dialect, inputValue, type Parsed, type ToolCall } from "../dialect.js";
import { schemaViolations } from "../wording/json-schema.js";
import { NEXO_SCHEMA, nexo, refusal } from "./nexo.js";

/** nexo-rs as its own agent loop answers: the schema is checked first, so `active_form` alone is refused. */
export const nexoStrict: Dialect = {
  ...nexo,
  name: "nexo/strict",
  summary: "nexo-rs TodoWrite behind its schema: `activeForm` is required",
  parse,
};

function parse(call: ToolCall, list: TodoList): Parsed {
  const isKnown = nexo.tools.some(({ name }) => name === call.tool);
  const violations = isKnown ? schemaViolations(NEXO_SCHEMA, inputValue(call.input)) : [];
  // No `error: ` in front: the handler was never asked.
  return violations.length > 0 ? refusal(`invalid arguments: ${violations.join("; ")}`) : nexo.parse(call, list);
}
