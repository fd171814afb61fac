import { claude } from "./claude/claude.js";
import { codex } from "./codex/codex.js";
import type { Dialect } from "./dialect.js";
import { gencode } from "./gencode/gencode.js";
import { gencodeNode } from "./gencode/gencode-node.js";
import { hermes } from "./hermes/hermes.js";
import { milepost } from "./milepost/todo-tool.js";
import { nexo } from "./nexo/nexo.js";
import { nexoStrict } from "./nexo/nexo-strict.js";
import { ohMyPi } from "./oh-my-pi/oh-my-pi.js";
import { openclaw } from "./openclaw/openclaw.js";

/** Every dialect we speak; the first one is the default. */
export const DIALECTS: readonly Dialect[] = [
  milepost,
  claude,
  codex,
  ohMyPi,
  hermes,
  nexo,
  nexoStrict,
  gencode,
  gencodeNode,
  openclaw,
];

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}
