// @ts-expect-error: a plain script without types
import { ensureBuilt } from "../scripts/setup.mjs";

/** Some tests start the built command; `vitest` alone must not test an old build. */
export default function setup(): void {
  ensureBuilt();
}
