// npm start: from a fresh clone to the demo.
import { ensureBuilt, run } from "./setup.mjs";

ensureBuilt();
process.exitCode = run(process.execPath, ["dist/milepost.cjs", "demo", ...process.argv.slice(2)]);
if (process.exitCode === 0 && process.argv.length === 2)
  console.log("\nYour turn, with your own agents: node dist/milepost.cjs");
