// The text of an extension (src/extension/): one ES module that imports nothing but Node's own.
import { join } from "node:path";
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

/** For esbuild: `?text` is an extension as that text. */
export const extensionText = {
  name: "extension-text",
  setup(builder) {
    builder.onResolve({ filter: /\.js\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\.js\?text$/, ".ts")),
      namespace: "extension-text",
    }));
    // Line by line: as one text it would have lines that look like imports of the part that it is in (pack.mjs).
    builder.onLoad({ filter: /./, namespace: "extension-text" }, async ({ path }) => ({
      contents: `export default ${JSON.stringify((await textOfExtension(path)).split("\n"))}.join("\\n");`,
    }));
  },
};
