import { clearProgress, openSession, redactedInput } from "../app/command-context.js";
import type { Command, CommandEntry, CommandGroup } from "../app/command-definition.js";
import { COMMANDS, SURFACES, type SurfaceEntry } from "../app/command-table.js";
import { failureOf, traceOf } from "../app/escaped-error.js";
import { partsOf, wordPlaces } from "../app/field-reader.js";
import { COMMON_FLAGS } from "../app/fields.js";
import { readSlash, renderSlash } from "../app/hooks/slash-command.js";
import type { Host } from "../app/host.js";
import { jsonLine } from "../app/json-lines.js";
import { withFlags, withStore } from "../app/terminal/next-step.js";
import type { Failure, Result } from "../core/result.js";
import { redact } from "../core/secrets/redact.js";
import { terminalText } from "../core/text/terminal-text.js";
import { EXIT_OK, exitCode, shownCode } from "./exit-codes.js";
import { readHead } from "./line-head.js";
import type { FailedLine } from "./next-steps.js";
import { readUsage } from "./usage.js";
import { verbIn, verbNames, without, withoutFiller } from "./verb-in-line.js";

/** Runs one command line and returns the exit code; nothing in here ends the process, and nothing is thrown. */
export async function runCli(host: Host): Promise<number> {
  try {
    return await runLine(host);
  } catch (error) {
    return await refuseThrown(host, error, { name: "", flags: {}, words: host.arguments });
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
  const head = readHead(host.arguments, (word) => findEntry(word) !== undefined || isSurface(word));
  switch (head.type) {
    case "version":
      return show(host, `${host.version}\n`);
    case "help":
      return show(host, (await help()).helpText());
    case "early-flag":
      return complain(host, await (await mistakes()).earlyFlag(head.flag, head.words));
    case "line":
      return runNamed(host, head.words);
  }
}

async function runNamed(host: Host, [name = "", ...rest]: readonly string[]): Promise<number> {
  if (name === "help") return runHelp(host, rest);
  const surface = SURFACES.find((entry) => entry.name === name);
  if (surface) return runSurface(host, surface, rest);
  const entry = findEntry(name) ?? findEntry((await otherWords()).otherName(name, rest) ?? "");
  if (!entry && name === "version") return show(host, `${host.version}\n`);
  if (!entry) return complain(host, await (await mistakes()).unknownCommand(name, rest));
  if ("verbs" in entry) return runGroup({ ...host, arguments: [entry.name, ...rest] }, entry);
  return runCommand({ ...host, arguments: ["", ...(await withoutFiller(entry, rest))] }, entry);
}

/** `milepost help todo done` is `milepost todo done --help`. */
async function runHelp(host: Host, rest: readonly string[]): Promise<number> {
  const [at] = wordPlaces(rest, COMMON_FLAGS);
  if (at === undefined) return show(host, (await help()).helpText());
  return runNamed(host, [rest[at] ?? "", ...withFlags(without(rest, at), "--help")]);
}

function findEntry(name: string): CommandEntry | CommandGroup | undefined {
  return COMMANDS.find((command) => command.name === name);
}

function isSurface(name: string): boolean {
  return SURFACES.some((entry) => entry.name === name);
}

/** The dispatcher runs these where they come first; here, only their help is known. */
async function runSurface(host: Host, surface: SurfaceEntry, rest: readonly string[]): Promise<number> {
  if (host.arguments[0] === surface.name || asksHelp(rest)) return show(host, (await help()).surfaceHelp(surface));
  const flag = host.arguments.find((word) => word.startsWith("-")) ?? "";
  return complain(host, await (await mistakes()).earlyFlag(flag, [surface.name, ...rest]));
}

function asksHelp(line: readonly string[]): boolean {
  return partsOf(line, COMMON_FLAGS).some(({ type }) => type === "help");
}

/** Loaded when they are needed. */
const help = () => import("./help.js");
const mistakes = () => import("./unknown-words.js");
const otherWords = () => import("./suggest.js");

/** `milepost task claim` and its like: the first word behind the group is the command. */
async function runGroup(host: Host, group: CommandGroup): Promise<number> {
  const { verb, word, rest } = await verbIn(group.verbs, host.arguments.slice(1));
  if (word === "" && asksHelp(rest)) return show(host, (await help()).groupHelp(group));
  if (word === "help") return runGroup({ ...host, arguments: [group.name, ...withFlags(rest, "--help")] }, group);
  const other = verb ? undefined : (await otherWords()).verbAlias(word, verbNames(group));
  const found = verb ?? group.verbs.find(({ name }) => name === other);
  if (found)
    return runCommand({ ...host, arguments: ["", ...rest] }, { ...found, name: `${group.name} ${found.name}` });
  return complain(host, await (await mistakes()).unknownVerb(group, word, rest));
}

async function runCommand(host: Host, entry: CommandEntry): Promise<number> {
  const command = await entry.load();
  const words = host.arguments.slice(1);
  const usage = readUsage(words, command);
  if (usage.type === "help") return show(host, (await help()).commandHelp(entry, command));
  if (usage.type === "problem") {
    const read = (await mistakes()).misread(entry, words, command, usage);
    return "run" in read
      ? runCommand({ ...host, arguments: ["", ...read.run] }, entry)
      : complain(host, read.failure, words);
  }
  const { store } = usage.flags;
  const line = { name: entry.name, flags: usage.flags, words: [...entry.name.split(" "), ...words] };
  const session = openSession(host, typeof store === "string" ? store : undefined, [entry.name, ...words]);
  try {
    const result = await command.run(session.context, redactedInput(entry.name, usage.input));
    const exit = await finish(host, command, result, line);
    if (exit === EXIT_OK) await session.close();
    return exit;
  } catch (error) {
    return await refuseThrown(host, error, line);
  } finally {
    // An error while closing must not hide the first one.
    await session.close().catch(() => undefined);
  }
}

/** A line that was understood, for what is said when it fails. */
type ReadLine = Omit<FailedLine, "folder">;

async function finish(host: Host, command: Command, result: Result<unknown>, line: ReadLine): Promise<number> {
  await clearProgress(host);
  if (!result.ok) return refuse(host, result.error, line);
  const { value } = result;
  const { flags } = line;
  if (command.show && value !== undefined)
    await host.output.write(
      flags.json === true ? `${jsonLine(value)}\n` : redact(command.show(value, host.output, flags)),
    );
  const bad = value === undefined ? undefined : command.verdict?.(value);
  return bad ? refuse(host, bad, line) : EXIT_OK;
}

/** Whatever was thrown, in one line; for whoever asks, with its stack. */
async function refuseThrown(host: Host, error: unknown, line: ReadLine): Promise<number> {
  await clearProgress(host);
  const exit = await refuse(host, failureOf(error), line);
  const trace = traceOf(error, host.environment);
  if (trace !== undefined) await host.writeError(`${trace}\n`);
  return exit;
}

async function refuse(host: Host, failure: Failure, line: ReadLine): Promise<number> {
  const { withNextStep } = await import("./next-steps.js");
  // The next step is one of ours, and names its store itself or leaves it out on purpose.
  const named = { ...failure, message: withStore(failure.message, line.flags) };
  return complain(host, withNextStep(named, { ...line, folder: host.folder }), line.words);
}

async function show(host: Host, text: string): Promise<number> {
  await host.output.write(text);
  return EXIT_OK;
}

/** Errors are one line on stderr with a stable code; JSON where the line asks for it. */
async function complain(host: Host, failure: Failure, line = host.arguments): Promise<number> {
  const code = shownCode(failure.code);
  const { message } = failure;
  const flags = line.includes("--") ? line.slice(0, line.indexOf("--")) : line;
  await host.writeError(
    flags.includes("--json")
      ? `${jsonLine({ error: { code, message } })}\n`
      : `milepost: ${terminalText(message)} [${code}]\n`,
  );
  return exitCode(code);
}
