// The long forms of tests that push runs in short: node scripts/long.mjs FILES...
import { ensureInstalled, runTool } from "./setup.mjs";

ensureInstalled();
process.exitCode = runTool("vitest/vitest.mjs", ["run", ...process.argv.slice(2)], { env: { MILEPOST_TESTS: "long" } });
