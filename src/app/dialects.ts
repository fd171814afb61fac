import type { Failure } from "../core/result.js";
import { DIALECTS } from "../dialects/table.js";

// What surfaces need to know about dialects; they do not import them.
export { type Answer, type Dialect, offeredTools, type ToolDefinition } from "../dialects/dialect.js";
export { findDialect } from "../dialects/table.js";

export function unknownDialect(name: string | undefined): Failure {
  const names = DIALECTS.map((dialect) => dialect.name).join(", ");
  return { code: "unknown-dialect", message: `No dialect is called ${JSON.stringify(name)}. Known: ${names}.` };
}
