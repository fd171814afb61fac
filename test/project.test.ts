import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("package.json"));

interface Locked {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test("every dependency is pinned to one version", () => {
  const { dependencies = {}, optionalDependencies, devDependencies, overrides } = manifest;
  for (const version of Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies, ...overrides }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the lockfile names no host, and has every platform's packages: npm ci refuses it otherwise", () => {
  const packages: Readonly<Record<string, Locked>> = JSON.parse(read("package-lock.json")).packages;
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
  expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
});

test("nothing runs when a user installs the package, and only SQLite is installed with it", () => {
  const { scripts, dependencies = {}, optionalDependencies } = manifest;
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  expect(dependencies).toEqual({});
  expect(Object.keys(optionalDependencies)).toEqual(["@photostructure/sqlite"]);
});

test("the first screen of the README says how to install it, and two commands", () => {
  const screen = read("README.md").split("\n").slice(0, 20).join("\n");
  const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(screen) ?? [];
  const words = commands.split("\n").map((line) => line.replace(/\s+#.*/, ""));
  expect(words.filter(Boolean)).toEqual(["npm install -g milepost", "milepost", "milepost setup"]);
  expect(screen).toContain("is for people");
});

test("the package has the documents", () => {
  expect(manifest.files).toEqual(["dist", "!dist/.built", "docs", "!docs/**/*.png", "CHANGELOG.md", "CONTRIBUTING.md"]);
  expect(manifest.description.length).toBeLessThanOrEqual(120);
});

test("the README shows the two commands, and CI runs the test command", () => {
  expect(read("README.md")).toMatch(/^npm start\b/m);
  expect(read("README.md")).toMatch(/^npm test\b/m);
  expect(read(".ci/run").trimEnd().split("\n").at(-1)).toBe("npm test");
});
