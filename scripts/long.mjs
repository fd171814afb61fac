// Tests that push does not run, or runs in short: node scripts/long.mjs long|real FILES...
import { ensureInstalled, runTool } from "./setup.mjs";

ensureInstalled();
const [kind, ...files] = process.argv.slice(2);
process.exitCode = runTool("vitest/vitest.mjs", ["run", ...files], { env: { MILEPOST_TESTS: kind } });
