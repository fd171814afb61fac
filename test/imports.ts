/** Which folder may import which; a folder that is not named here may be imported by nobody. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  dialects: ["dialects", "core"],
  readers: ["readers", "dialects", "core"],
  "task-files": ["task-files", "dialects", "core"],
  streams: ["streams", "dialects", "core"],
  store: ["store", "core"],
  app: ["app", "store", "readers", "task-files", "streams", "dialects", "core", "extension"],
  cli: ["cli", "app", "core"],
  mcp: ["mcp", "app", "core"],
  http: ["http", "app", "core"],
  acp: ["acp", "app", "core"],
  "acp-record": ["acp-record", "app", "core"],
  hook: ["hook", "app", "core"],
  complete: ["complete", "app", "core"],
  tui: ["tui", "app", "core"],
  sdk: ["sdk", "app", "core"],
  // Runs in agents: its text stands for itself. Setup takes the text.
  extension: ["extension"],
  bin: ["bin", "cli", "mcp", "acp", "acp-record", "hook", "complete", "tui", "app", "store"],
  "index.ts": ["app", "store", "readers", "task-files", "streams", "dialects", "core"],
};

/** Pure folders: no package, no Node module. */
const PURE = ["core", "dialects", "readers", "task-files", "streams"];

/** What is wrong with the imports of one source file; `path` is relative to src/. */
export function wrongImports(path: string, source: string): readonly string[] {
  const from = place(path);
  return importsOf(source).flatMap((target) => {
    const problem = target.startsWith(".")
      ? wrongArrow(from, place(resolve(path, target)))
      : wrongPackage(from, target);
    return problem === undefined ? [] : [`src/${path}: imports ${target}: ${problem}`];
  });
}

/** Folder below src/, or the file itself at the top. */
function place(path: string): string {
  return path.split("/")[0] ?? path;
}

function importsOf(source: string): readonly string[] {
  // The word alone, in quotes, imports nothing.
  const statements =
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|(?<!["'])import\s*\(?\s*["']([^"']+)["']/g;
  return Array.from(source.matchAll(statements), ([, named, bare]) => named ?? bare ?? "");
}

function resolve(path: string, target: string): string {
  const parts = path.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function wrongArrow(from: string, to: string): string | undefined {
  const allowed = ARROWS[from] ?? [];
  return allowed.includes(to) ? undefined : `${from} may import ${allowed.join(", ") || "nothing"}, not ${to}`;
}

function wrongPackage(from: string, target: string): string | undefined {
  return PURE.includes(from) ? `${from} is pure and may not use ${target}` : undefined;
}
