// Others' work is inside our bundles; their licences ask that their words go along.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** The licence texts of every package that esbuild put into one of these builds, and of those that were copied. */
export function licencesOf(builds, copied) {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set([...inputs.flatMap((input) => packageOf(input) ?? []), ...copied]);
  return [...packages]
    .sort()
    .map(describe)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function packageOf(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  const text =
    file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), "utf8").trim() : "";
  return `${name} ${version} (${license})\n\n${text || "The package brings no text of its licence."}\n`;
}
