import { bin } from "../hook-process.js";
import { runWarm } from "../warm-command.js";
import { openTerminal, type Terminal } from "./pseudo-terminal.js";
import type { ViewWorld } from "./worlds.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** `milepost watch` at a terminal, in the folder of its world. */
export function openView(
  world: ViewWorld,
  size: Size,
  { more = {}, isPlain = false }: { readonly more?: NodeJS.ProcessEnv; readonly isPlain?: boolean } = {},
): Promise<Terminal> {
  const environment = { ...world.environment, ...more };
  return openTerminal({
    command: process.execPath,
    arguments: [bin, "watch"],
    environment,
    ...size,
    folder: world.folder,
    isPlain,
  });
}

/** Another process of the same person, without the start of one. */
export function otherProcess(world: ViewWorld, ...words: readonly string[]): string {
  const { exit, out, err } = runWarm(words, { folder: world.folder, environment: world.environment });
  if (exit !== 0) throw new Error(`${words.join(" ")}: ${err}`);
  return out;
}

/** What `--json` prints. */
export function told(world: ViewWorld, ...words: readonly string[]) {
  return JSON.parse(otherProcess(world, ...words, "--json"));
}
