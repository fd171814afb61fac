import { listAt, objectAt } from "../../../core/json.js";
import type { ToolSight } from "../agents/agent.js";
import { valueAt } from "./json-document.js";
import { jsonOrNone } from "./json-server.js";

// A person's own settings may keep a server out by its name: {"mcp":{"allowed":["a"],"excluded":["milepost"]}}

export interface GateReader {
  readonly title: string;
  /** An empty list of those that are allowed lets none in. */
  readonly isEmptyNone: boolean;
  /** `*` and `?` in a name stand for others. */
  readonly takesPatterns: boolean;
}

const SERVER = "milepost";

export function gateSight(text: string | undefined, { title, isEmptyNone, takesPatterns }: GateReader): ToolSight {
  const { allowed, excluded } = objectAt(valueAt(jsonOrNone(text), ["mcp"]));
  const isIn = (list: unknown) => listAt(list).some((name) => isNamed(name, takesPatterns));
  const isLimited = Array.isArray(allowed) && (isEmptyNone || allowed.length > 0);
  const reasons = [
    ...(isIn(excluded) ? ["mcp.excluded in settings.json names it"] : []),
    ...(isLimited && !isIn(allowed) ? ["mcp.allowed in settings.json does not name it"] : []),
  ];
  return { notes: reasons.map((why) => `${title} does not start our server: ${why}.`) };
}

function isNamed(name: unknown, takesPatterns: boolean): boolean {
  if (typeof name !== "string" || !takesPatterns) return name === SERVER;
  const escaped = name.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, ".*").replaceAll("?", ".")}$`).test(SERVER);
}
