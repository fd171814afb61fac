// Runs a TypeScript program of this repository: node scripts/run.mjs FILE ARGS...
import { ensureInstalled, runTool } from "./setup.mjs";

ensureInstalled();
const texts = new URL("text-imports.mjs", import.meta.url).href;
process.exitCode = runTool("tsx/dist/cli.mjs", ["--import", texts, ...process.argv.slice(2)]);
