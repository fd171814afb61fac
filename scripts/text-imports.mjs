// What scripts/run.mjs loads first: `?text` and .sh files are texts to a TypeScript program as they are to the build.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { textOfExtension } from "./extension-text.mjs";

if (isMainThread) register(import.meta.url);

const EXTENSION = ".js?text";

export function resolve(specifier, context, next) {
  const isExtension = specifier.endsWith(EXTENSION);
  if (!isExtension && !specifier.endsWith(".sh")) return next(specifier, context);
  const path = isExtension ? `${specifier.slice(0, -EXTENSION.length)}.ts` : specifier;
  return { url: `${new URL(path, context.parentURL).href.split("?")[0]}?text`, format: "module", shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.endsWith("?text")) return next(url, context);
  const file = fileURLToPath(url.slice(0, -"?text".length));
  const text = file.endsWith(".sh") ? readFileSync(file, "utf8") : await textOfExtension(file);
  return { format: "module", source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
}
