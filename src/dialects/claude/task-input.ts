import { isObject, type JsonObject, own } from "../../core/json.js";
import { type Issue, type Path, unionIssues } from "../wording/zod-issues.js";
import { parseJson } from "./client-checks.js";
import { CLAUDE_STATUSES } from "./todo-input.js";
import { keyIssues, typeIssue } from "./todo-issues.js";

type Kind = "text" | "texts" | "record" | "status";

interface Parameter {
  readonly kind: Kind;
  readonly description: string;
  readonly isOptional?: boolean;
}

/** In the order in which the client complains about them. */
export type Parameters = { readonly [name: string]: Parameter };

const STATUS_OPTIONS = [CLAUDE_STATUSES, ["deleted"]] as const;

export function parameterSchema(parameters: Parameters): JsonObject {
  const entries = Object.entries(parameters);
  const properties = entries.map(([name, { kind, description }]) => [name, { ...KIND_SCHEMAS[kind], description }]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
    additionalProperties: false,
  };
}

const KIND_SCHEMAS: Readonly<Record<Kind, JsonObject>> = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  record: { type: "object", additionalProperties: true },
  status: { type: "string", enum: STATUS_OPTIONS.flat() },
};

/** Models often send a list as a JSON string; the client takes it when it holds an array. */
export function withParsedLists(input: JsonObject, parameters: Parameters): JsonObject {
  const parsed = Object.entries(parameters).flatMap(([name, { kind }]) => {
    const value = own(input, name);
    const list = kind === "texts" && typeof value === "string" ? parseJson(value) : undefined;
    return Array.isArray(list) ? [[name, list]] : [];
  });
  return parsed.length === 0 ? input : { ...input, ...Object.fromEntries(parsed) };
}

/** In the order of the schema. */
export function findTaskIssues(input: JsonObject, parameters: Parameters): readonly Issue[] {
  const issues = Object.entries(parameters).flatMap(([name, { kind, isOptional }]) => {
    const value = own(input, name);
    return value === undefined && isOptional ? [] : kindIssues(kind, value, [name]);
  });
  return [...issues, ...keyIssues(input, Object.keys(parameters))];
}

/** A complaint for each of a million ids helps nobody, and would not fit into one text. */
const MOST_ISSUES = 10_000;

function kindIssues(kind: Kind, value: unknown, path: Path): readonly Issue[] {
  switch (kind) {
    case "text":
      return typeof value === "string" ? [] : [typeIssue("string", path, value)];
    case "texts":
      if (!Array.isArray(value)) return [typeIssue("array", path, value)];
      return value
        .flatMap((item, index) => (typeof item === "string" ? [] : [{ item, index }]))
        .slice(0, MOST_ISSUES)
        .map(({ item, index }) => typeIssue("string", [...path, index], item));
    case "record":
      return isObject(value) ? [] : [typeIssue("record", path, value)];
    case "status":
      return unionIssues(value, path, STATUS_OPTIONS);
  }
}
