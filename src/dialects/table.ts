import { claude } from "./claude.js";
import { codex } from "./codex.js";
import type { Dialect } from "./dialect.js";
import { hermes } from "./hermes.js";
import { milepost } from "./milepost.js";

/** Every dialect we speak; the first one is the default. */
export const DIALECTS: readonly Dialect[] = [milepost, claude, codex, hermes];

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}
