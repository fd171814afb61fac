import { quoteForPosix, quoteForWindows } from "../../core/text/shell-quote.js";

/** How agents start us: a Node and a script of ours, by our file for /bin/sh; all as absolute paths. */
export interface Launch {
  readonly node: string;
  readonly script: string;
  readonly platform: string;
  /** `HOME/wiring/milepost.sh`. On Windows it is not used. */
  readonly shellFile: string;
  /** The script itself names Milepost's own folder; else the environment does. */
  readonly isHomeFixed: boolean;
}

/** The server's flags that setup writes, in this order. */
const TASKS = "--tasks";
const PLANS = "--plans";

/** Which tools beside todo a server offers. */
export interface ServerTools {
  readonly tasks: boolean;
  readonly plans?: boolean | undefined;
}

export type SurfaceName = "mcp" | "hook" | "statusline";

/** What our file for /bin/sh can be asked for in a line; what each does is said there. */
export type Verb = "hook" | "guard" | "start" | "compacted" | "statusline";

const SURFACES: Readonly<Record<Verb, SurfaceName>> = {
  hook: "hook",
  guard: "hook",
  start: "hook",
  compacted: "hook",
  statusline: "statusline",
};

/** The client whose hook it is, and the event, where what it writes on our input does not tell. */
export type HookWords = readonly [] | readonly [client: string] | readonly [client: string, event: string];

const SHELL = "/bin/sh";

/** Reads our file in the same shell: no process more. Without the file there is nothing to say. */
const RUN_FILE = '[ -r "$0" ] && . "$0"; exit 0';

const FIXED = "--fixed";

/** For a person to put into a script of their own. */
export function plainCommand(launch: Pick<Launch, "node" | "script" | "platform">, surface: SurfaceName): string {
  const { node, script, platform } = launch;
  return [node, script, surface].map(platform === "win32" ? quoteForWindows : quoteForPosix).join(" ");
}

/**
 * One line for a shell. Hooks and status lines have no other form that all versions of the clients understand. The
 * person's own shell may be any: it only hands over to one that is everywhere.
 */
export function shellCommand(launch: Launch, verb: Verb, words: HookWords = []): string {
  const { node, script, platform, shellFile, isHomeFixed } = launch;
  if (platform === "win32") {
    const call = POWERSHELL.includes(words[0] ?? "") ? [CALL] : [];
    return [...call, plainCommand(launch, SURFACES[verb]), ...words].join(" ");
  }
  const more = isHomeFixed && needsHome(verb) ? [FIXED] : words;
  return ["exec", SHELL, "-c", RUN_FILE, shellFile, verb, node, script, ...more].map(quoteForPosix).join(" ");
}

/** On Windows these run hooks with PowerShell, to which a quoted path is a text until it is called. */
const POWERSHELL: readonly string[] = ["copilot", "gemini"];
const CALL = "&";

function needsHome(verb: Verb): boolean {
  return verb === "guard" || verb === "start";
}

/** A server is started without a shell. */
export function serverCommand(
  { node, script, platform, shellFile }: Omit<Launch, "isHomeFixed">,
  { tasks, plans }: ServerTools,
): { command: string; args: readonly string[] } {
  const words = [script, "mcp", ...(tasks ? [TASKS] : []), ...(plans ? [PLANS] : [])];
  if (platform === "win32") return { command: node, args: words };
  return { command: SHELL, args: [shellFile, "server", node, ...words] };
}

