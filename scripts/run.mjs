// Runs a TypeScript program of this repository: node scripts/run.mjs FILE ARGS...
import { ensureInstalled, runTool } from "./setup.mjs";

ensureInstalled();
process.exitCode = runTool("tsx/dist/cli.mjs", process.argv.slice(2));
