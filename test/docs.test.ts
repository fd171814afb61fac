import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withTable } from "./docs/dialects.js";

test("docs/dialects.md tells what the dialects are (npm run docs makes it so)", () => {
  const text = readFileSync(new URL("../docs/dialects.md", import.meta.url), "utf8");
  expect(text).toBe(withTable(text));
});
