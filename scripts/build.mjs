// dist/milepost.cjs: the small dispatcher; dist/cli.cjs, tui.cjs, mcp.cjs, hook.cjs, complete.cjs, acp.cjs: one surface each; dist/acp-record.cjs: the process of acp that records; dist/pg.cjs: PostgreSQL's client for them; dist/index.js: the library, with types beside it.
import { createHash } from "node:crypto";
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { licencesOf } from "./licences.mjs";
import { ensureInstalled, root, runTool } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");
const { packSurface } = await import("./pack.mjs");
const { extensionText } = await import("./extension-text.mjs");

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
  // What is for /bin/sh is a file of its own in the sources, too, where people and editors can read it.
  loader: { ".sh": "text" },
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
/** Split into parts, what a CommonJS module exports has to be called by its name. */
const sqliteNamed = {
  name: "sqlite-named",
  setup(builder) {
    const name = "@photostructure/sqlite";
    const path = join(root, "scripts", "stand-ins", "sqlite.cjs");
    builder.onResolve({ filter: new RegExp(`^${name}$`) }, ({ importer }) =>
      importer === path ? { path: name, external: true } : { path: name, namespace: "sqlite-named" },
    );
    builder.onLoad({ filter: /./, namespace: "sqlite-named" }, () => ({
      contents: `export { DatabaseSync } from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
};
const zlibAtOnce = standIn("node:zlib", "zlib.cjs");
const cryptoAtOnce = standIn("node:crypto", "crypto.mjs");
const osAtOnce = standIn("node:os", "os.mjs");
/** For short texts, such as a folder's name. */
const hashAtOnce = {
  name: "hash-at-once",
  setup(builder) {
    builder.onResolve({ filter: /^node:crypto$/ }, ({ importer }) =>
      importer.endsWith("/tasks/list-name.ts") ? { path: join(root, "scripts/stand-ins/crypto.mjs") } : undefined,
    );
  },
};
/** In place of the global `crypto`. */
const idsAtOnce = {
  name: "ids-at-once",
  setup(builder) {
    const path = JSON.stringify(join(root, "scripts/stand-ins/web-crypto.mjs"));
    builder.onLoad({ filter: /\/core\/id\.ts$/ }, ({ path: module }) => ({
      contents: `import { crypto } from ${path};\n${readFileSync(module, "utf8")}`,
      loader: "ts",
    }));
  },
};
const timersAtOnce = standIn("node:timers/promises", "timers.mjs");

/** PostgreSQL's client is half of the command line's size, and few need it: a file of its own, loaded when asked for. */
const clientApart = {
  name: "client-apart",
  setup(builder) {
    builder.onResolve({ filter: /^pg$/ }, () => ({ path: "./pg.cjs", external: true }));
  },
};

/** The dialects are half of the hook's size, and only a client's own list tool needs them. */
const dialectsApart = {
  name: "dialects-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/calls\/tool-call\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./lists.cjs", external: true } : undefined,
    );
  },
};

/** A hook needs the spool only when there is trouble with the store, or was. */
const spoolApart = {
  name: "spool-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/spool\/hook-spool\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./spool.cjs", external: true } : undefined,
    );
  },
};

/** A hook reads a transcript only where a call was lost. */
const readersApart = {
  name: "readers-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/transcripts\/lost-calls\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./lost.cjs", external: true } : undefined,
    );
  },
};

/** A hook needs plans, and what reads them in a transcript, only where one is in play. */
const plansApart = {
  name: "plans-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/plans\/hook-plans\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./plans.cjs", external: true } : undefined,
    );
  },
};

/** Hooks of agents with a shape of their own: whose hook runs needs one of them, or none. */
const CLIENTS = ["gemini", "qwen", "copilot"].map((name) => `src/app/hooks/clients/${name}-hooks.ts`);
const clientsApart = {
  name: "clients-apart",
  setup(builder) {
    builder.onResolve({ filter: /-hooks\.js$/ }, ({ kind, path, resolveDir }) => {
      const isClient = CLIENTS.includes(relative(root, join(resolveDir, path)).replace(/\.js$/, ".ts"));
      return kind === "dynamic-import" && isClient ? { path: "./clients.cjs", external: true } : undefined;
    });
  },
};

/** Modules that few hooks need: a file of their own, loaded with the first call of one of their functions. */
function apart(file, modules) {
  const paths = modules.map((module) => join(root, module));
  return {
    name: file,
    setup(builder) {
      builder.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
        const module = join(resolveDir, path.replace(/\.js$/, ".ts"));
        return paths.includes(module) ? { path: module, namespace: file } : undefined;
      });
      builder.onResolve({ filter: /./, namespace: file }, ({ path }) => ({ path, external: true }));
      builder.onLoad({ filter: /./, namespace: file }, ({ path }) => ({ contents: callsInto(file, path) }));
    },
  };
}

function callsInto(file, path) {
  const names = [...readFileSync(path, "utf8").matchAll(/^export (?:async )?function\*? ?(\w+)/gm)].map(
    ([, name]) => name,
  );
  return names
    .map((name) => `export function ${name}(...given) { return require("./${file}").${name}(...given); }`)
    .join("\n");
}

function buildApart(file, modules) {
  const contents = modules.map((module) => `export * from "./${module}";`).join("\n");
  const stdin = { contents, resolveDir: root };
  return build({ ...shared, ...commonJs, stdin, outfile: `dist/${file}`, minify: true });
}

shared.plugins = [extensionText];

/** What takes secrets out of a text is loaded when one has a sign of a secret. */
const SECRETS = ["secrets.cjs", ["src/core/secrets/rules.ts", "src/core/secrets/json-strings.ts"]];

/** To count tokens takes a table of words, and a hook that says nothing counts none; nor does it ask what was said. */
const WORDS = ["words.cjs", ["src/core/text/token-budget.ts", "src/app/hooks/stop-word.ts"]];

/** A module of ours as it is now, for what is worked out while building. */
async function loadModule(entry) {
  const { outputFiles } = await build({ ...shared, format: "esm", entryPoints: [entry], write: false, outdir: dist });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** All signs are known when it is built; to list them takes all the rules. */
const signsListed = {
  name: "signs-listed",
  setup(builder) {
    builder.onLoad({ filter: /\/core\/secrets\/sign-list\.ts$/ }, async ({ path }) => {
      const { SIGNS } = await loadModule(path);
      return { contents: `export const SIGNS = ${JSON.stringify(SIGNS)};` };
    });
  },
};

/** Every word that can be completed without looking at the machine; to list them takes all the commands. */
const wordsListed = {
  name: "words-listed",
  setup(builder) {
    builder.onLoad({ filter: /\/completion\/command-words\.ts$/ }, async ({ path }) => {
      const table = await (await loadModule(path)).completionTable();
      return { contents: `export const completionTable = async () => (${JSON.stringify(table)});` };
    });
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
  return build({
    ...shared,
    ...commonJs,
    entryPoints: [`src/${name}/run.ts`],
    outfile,
    minify: true,
    plugins: [...shared.plugins, ...plugins],
  });
}

/** What few command lines need, called by those that cannot wait for an `import()`. */
const SELDOM = [
  ...SECRETS[1],
  ...WORDS[1],
  "src/app/terminal/grapheme-width.ts",
  "src/app/terminal/lists/render-list.ts",
];

async function packCommandLine() {
  const plugins = [
    ...shared.plugins,
    clientApart,
    sqliteNamed,
    zlibAtOnce,
    osAtOnce,
    timersAtOnce,
    hashAtOnce,
    idsAtOnce,
    signsListed,
  ];
  const { text, ...built } = await packSurface({ ...shared, plugins }, "src/cli/run.ts", SELDOM);
  writeFileSync(join(dist, "cli.cjs"), text);
  return built;
}

/** The live view, with the commands that its keys run: a command loads when its key is first pressed. */
async function packView() {
  const plugins = [
    ...shared.plugins,
    clientApart,
    sqliteNamed,
    zlibAtOnce,
    osAtOnce,
    timersAtOnce,
    hashAtOnce,
    idsAtOnce,
    signsListed,
  ];
  const { text, ...built } = await packSurface({ ...shared, plugins }, "src/tui/run.ts", SELDOM);
  writeFileSync(join(dist, "tui.cjs"), text);
  return built;
}

/** What few hooks need, and what only some kinds of work need. */
const SELDOM_IN_HOOKS = [
  "src/app/session/ancestors.ts",
  "src/app/session/git-folder.ts",
  "src/app/tasks/leases/keep-leases.ts",
  "src/core/call/changed-lines.ts",
  "src/core/call/check/check-result.ts",
  "src/core/call/command-facts.ts",
  "src/core/detectors/openclaw/loop-decision.ts",
  "src/core/grounding/judged.ts",
  "src/core/grounding/work-runs.ts",
  "src/core/session/state/next-fire.ts",
  "src/core/task/evolve.ts",
  "src/core/todo/draft.ts",
  "src/store/log/pages.ts",
  "src/store/postgres/open.ts",
  "src/store/tasks/task-queries.ts",
];

const STRICT = '"use strict";';
/** In place of the global: the first look at the real one loads a module that takes 2 ms. */
const CLOCK_AT_ONCE = "const performance={now:()=>1e3*process.uptime()};";

async function packHook() {
  const plugins = [
    clientApart,
    sqliteNamed,
    zlibAtOnce,
    osAtOnce,
    timersAtOnce,
    hashAtOnce,
    dialectsApart,
    spoolApart,
    readersApart,
    plansApart,
    clientsApart,
    signsListed,
    apart(...SECRETS),
    apart(...WORDS),
  ];
  const { text, ...built } = await packSurface({ ...shared, plugins }, "src/hook/run.ts", SELDOM_IN_HOOKS);
  writeFileSync(join(dist, "hook.cjs"), text.replace(STRICT, `${STRICT}${CLOCK_AT_ONCE}`));
  return built;
}

/** The dispatcher itself answers `milepost --help`, with what the command line would say. */
async function helpDefined() {
  const { helpText } = await loadModule("src/cli/help.ts");
  return { ...shared.define, MILEPOST_HELP: JSON.stringify(helpText()) };
}

const builds = await Promise.all([
  build({
    ...shared,
    define: await helpDefined(),
    entryPoints: ["src/bin/main.ts"],
    ...commonJs,
    // In a template the help text has lines that begin with import and export, which some tools take for an ES module.
    supported: { ...commonJs.supported, "template-literal": false },
    outfile: "dist/milepost.cjs",
    minify: true,
    plugins: [osAtOnce],
  }),
  packCommandLine(),
  packView(),
  buildSurface("mcp", [clientApart, sqliteAtOnce, withoutForms]),
  packHook(),
  buildSurface("acp", []),
  buildSurface("acp-record", [clientApart, sqliteAtOnce]),
  buildSurface("complete", [
    clientApart,
    sqliteAtOnce,
    zlibAtOnce,
    osAtOnce,
    timersAtOnce,
    cryptoAtOnce,
    wordsListed,
    signsListed,
    apart(...SECRETS),
    apart(...WORDS),
  ]),
  buildApart(...SECRETS),
  buildApart(...WORDS),
  buildApart("clients.cjs", CLIENTS),
  build({
    ...shared,
    ...commonJs,
    entryPoints: ["src/app/calls/tool-call.ts"],
    outfile: "dist/lists.cjs",
    minify: true,
    plugins: [clientApart, sqliteAtOnce],
  }),
  build({
    ...shared,
    ...commonJs,
    entryPoints: ["src/app/spool/hook-spool.ts"],
    outfile: "dist/spool.cjs",
    minify: true,
    plugins: [zlibAtOnce, osAtOnce, signsListed, apart(...SECRETS), apart(...WORDS)],
  }),
  build({
    ...shared,
    ...commonJs,
    entryPoints: ["src/app/transcripts/lost-calls.ts"],
    outfile: "dist/lost.cjs",
    minify: true,
  }),
  build({
    ...shared,
    ...commonJs,
    entryPoints: ["src/app/plans/hook-plans.ts"],
    outfile: "dist/plans.cjs",
    minify: true,
    plugins: [
      clientApart,
      sqliteAtOnce,
      zlibAtOnce,
      osAtOnce,
      timersAtOnce,
      signsListed,
      apart(...SECRETS),
      apart(...WORDS),
    ],
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
for (const name of [
  "cli",
  "tui",
  "hook",
  "complete",
  "mcp",
  "acp",
  "acp-record",
  "lists",
  "spool",
  "secrets",
  "words",
  "clients",
  "pg",
])
  markContent(join(dist, `${name}.cjs`));
await writePlugin();
const sqlite = copySqlite();
writeFileSync(join(dist, "licences.txt"), licencesOf(builds, [sqlite]));
// npm test checks the types in a step of its own.
const unchecked = process.argv.includes("--unchecked") ? ["--noCheck"] : [];
if (runTool("typescript/bin/tsc", ["-p", "tsconfig.types.json", ...unchecked]) !== 0) process.exit(1);
keepPublicTypes(join(dist, "types"));
writeFileSync(join(dist, ".built"), "");

/**
 * Only patterns still have other signs than ASCII, and a single one makes V8 hold all of the file in two bytes each. So
 * they are written as escapes too: the file is then read as it is, without decoding.
 */
function markContent(file) {
  const source = wrapped(readFileSync(file, "utf8").replace(/[^\0-\x7f]/g, escapeOf));
  const sum = createHash("sha256").update(source).digest("hex").slice(0, 16);
  writeFileSync(file, `${source}\n//#code=${sum}\n`);
}

/**
 * A function for src/bin/code-cache.ts, which takes the text as it is; for Node's own `require` a module as any other.
 */
function wrapped(source) {
  const names = "(exports,require,module,__filename,__dirname)";
  return `(typeof module==="object"?(made)=>made${names}:(made)=>made)(function${names}{${source}\n})`;
}

function escapeOf(sign) {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** dist itself is the plugin: a client that copies it has our bundles with it. */
async function writePlugin() {
  const { pluginFiles } = await loadModule(join(root, "src/app/setup/plugin/plugin-files.ts"));
  for (const [path, text] of Object.entries(pluginFiles(packageJson))) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  }
}

/** A plugin is copied without npm's packages, to machines whose Node may have no SQLite that is new enough. */
function copySqlite() {
  const folder = "node_modules/@photostructure/sqlite";
  const binaries = join(root, folder, "prebuilds");
  mkdirSync(join(dist, "sqlite"), { recursive: true });
  for (const system of readdirSync(binaries))
    for (const file of readdirSync(join(binaries, system)))
      linkOrCopy(join(binaries, system, file), join(dist, "sqlite", `${system}.${file.split(".").at(-2)}.node`));
  return folder;
}

/** One file under two names is loaded once. Two SQLites in one process (a test's, and the built command's) undo each other's locks. */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    // Another disk, or one without links.
    cpSync(from, to);
  }
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
