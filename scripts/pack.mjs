// Packs a surface and everything it may load later into one CommonJS file, in which each part runs when it is first
// asked for. One file is read, and only what runs is compiled and kept: esbuild itself would run and keep all of it.
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { root } from "./setup.mjs";

/** A module whose functions are called by others before it is loaded: see `lazily`. */
const LATER = "later:";

/**
 * Modules that are loaded with the first call of one of their functions; they export nothing else. `import()` would do
 * the same where the caller can wait for it.
 */
function lazily(modules) {
  const paths = modules.map((module) => join(root, module));
  return {
    name: "lazily",
    setup(builder) {
      builder.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir, importer }) => {
        const module = join(resolveDir, path.replace(/\.js$/, ".ts"));
        return paths.includes(module) && !paths.includes(importer) ? { path: module, namespace: LATER } : undefined;
      });
      builder.onResolve({ filter: new RegExp(`^${LATER}`) }, ({ path }) => ({ path, external: true }));
      builder.onLoad({ filter: /./, namespace: LATER }, ({ path }) => ({ contents: callsInto(path) }));
    },
  };
}

function callsInto(path) {
  const names = [...readFileSync(path, "utf8").matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  const module = JSON.stringify(LATER + relative(root, path));
  return names
    .map((name) => `export function ${name}(...given) { return require(${module}).${name}(...given); }`)
    .join("\n");
}

/** The file's text, and what esbuild says about its parts. */
export async function packSurface(options, entry, later) {
  const built = await build({
    ...options,
    entryPoints: [entry, ...later],
    outbase: root,
    outdir: join(root, "dist"),
    entryNames: "[dir]/[name]",
    chunkNames: "[hash]",
    format: "esm",
    splitting: true,
    minify: true,
    write: false,
    plugins: [lazily(later), ...options.plugins],
  });
  const outputs = Object.values(built.metafile.outputs);
  const numbers = new Map(built.outputFiles.map(({ path }, index) => [basename(path), index]));
  const numberOf = (module) => outputs.findIndex(({ entryPoint }) => entryPoint === module);
  const parts = await Promise.all(built.outputFiles.map(({ text }) => commonJs(options, text)));
  const numbered = parts.map((part) =>
    part
      .replace(/require\("(?:\.{1,2}\/)+(?:[\w-]+\/)*([\w-]+\.js)"\)/g, (whole, name) =>
        numbers.has(name) ? `require(${numbers.get(name)})` : whole,
      )
      .replace(new RegExp(`"${LATER}([^"]+)"`, "g"), (_, module) => numberOf(module)),
  );
  return { ...built, text: packed(numbered, numberOf(entry)) };
}

async function commonJs({ target }, text) {
  const supported = { "dynamic-import": false };
  return (await transform(text, { format: "cjs", platform: "node", target, minify: true, supported })).code.trim();
}

function packed(parts, entry) {
  const functions = parts.map((part) => `function(module,exports,require){${part}\n}`);
  return `"use strict";
const parts=[
${functions.join(",\n")}
];
const loaded=[];
const load=(part)=>{
if(typeof part!=="number")return require(part);
if(!loaded[part])parts[part](loaded[part]={exports:{}},loaded[part].exports,load);
return loaded[part].exports;
};
module.ran=()=>Object.keys(loaded);
module.exports=load(${entry});
`;
}
