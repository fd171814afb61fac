import type { Command, CommandEntry, CommandGroup, Given } from "../app/command-definition.js";
import { COMMANDS, SURFACES } from "../app/command-table.js";
import { failureOf, traceOf } from "../app/escaped-error.js";
import { readSlash, renderSlash } from "../app/hooks/slash-command.js";
import type { Host } from "../app/host.js";
import { jsonLine } from "../app/json-lines.js";
import { shellWord, withStore } from "../app/terminal/next-step.js";
import { isObject, parseJson } from "../core/json.js";
import type { Failure, Result } from "../core/result.js";
import { redact } from "../core/secrets/redact.js";
import { redactJson } from "../core/secrets/redact-json.js";
import { terminalText } from "../core/text/terminal-text.js";
import { clearProgress, openSession } from "./command-context.js";
import { EXIT_OK, EXIT_USAGE, exitCode } from "./exit-codes.js";
import { suggestVerb } from "./suggest.js";
import { readUsage } from "./usage.js";

/** Runs one command line and returns the exit code; nothing in here ends the process, and nothing is thrown. */
export async function runCli(host: Host): Promise<number> {
  try {
    return await runLine(host);
  } catch (error) {
    return await refuseThrown(host, error, {});
  }
}

/** A command of our plugin, as a hook of Claude Code reports it; the answer to that hook. */
export async function runSlash(host: Host, hookInput: string): Promise<string> {
  const slash = readSlash(hookInput);
  if (!slash) return "";
  let text = "";
  const write = async (part: string) => {
    text += part;
  };
  const { words, folder = host.folder } = slash;
  await runCli({
    ...host,
    arguments: words,
    folder,
    input: { bytes: nothing(), isTerminal: false },
    output: { write, isTerminal: false, hasColor: false, columns: SLASH_COLUMNS, rows: undefined },
    writeError: write,
    isErrorTerminal: false,
  });
  return `${renderSlash(text)}\n`;
}

const SLASH_COLUMNS = 100;

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Nobody types.
}

async function runLine(host: Host): Promise<number> {
  const [name, topic] = host.arguments;
  if (name === "help" && topic !== undefined)
    return runLine({ ...host, arguments: [topic, ...host.arguments.slice(2), "--help"] });
  // `milepost` alone shows what is going on.
  if (name === undefined) return runLine({ ...host, arguments: ["watch"] });
  if (name === "help" || name === "-h" || name === "--help") return show(host, (await help()).helpText());
  if (name === "-V" || name === "--version") return show(host, `${host.version}\n`);
  const surface = SURFACES.find((entry) => entry.name === name);
  if (surface) return show(host, (await help()).surfaceHelp(surface));
  const entry = COMMANDS.find((command) => command.name === name);
  if (!entry) {
    const message = `There is no command ${JSON.stringify(name)}. See milepost --help.`;
    return complain(host, "unknown-command", message, EXIT_USAGE);
  }
  return "verbs" in entry ? runGroup(host, entry) : runCommand(host, entry);
}

/** `milepost task claim` and its like: the second word is the command. */
function runGroup(host: Host, group: CommandGroup): Promise<number> {
  const [, first, ...topic] = host.arguments;
  if (first === "help" || first === "-h" || first === "--help") return showGroup(host, group, topic);
  const { verb, word, rest } = verbIn(group.verbs, host.arguments.slice(1));
  if (verb) return runCommand({ ...host, arguments: ["", ...rest] }, { ...verb, name: `${group.name} ${verb.name}` });
  const meant = suggestVerb(group, word);
  const line = ["milepost", group.name, ...(meant === undefined ? ["--help"] : [meant, ...rest.map(shellWord)])];
  const next = `${meant === undefined ? "See" : "Did you mean:"} ${line.join(" ")}`;
  const message = `There is no verb ${JSON.stringify(word)} for ${group.name}. ${next}`;
  return complain(host, "unknown-command", message, EXIT_USAGE);
}

