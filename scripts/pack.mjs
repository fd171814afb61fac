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
  const names = [...readFileSync(path, "utf8").matchAll(/^export (?:async )?function\*? ?(\w+)/gm)].map(
    ([, name]) => name,
  );
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
  const { inputs, outputs } = built.metafile;
  refuseCircles(outputs);
  for (const input of Object.keys(inputs)) refuseChanging(inputs, input);
  const described = Object.values(outputs);
  const numbers = new Map(built.outputFiles.map(({ path }, number) => [basename(path), number]));
  const numberOf = (module) => described.findIndex(({ entryPoint }) => entryPoint === module);
  const parts = await Promise.all(
    built.outputFiles.map(({ text }, number) => asPart(options, text, described[number])),
  );
  const numbered = parts.map((part) =>
    part
      .replace(/(?<=\brequire\()"(?:\.{1,2}\/)+(?:[\w-]+\/)*([\w-]+\.js)"(?=\))/g, (_, name) => numbers.get(name))
      .replace(new RegExp(`"${LATER}([^"]+)"`, "g"), (_, module) => numberOf(module)),
  );
  return { ...built, text: packed(numbered, numberOf(entry)) };
}

/** A part gets what it imports once, when it begins: that has to be there by then. */
function refuseCircles(outputs) {
  const done = new Set();
  const follow = (path, above) => {
    if (above.includes(path)) throw new Error(`Parts import each other: ${[...above, path].join(" -> ")}`);
    if (done.has(path)) return;
    for (const { path: other, kind } of outputs[path].imports)
      if (kind === "import-statement" && other in outputs) follow(other, [...above, path]);
    done.add(path);
  };
  for (const path of Object.keys(outputs)) follow(path, []);
}

/** And it must not become another one later, as what a CommonJS module asks for does. */
function refuseChanging(inputs, input) {
  const isLate = inputs[input].imports.some(
    ({ path, kind }) => kind === "require-call" && inputs[path]?.format === "esm",
  );
  const isOurs = input.startsWith("src/");
  if (isLate || (isOurs && /^export (?:let|var) /m.test(readFileSync(join(root, input), "utf8"))))
    throw new Error(`${input} has a variable that others share: it cannot be packed.`);
}

const IMPORT =
  /(?<=^|[;}\n])import ?(?:(?<names>\{[^}]*\})|\* ?as (?<all>[\w$]+)|(?<main>[\w$]+))?(?: ?from ?)?(?<from>"[^"]+");?/g;
const EXPORT = /export ?\{(?<names>[^}]*)\};?\s*$/;

/**
 * The body of a function that takes `require` and `exports`. By hand: what esbuild makes of it looks each name up at
 * each use, by a function of its own, and half of the compiled code would be these.
 */
async function asPart({ target }, text, { imports, exports }) {
  let count = 0;
  const wanting = text.replace(IMPORT, (...found) => {
    const { names, all, main, from } = found.at(-1);
    const taken = names?.replace(/ as /g, ":") ?? all ?? main;
    count += 1;
    return taken === undefined ? `require(${from});` : `const ${taken}=require(${from});`;
  });
  const pairs = (EXPORT.exec(text)?.groups.names ?? "").split(",").filter(Boolean);
  const names = pairs.map((pair) => pair.split(" as ").at(-1));
  const expected = imports.filter(({ kind }) => kind === "import-statement").length;
  if (count !== expected || String(names.sort()) !== String([...exports].sort()))
    throw new Error(`A part is written in another way than this file reads: ${text.slice(0, 200)}`);
  const given = pairs.map((pair) => pair.split(" as ")).map(([own, name = own]) => `exports.${name}=${own};`);
  const options = { format: "cjs", platform: "node", target, supported: { "dynamic-import": false } };
  const plain = wanting.replace(EXPORT, () => given.join(""));
  return (await transform(plain, { ...options, minifyWhitespace: true })).code.trim();
}

function packed(parts, entry) {
  const functions = parts.map((part) => `function(require,exports){${part}\n}`);
  return `"use strict";
const parts=[
${functions.join(",\n")}
];
const loaded=[];
const load=(part)=>{
if(typeof part!=="number")return require(part);
if(!loaded[part])parts[part](load,loaded[part]={});
return loaded[part];
};
module.ran=()=>Object.keys(loaded);
module.exports=load(${entry});
`;
}
