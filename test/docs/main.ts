// npm run docs: makes the tables in documents anew that come from the code.
import { readFile, writeFile } from "node:fs/promises";
import { MADE, withTable } from "./made.js";

for (const [file, table] of Object.entries(MADE)) {
  const path = new URL(`../../${file}`, import.meta.url);
  await writeFile(path, withTable(await readFile(path, "utf8"), table()));
}
