import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deadLinks, packedFiles } from "./docs/links.js";
import { MADE, withTable } from "./docs/made.js";

test.each(Object.entries(MADE))("%s tells what is (npm run docs makes it so)", async (file, table) => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect(text).toBe(withTable(text, await table()));
});

/** Every file of the repository by its path, for what documents name by the end of it. */
const FILES = ["src", "test", "scripts", "bench"].flatMap((folder) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" }).map(
    (path) => `/${folder}/${path.replaceAll("\\", "/")}`,
  ),
);
/** Pictures link to nothing. */
const documentsIn = (folder: URL) => readdirSync(folder).filter((name) => name.endsWith(".md"));
const DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...documentsIn(new URL("../docs", import.meta.url))];

const placeOf = (document: string) => (/^[A-Z]/.test(document) ? document : `docs/${document}`);

test.each(DOCUMENTS)("%s links only to what is there, also for those who have only the package", (document) => {
  expect(deadLinks(placeOf(document), packedFiles())).toEqual([]);
});

test.each(DOCUMENTS)("%s names only source files that are there", (document) => {
  const text = readFileSync(new URL(`../${placeOf(document)}`, import.meta.url), "utf8");
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].flatMap(([, path = ""]) => path);
  const isMade = (path: string) => path.includes("NAME");
  expect(named.filter((path) => !isMade(path) && !FILES.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
});
