/** How agents start us: a Node and a file of ours, both as absolute paths. A surface's name follows. */
export interface Launch {
  readonly node: string;
  readonly script: string;
  readonly platform: string;
}

const TASKS = "--tasks";

/** How a client starts our server: as words, without a shell. */
export function serverArgs({ script }: Launch, { tasks }: { readonly tasks: boolean }): readonly string[] {
  return [script, "mcp", ...(tasks ? [TASKS] : [])];
}

export type SurfaceName = "mcp" | "hook" | "statusline";

const HARMLESS = /^[\w@%+=:,./-]+$/;

/** One line for a shell. Hooks and status lines have no other form that all versions of the clients understand. */
export function shellCommand({ node, script, platform }: Launch, surface: SurfaceName): string {
  const quote = platform === "win32" ? quoteForWindows : quoteForPosix;
  return [node, script, surface].map(quote).join(" ");
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

export function isOurCommand(words: readonly unknown[], surface: SurfaceName): boolean {
  const [, script, name, ...flags] = words;
  const isPlain = flags.length === 0 || (surface === "mcp" && flags.length === 1 && flags[0] === TASKS);
  return isPlain && name === surface && typeof script === "string" && OUR_SCRIPT.test(script);
}

export function isOurLine(line: unknown, surface: SurfaceName): line is string {
  return typeof line === "string" && isOurCommand(commandWords(line), surface);
}
