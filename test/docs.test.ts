import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MADE, withTable } from "./docs/made.js";

test.each(Object.entries(MADE))("%s tells what is (npm run docs makes it so)", (file, table) => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect(text).toBe(withTable(text, table()));
});