/** Which verb a line means: its first word that is no flag and no flag's value; without one the first verb. */
export function verbIn(verbs: CommandGroup["verbs"], line: readonly string[]) {
  const at = line.findIndex((word, index) => !word.startsWith("-") && !mayHaveValue(line[index - 1]));
  const isFlag = (word: string, name: string) => word === name || word.startsWith(`${name}=`);
  const flag = verbs.find(({ name }) => name.startsWith("--") && line.some((word) => isFlag(word, name)))?.name;
  if (flag !== undefined && at !== 0) {
    // `--slash=help` is `--slash help`.
    const rest = line.filter((word) => word !== flag);
    const words = rest.map((word) => (isFlag(word, flag) ? word.slice(flag.length + 1) : word));
    return { verb: verbs.find(({ name }) => name === flag), word: flag, rest: words };
  }
  const word = line[at];
  if (word === undefined) return { verb: verbs[0], word: "", rest: line };
  return { verb: verbs.find(({ name }) => name === word), word, rest: line.filter((_, index) => index !== at) };
}

/** What follows a flag may be its value, as in `--session list`. */
function mayHaveValue(word: string | undefined): boolean {
  return word?.startsWith("-") === true && word !== "--json" && !word.includes("=");
}

async function showGroup(host: Host, group: CommandGroup, [topic]: readonly string[]): Promise<number> {
  if (topic !== undefined) return runGroup({ ...host, arguments: [group.name, topic, "--help"] }, group);
  return show(host, (await help()).groupHelp(group));
}

/** Loaded when it is asked for. */
const help = () => import("./help.js");

async function runCommand(host: Host, entry: CommandEntry): Promise<number> {
  const command = await entry.load();
  const usage = readUsage(host.arguments.slice(1), command);
  if (usage.type === "help") return show(host, (await help()).commandHelp(entry, command));
  if (usage.type === "problem")
    return complain(host, "bad-usage", `${usage.text} See milepost ${entry.name} --help.`, EXIT_USAGE);
  const { store } = usage.flags;
  const session = openSession(host, typeof store === "string" ? store : undefined, [
    entry.name,
    ...host.arguments.slice(1),
  ]);
  try {
    const result = await command.run(session.context, inputOf(entry, usage.input));
    const exit = await finish(host, command, result, usage.flags);
    if (exit === EXIT_OK) await session.close();
    return exit;
  } catch (error) {
    return await refuseThrown(host, error, usage.flags);
  } finally {
    // An error while closing must not hide the first one.
    await session.close().catch(() => undefined);
  }
}

/** What a person writes into a list is redacted before it is compared with what is there; names of files are not. */
const TEXTS = /^(?:todo|task|tell)(?: |$)/;
const NAMES = ["file", "path", "key", "list", "session", "agent", "store"];

function inputOf({ name }: CommandEntry, input: Given): Given {
  if (!TEXTS.test(name)) return input;
  const fields = Object.entries(input).map(([field, value]) => [field, NAMES.includes(field) ? value : told(value)]);
  return Object.fromEntries(fields);
}

function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  return typeof value === "string" ? (isObject(parseJson(value)) ? redactJson(value) : redact(value)) : value;
}

async function finish(host: Host, command: Command, result: Result<unknown>, flags: Given): Promise<number> {
  await clearProgress(host);
  if (!result.ok) return refuse(host, result.error, flags);
  const { value } = result;
  if (command.show && value !== undefined)
    await host.output.write(
      flags.json === true ? `${jsonLine(value)}\n` : redact(command.show(value, host.output, flags)),
    );
  const bad = value === undefined ? undefined : command.verdict?.(value);
  return bad ? refuse(host, bad, flags) : EXIT_OK;
}

/** Whatever was thrown, in one line; for whoever asks, with its stack. */
async function refuseThrown(host: Host, error: unknown, flags: Given): Promise<number> {
  await clearProgress(host);
  const exit = await refuse(host, failureOf(error), flags);
  const trace = traceOf(error, host.environment);
  if (trace !== undefined) await host.writeError(`${trace}\n`);
  return exit;
}

function refuse(host: Host, { code, message }: Failure, flags: Given): Promise<number> {
  return complain(host, code, withStore(message, flags), exitCode(code));
}

async function show(host: Host, text: string): Promise<number> {
  await host.output.write(text);
  return EXIT_OK;
}

/** Errors are one line on stderr with a stable code. */
async function complain(host: Host, code: string, message: string, exit: number): Promise<number> {
  await host.writeError(`milepost: ${terminalText(message)} [${code}]\n`);
  return exit;
}
