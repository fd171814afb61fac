import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a plain script without types
import { crowdedFolders, longLines, ROLES, repeatedNames, SMALL, smallFiles, sourceFiles } from "../scripts/house.mjs";
import { wrongImports } from "./imports.js";

const src = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
const read = (path: string) => readFileSync(join(src, path), "utf8");

describe("imports", () => {
  test("run one way: surfaces, app, store, core", () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap((path) => wrongImports(path, read(path)))).toEqual([]);
  });

  test.each([
    ["core/todo/list.ts", 'import { speak } from "../../dialects/speak.js";'],
    ["core/result.ts", 'import { readFileSync } from "node:fs";'],
    ["dialects/codex.ts", 'import * as z from "zod";'],
    ["dialects/codex.ts", 'export { x } from "../app/milepost.js";'],
    ["store/sqlite.ts", 'import type { Milepost } from "../app/milepost.js";'],
    ["app/milepost.ts", 'import { runCli } from "../cli/run.js";'],
    ["cli/run.ts", 'const { serve } = await import("../http/serve.js");'],
    ["cli/run.ts", 'import { claude } from "../dialects/claude.js";'],
    ["cli/run.ts", 'import {\n  a,\n  b,\n} from "../mcp/server.js";'],
    ["newcomer/x.ts", 'import { a } from "../core/result.js";'],
  ])("a wrong arrow is found: %s with %s", (path, source) => {
    expect(wrongImports(path, source)).toHaveLength(1);
  });

  test("right arrows are left alone", () => {
    const source =
      'import * as z from "zod";\nimport { a } from "../core/result.js";\nimport "./side.js";\nconst x = 1;';
    expect(wrongImports("app/x.ts", source)).toEqual([]);
    expect(wrongImports("dialects/x.ts", 'type X = { type: "import"; path: string } | { type: "edit" };')).toEqual([]);
  });
});

describe("house rules", () => {
  const sources = sourceFiles(src);

  test("a folder holds at most 20 files: past that it hides another one", () => {
    expect(crowdedFolders(sources)).toEqual([]);
  });

  test("a file name has one meaning in the whole tree", () => {
    expect(repeatedNames(sources).sort()).toEqual(Object.keys(ROLES));
  });

  test("a file under 20 lines has a reason to stay alone", () => {
    expect(smallFiles(sources).sort()).toEqual(Object.keys(SMALL));
  });

  test("lines end at 120 columns, unbreakable strings excepted", () => {
    expect(longLines(sources)).toEqual([]);
  });

  test("only the two entries touch the process", () => {
    const touching = files.filter((path) => /\bprocess(?:\.\w|\[)|node:process/.test(read(path)));
    expect(touching.sort()).toEqual(["bin/main.ts", "index.ts"]);
  });

  test("signals are joined by firstAbort: one with a time limit could be collected before it ends", () => {
    expect(files.filter((path) => read(path).includes("AbortSignal.any("))).toEqual([]);
  });

  test("only texts and escapes of ours write an escape character", () => {
    const escaping = files.filter((path) => /\\u001b|\\x1b|\\033|\\e\[/i.test(read(path)));
    expect(escaping.sort()).toEqual(["app/terminal/paint.ts", "app/terminal/screen-codes.ts"]);
  });

  test("files stay under 300 lines", () => {
    expect(files.filter((path) => read(path).split("\n").length > 300)).toEqual([]);
  });
});
