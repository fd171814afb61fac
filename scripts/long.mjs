// Tests that push does not run, or runs in short: node scripts/long.mjs long|real FILES...
import { ensureInstalled, runTool } from "./setup.mjs";

ensureInstalled();
const [kind, ...files] = process.argv.slice(2);
// New random cases each time; whoever names a seed gets the same ones again.
const seed = process.env.MILEPOST_SEED ?? String(Date.now() % 2 ** 31);
console.log(`MILEPOST_SEED=${seed}`);
const env = { MILEPOST_TESTS: kind, MILEPOST_SEED: seed };
// Real clients wait for their models and terminals most of the time.
const workers = kind.startsWith("real") ? ["--maxWorkers=5"] : [];
process.exitCode = runTool("vitest/vitest.mjs", ["run", ...workers, ...files], { env });
console.log(`MILEPOST_SEED=${seed} brings these random cases back.`);
