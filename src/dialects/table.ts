import { claude } from "./claude.js";
import { codex } from "./codex.js";
import type { Dialect } from "./dialect.js";
import { gencode } from "./gencode.js";
import { gencodeNode } from "./gencode-node.js";
import { hermes } from "./hermes.js";
import { milepost } from "./milepost.js";
import { nexo } from "./nexo.js";
import { nexoStrict } from "./nexo-strict.js";
import { ohMyPi } from "./oh-my-pi.js";
import { openclaw } from "./openclaw.js";

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
