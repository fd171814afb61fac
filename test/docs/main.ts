// npm run docs: makes the tables in documents anew that come from the code.
import { readFile, writeFile } from "node:fs/promises";
import { register } from "node:module";
// @ts-expect-error: a plain script without types
import { ensureBuilt } from "../../scripts/setup.mjs";

/** As the build loads it: a shell file is its text. */
const HOOK = `export async function load(url, context, next) {
  if (!url.endsWith(".sh")) return next(url, context);
  const { readFile } = await import("node:fs/promises");
  const source = "export default " + JSON.stringify(await readFile(new URL(url), "utf8"));
  return { format: "module", shortCircuit: true, source };
}`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

// What commands print is asked of the built ones.
ensureBuilt();
const { MADE, withTable } = await import("./made.js");
for (const [file, table] of Object.entries(MADE)) {
  const path = new URL(`../../${file}`, import.meta.url);
  await writeFile(path, withTable(await readFile(path, "utf8"), await table()));
}
