// The text of an extension (src/extension/): one ES module that imports nothing but Node's own.
import { build } from "esbuild";
import { root } from "./setup.mjs";

/** Not minified: it lies in a folder of the person's. */
export async function textOfExtension(file) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    charset: "ascii",
  });
  return outputFiles[0].text;
}