/** The tools that words ask for that start our server. */
export function toolsIn(words: readonly string[]): Required<ServerTools> {
  const flags = words.slice(-2);
  return { tasks: flags.includes(TASKS), plans: flags.includes(PLANS) };
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

/** Our file for /bin/sh, and the folder of ours that it lies in. */
const OUR_SHELL_FILE = /^(.*)\/wiring\/milepost\.sh$/;

/** What starts us, as it is written in an agent's file. */
export interface WrittenCommand {
  readonly node: string;
  readonly script: string;
  /** In what this version writes. */
  readonly shellFile?: string;
  readonly verb?: Verb;
  readonly isHomeFixed?: boolean;
  /** Milepost's own folder, in a line that looks there for a server, or keeps a start there. */
  readonly folder?: string;
  readonly words?: HookWords;
}

/** Node and our file in a command that starts us, written by this version or an earlier one. */
export function readCommand(words: readonly unknown[], surface: SurfaceName): WrittenCommand | undefined {
  return readByFile(words, surface) ?? readByItself(words, surface);
}

function readByFile(words: readonly unknown[], surface: SurfaceName): WrittenCommand | undefined {
  const isServer = surface === "mcp";
  const [file, verb, node, script, ...more] = words.slice(isServer ? 1 : 3);
  const [, folder] = (typeof file === "string" && OUR_SHELL_FILE.exec(file)) || [];
  if (words[0] !== SHELL || folder === undefined || typeof file !== "string" || !isOurScript(script)) return undefined;
  if (typeof node !== "string") return undefined;
  const written = { node, script, shellFile: file };
  if (isServer) {
    const [name, ...flags] = more;
    return verb === "server" && name === "mcp" && isToolFlags(flags) ? written : undefined;
  }
  if (words[1] !== "-c" || !isVerb(verb) || SURFACES[verb] !== surface) return undefined;
  const isNamed = SURFACES[verb] === "hook" && !needsHome(verb);
  const told = isNamed && more.length > 0 ? hookWords(more) : undefined;
  if (told) return { ...written, verb, isHomeFixed: false, words: told };
  if (!isFlags(more, FIXED)) return undefined;
  return { ...written, verb, isHomeFixed: more.length > 0, ...(needsHome(verb) ? { folder } : {}) };
}

const PLAIN_WORD = /^[A-Za-z][\w-]*$/;

/** Undefined for anything but one or two plain words. */
function hookWords([client, event, ...others]: readonly unknown[]): HookWords | undefined {
  const isPlain = (word: unknown): word is string => typeof word === "string" && PLAIN_WORD.test(word);
  if (others.length > 0 || !isPlain(client)) return undefined;
  if (event === undefined) return [client];
  return isPlain(event) ? [client, event] : undefined;
}

function isVerb(word: unknown): word is Verb {
  return typeof word === "string" && Object.hasOwn(SURFACES, word);
}

/** None, or this one. */
function isFlags(words: readonly unknown[], flag: string): boolean {
  return words.length === 0 || (words.length === 1 && words[0] === flag);
}

/** As setup writes them. */
function isToolFlags(words: readonly unknown[]): boolean {
  return [[], [TASKS], [PLANS], [TASKS, PLANS]].some((flags) => flags.join() === words.join());
}

function isOurScript(script: unknown): script is string {
  return typeof script === "string" && OUR_SCRIPT.test(script);
}

/** Earlier versions, and Windows: Node itself, or a shell with all that it has to do in the line. */
function readByItself(words: readonly unknown[], surface: SurfaceName): WrittenCommand | undefined {
  const [first, flag] = words;
  const isByShell = first === SHELL && flag === "-c" && words.length > 5;
  const [node, script, name, ...more] = isByShell ? words.slice(3) : words;
  if (name !== surface || typeof node !== "string" || !isOurScript(script)) return undefined;
  if (more.length === 0 || (surface === "mcp" && isToolFlags(more))) return { node, script };
  const told = surface === "hook" && !isByShell ? hookWords(more) : undefined;
  if (told) return { node, script, words: told };
  const [last, ...others] = more;
  if (others.length > 0) return undefined;
  const isFolder = isByShell && surface === "hook" && typeof last === "string" && last.startsWith("/");
  return isFolder ? { node, script, folder: last } : undefined;
}

export function readLine(line: unknown, surface: SurfaceName): WrittenCommand | undefined {
  if (typeof line !== "string") return undefined;
  const words = commandWords(line);
  return readCommand(words[0] === "exec" || words[0] === CALL ? words.slice(1) : words, surface);
}

export function isOurCommand(words: readonly unknown[], surface: SurfaceName): boolean {
  return readCommand(words, surface) !== undefined;
}

export function isOurLine(line: unknown, surface: SurfaceName): line is string {
  return readLine(line, surface) !== undefined;
}

interface Starter {
  readonly title: string;
  readonly takesVariables?: boolean;
  /** Of an agent that starts us by an extension of ours: the path is a text in its code. */
  readonly serverClient?: string;
}

/** Why what starts us cannot be written into an agent's settings, with what to do; undefined where it can. */
export function launchFlaw(launch: Launch, { title, takesVariables, serverClient }: Starter): string | undefined {
  const { node, script, platform, shellFile } = launch;
  for (const path of [...(platform === "win32" ? [] : [shellFile]), script, node]) {
    const [variable] = (takesVariables && /\$(?:\w+|\{[^}]*\}?)/.exec(path)) || [];
    const place = path === node ? "Take a Node at another path" : "Set MILEPOST_HOME to another folder";
    const step = `${place}, then run milepost setup.`;
    if (variable !== undefined) return `${title} would take ${variable} in ${path} for a variable. ${step}`;
    if (serverClient === undefined && /[\r\n]/.test(path))
      return `${title} cannot be told of ${path}: there is a line break in it. ${step}`;
  }
  return undefined;
}
