// npm start: from a fresh clone to the demo.
import { ensureBuilt, run } from "./setup.mjs";

ensureBuilt();
process.exitCode = run(process.execPath, ["dist/bin.cjs", "demo", ...process.argv.slice(2)]);
