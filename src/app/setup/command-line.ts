/** How agents start us: a Node and a file of ours, both as absolute paths. A surface's name follows. */
export interface Launch {
  readonly node: string;
  readonly script: string;
  readonly platform: string;
}

/** The server's only flag that setup writes. */
const TASKS = "--tasks";

export type SurfaceName = "mcp" | "hook" | "statusline";

const HARMLESS = /^[\w@%+=:,./-]+$/;

/**
 * An upgrade moves Node, an uninstall takes our file away, and clients show every command that cannot be started. So a
 * shell looks first: Node where it was, else the one in the PATH; without our file nothing. It becomes Node by exec: no
 * process more, and our parent is the client.
 */
const START = `[ -f "$1" ] && { [ -x "$0" ] && exec "$0" "$@"; command -v node >/dev/null && exec node "$@"; }; `;

const SILENT = `${START}exit 0`;

/**
 * A server that ends at once is shown as a failure: this one stays, offers nothing, and answers hooks with nothing. The
 * id of a message is its first or its last member; what a hook tells may have others in it. Without a brace behind a
 * dollar sign, which Claude Code would take for a variable of its own.
 */
const EMPTY_SERVER = [
  `set -f; IFS='{}:,"'; while IFS= read -r l; do i= v= p=;`,
  `case $l in '{"jsonrpc":"2.0","id":"'*) k=fs;; '{"jsonrpc":"2.0","id":'*) k=fn;; *'"}') k=ls;; *) k=ln;; esac;`,
  'for w in $l; do [ "$w" ] || continue;',
  "case $p in id) case $k$i in f?|l*) i=$w;; esac;; protocolVersion) v=$w;; esac; p=$w; done;",
  `[ "$i" ] || continue; case $k in ?s) i='"'$i'"';; esac; case $l in *'"method":"initialize"'*) ;; *) v=;; esac;`,
  `r='"tools":[],"content":[]%.0s'; [ "$v" ] &&`,
  `r='"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"milepost","version":"0"}';`,
  `printf '{"jsonrpc":"2.0","id":%s,"result":{'"$r"'}}\\n' "$i" "$v"; done`,
].join(" ");

export const SHELL = "/bin/sh";

/** For a person to put into a script of their own. */
export function plainCommand({ node, script, platform }: Launch, surface: SurfaceName): string {
  return [node, script, surface].map(platform === "win32" ? quoteForWindows : quoteForPosix).join(" ");
}

/** One line for a shell. Hooks and status lines have no other form that all versions of the clients understand. */
export function shellCommand(launch: Launch, surface: SurfaceName): string {
  const { node, script, platform } = launch;
  if (platform === "win32") return plainCommand(launch, surface);
  // The person's own shell may be any: it only hands over to one that is everywhere.
  return ["exec", SHELL, "-c", SILENT, node, script, surface].map(quoteForPosix).join(" ");
}

/** A server is started without a shell. */
export function serverCommand(
  { node, script, platform }: Launch,
  { tasks }: { readonly tasks: boolean },
): { command: string; args: readonly string[] } {
  const words = [script, "mcp", ...(tasks ? [TASKS] : [])];
  if (platform === "win32") return { command: node, args: words };
  return { command: SHELL, args: ["-c", `${START}${EMPTY_SERVER}`, node, ...words] };
}

/** Whether words that start our server ask for the task tool. */
export function hasTasks(words: readonly string[]): boolean {
  return words.at(-1) === TASKS;
}

/** Single quotes mean the same in sh, bash, zsh and fish: Codex takes the person's own shell. */
export function quoteForPosix(word: string): string {
  return HARMLESS.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Claude Code asks Git Bash, Codex cmd.exe: both take double quotes, and both take slashes that lean forward. */
function quoteForWindows(word: string): string {
  const path = word.replaceAll("\\", "/");
  return HARMLESS.test(path) ? path : `"${path}"`;
}

/** The words of a command line such as those above; enough to find a path in it. */
export function commandWords(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\]|\\$)+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, single, double, escaped) => single ?? double ?? escaped),
  );
}

/** Any Milepost that setup ever wired, at its old path too. The file's name holds ours: no other hook looks like it. */
const OUR_SCRIPT = /[\\/](?:dist[\\/]milepost|wiring[\\/]milepost-[\w-]+)\.cjs$/;

/** What starts us, as it is written in an agent's file. */
export interface WrittenCommand {
  readonly node: string;
  readonly script: string;
  /** Milepost's own folder, in a line that looks there for a server before it becomes Node. */
  readonly folder?: string;
}

/** Node and our file in a command that starts us, written by this version or an earlier one. */
export function readCommand(words: readonly unknown[], surface: SurfaceName): WrittenCommand | undefined {
  const [first, flag] = words;
  const isByShell = first === SHELL && flag === "-c" && words.length > 5;
  const [node, script, name, ...more] = isByShell ? words.slice(3) : words;
  if (name !== surface || more.length > 1 || typeof node !== "string") return undefined;
  if (typeof script !== "string" || !OUR_SCRIPT.test(script)) return undefined;
  const [last] = more;
  if (last === undefined || (surface === "mcp" && last === TASKS)) return { node, script };
  const isFolder = isByShell && surface === "hook" && typeof last === "string" && last.startsWith("/");
  return isFolder ? { node, script, folder: last } : undefined;
}

export function readLine(line: unknown, surface: SurfaceName): WrittenCommand | undefined {
  if (typeof line !== "string") return undefined;
  const words = commandWords(line);
  return readCommand(words[0] === "exec" ? words.slice(1) : words, surface);
}

export function isOurCommand(words: readonly unknown[], surface: SurfaceName): boolean {
  return readCommand(words, surface) !== undefined;
}

export function isOurLine(line: unknown, surface: SurfaceName): line is string {
  return readLine(line, surface) !== undefined;
}
