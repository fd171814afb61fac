// npm run docs: makes the generated parts of docs/ anew.
import { readFile, writeFile } from "node:fs/promises";
import { withTable } from "./dialects.js";

const path = new URL("../../docs/dialects.md", import.meta.url);
await writeFile(path, withTable(await readFile(path, "utf8")));
