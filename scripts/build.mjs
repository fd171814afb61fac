// dist/milepost.cjs: the small dispatcher; dist/cli.cjs, mcp.cjs, hook.cjs: one surface each; dist/pg.cjs: PostgreSQL's client for them; dist/index.js: the library, with types beside it.
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { licencesOf } from "./licences.mjs";
import { ensureInstalled, root, runTool } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");

const dist = join(root, "dist");
rmSync(dist, { recursive: true, force: true });

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  legalComments: "none",
  metafile: true,
  // SQLite's binary stays where npm put it; pg asks for a faster build of itself that we do not ship.
  external: ["@photostructure/sqlite", "pg-native"],
  // Its main file asks for its parts in a way that no bundler can follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  define: { MILEPOST_VERSION: JSON.stringify(packageJson.version) },
};

const commonJs = {
  format: "cjs",
  // A real import() in a CommonJS file starts the ES module loader; a require does not, and is twice as fast.
  supported: { "dynamic-import": false },
};

/** A lighter module in place of one that takes long to load; only the light one itself gets the real one. */
function standIn(name, file) {
  const path = join(root, "scripts", "stand-ins", file);
  return {
    name: file,
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${name}$`) }, ({ importer }) =>
        importer === path ? { path: name, external: true } : { path },
      );
    },
  };
}

const sqliteAtOnce = standIn("@photostructure/sqlite", "sqlite.cjs");
const zlibAtOnce = standIn("node:zlib", "zlib.cjs");

/** PostgreSQL's client is half of the command line's size, and few need it: a file of its own, loaded when asked for. */
const clientApart = {
  name: "client-apart",
  setup(builder) {
    builder.onResolve({ filter: /^pg$/ }, () => ({ path: "./pg.cjs", external: true }));
  },
};

/** The dispatcher loads the command line as a file of its own: who does not ask for it does not wait for it. */
const commandLineApart = {
  name: "command-line-apart",
  setup(builder) {
    builder.onResolve({ filter: /^\.\.\/cli\/run\.js$/ }, () => ({ path: "./cli.cjs", external: true }));
  },
};

/** The dialects are half of the hook's size, and only a client's own list tool needs them. */
const dialectsApart = {
  name: "dialects-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/app\/calls\/tool-call\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./lists.cjs", external: true } : undefined,
    );
  },
};

/**
 * The MCP SDK checks what a person typed into a form against a JSON Schema. We show no forms, and the checker is a third of
 * the bundle.
 */
const withoutForms = {
  name: "without-forms",
  setup(builder) {
    builder.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "no-forms",
    }));
    builder.onLoad({ filter: /./, namespace: "no-forms" }, () => ({
      contents: 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

function buildSurface(name, plugins) {
  const outfile = `dist/${name}.cjs`;
  return build({ ...shared, ...commonJs, entryPoints: [`src/${name}/run.ts`], outfile, minify: true, plugins });
}

const builds = await Promise.all([
  build({
    ...shared,
    entryPoints: ["src/bin/main.ts"],
    ...commonJs,
    outfile: "dist/milepost.cjs",
    minifySyntax: true,
    plugins: [commandLineApart],
  }),
  buildSurface("cli", [clientApart, sqliteAtOnce]),
  buildSurface("mcp", [clientApart, sqliteAtOnce, withoutForms]),
  buildSurface("hook", [clientApart, sqliteAtOnce, zlibAtOnce, dialectsApart]),
  build({
    ...shared,
    ...commonJs,
    entryPoints: ["src/app/calls/tool-call.ts"],
    outfile: "dist/lists.cjs",
    minify: true,
    plugins: [clientApart, sqliteAtOnce],
  }),
  build({ ...shared, ...commonJs, entryPoints: ["pg"], outfile: "dist/pg.cjs", minify: true }),
  build({
    ...shared,
    entryPoints: { index: "src/index.ts" },
    outdir: "dist",
    format: "esm",
    // What only one engine needs is a file of its own.
    splitting: true,
    chunkNames: "part-[hash]",
    // pg is CommonJS and asks for Node's modules by require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  }),
]);
// Those that are loaded with code compiled earlier: src/bin/code-cache.ts goes by this line.
for (const name of ["hook", "mcp"]) markContent(join(dist, `${name}.cjs`));
writeFileSync(join(dist, "licences.txt"), licencesOf(builds));
// npm test checks the types in a step of its own.
const unchecked = process.argv.includes("--unchecked") ? ["--noCheck"] : [];
if (runTool("typescript/bin/tsc", ["-p", "tsconfig.types.json", ...unchecked]) !== 0) process.exit(1);
keepPublicTypes(join(dist, "types"));
writeFileSync(join(dist, ".built"), "");

function markContent(file) {
  const sum = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
  appendFileSync(file, `\n//#code=${sum}\n`);
}

/** The compiler describes every file; those that the library's own do not lead to are ours alone, and name packages that users lack. */
function keepPublicTypes(folder) {
  const found = new Set();
  const follow = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      follow(join(dirname(file), `${path}.d.ts`));
  };
  follow(join(folder, "index.d.ts"));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !found.has(file)) rmSync(file);
  }
}
