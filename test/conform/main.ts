// npm run conform -- FILE...: exit 0 when every case holds, 1 when one fails, 2 when a file cannot be read.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conformFile } from "./runner.js";

async function main(files: readonly string[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const file of files) {
    const report = await conformFile(file);
    for (const failure of report.failures) console.log(`${failure}\n`);
    passed += report.passed;
    failed += report.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

async function ownVectors(): Promise<readonly string[]> {
  const folder = fileURLToPath(new URL("../vectors", import.meta.url));
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

const files = process.argv.slice(2);
try {
  process.exitCode = await main(files.length > 0 ? files : await ownVectors());
} catch (error) {
  console.error(`conform: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
