import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sized } from "./sizes.js";

const root = fileURLToPath(new URL("..", import.meta.url));

const PROGRAM = `
import * as everything from "milepost";
import { type Milepost, type Projection, type Result, type Store, openMilepost } from "milepost";

export * from "milepost";
export const names: readonly string[] = Object.keys(everything);
export const open: Promise<Milepost> = openMilepost({ store: "memory:" });
export const storeOf = ({ store }: Milepost): Store => store;
export const isOk = (result: Result<unknown>): boolean => result.ok;
export type Views = readonly Projection[];
`;

/** A project of somebody who has installed our package, and nothing else that we use. */
function consumer(options: object): string {
  const folder = mkdtempSync(join(tmpdir(), "milepost-consumer-"));
  const installed = join(folder, "node_modules", "milepost");
  mkdirSync(join(installed, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  cpSync(join(root, "dist", "types"), join(installed, "dist", "types"), { recursive: true });
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ module: "NodeNext", target: "ES2022", noEmit: true, ...options },
  };
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  return folder;
}

const PROJECTS = [
  {
    name: "with Node's types and without a browser's",
    options: { lib: ["ES2022"], types: ["node"], typeRoots: [join(root, "node_modules", "@types")] },
  },
  { name: "with the compiler's own libraries alone", options: { types: [] } },
];

test.each(PROJECTS.slice(0, sized(1, 2)))(
  "the public types compile in a strict project, $name",
  { timeout: 120_000 },
  ({ options }) => {
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", consumer(options)], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  },
);

test("the public types name no package: nothing is installed with us", () => {
  const types = join(root, "dist", "types");
  const files = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  const foreign = files.flatMap((file) =>
    Array.from(
      readFileSync(join(types, file), "utf8").matchAll(/(?:\bfrom |\bimport\(|\bimport |types=)"([^."][^"]*)"/g),
      ([, name]) => `${file}: ${name}`,
    ),
  );
  expect(files).toContain("index.d.ts");
  expect(foreign).toEqual([]);
});
