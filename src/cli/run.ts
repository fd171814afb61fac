import type { Command, CommandEntry, CommandGroup, Given } from "../app/command.js";
import { COMMANDS, SURFACES } from "../app/command-table.js";
import type { Host } from "../app/host.js";
import { jsonLine } from "../app/json-lines.js";
import { StoreTrouble } from "../app/milepost.js";
import { shellWord } from "../app/terminal/next-step.js";
import type { Failure, Result } from "../core/result.js";
import { terminalText } from "../core/text/terminal-text.js";
import { clearProgress, openSession } from "./command-context.js";
import { EXIT_OK, EXIT_USAGE, exitCode } from "./exit-codes.js";
import { issueText } from "./issue-text.js";
import { suggestVerb, verbIn } from "./verb-in.js";

/** Runs one command line and returns the exit code; nothing in here ends the process. */
export async function runCli(host: Host): Promise<number> {
  const [name, topic] = host.arguments;
  if (name === "help" && topic !== undefined)
    return runCli({ ...host, arguments: [topic, ...host.arguments.slice(2), "--help"] });
  // `milepost` alone shows what is going on.
  if (name === undefined) return runCli({ ...host, arguments: ["watch"] });
  if (name === "help" || name === "-h" || name === "--help") return showHelp(host);
  if (name === "-V" || name === "--version") return show(host, `${host.version}\n`);
  const surface = SURFACES.find((entry) => entry.name === name);
  if (surface) return show(host, `Usage: milepost ${name} [flags]\n\n${surface.summary}\n\n${surface.details}\n`);
  const entry = COMMANDS.find((command) => command.name === name);
  if (!entry)
    return complain(host, "unknown-command", `There is no command ${quote(name)}. See milepost --help.`, EXIT_USAGE);
  return "verbs" in entry ? runGroup(host, entry) : runCommand(host, entry);
}

/** `milepost task claim` and its like: the second word is the command. */
function runGroup(host: Host, group: CommandGroup): Promise<number> {
  const [, first, ...topic] = host.arguments;
  if (first === "help" || first === "-h" || first === "--help") return showGroup(host, group, topic);
  const { verb, word, rest } = verbIn(group, host.arguments.slice(1));
  if (verb) return runCommand({ ...host, arguments: ["", ...rest] }, { ...verb, name: `${group.name} ${verb.name}` });
  const meant = suggestVerb(group, word);
  const line = ["milepost", group.name, ...(meant === undefined ? ["--help"] : [meant, ...rest.map(shellWord)])];
  const next = `${meant === undefined ? "See" : "Did you mean:"} ${line.join(" ")}`;
  return complain(host, "unknown-command", `There is no verb ${quote(word)} for ${group.name}. ${next}`, EXIT_USAGE);
}

function showGroup(host: Host, group: CommandGroup, [topic]: readonly string[]): Promise<number> {
  if (topic !== undefined) return runGroup({ ...host, arguments: [group.name, topic, "--help"] }, group);
  const { name, summary, details, verbs } = group;
  const head = [
    `Usage: milepost ${name} COMMAND [flags]; without COMMAND: milepost ${name} ${verbs[0]?.name}`,
    "",
    summary,
  ];
  const tail = ["", details, "", `milepost ${name} COMMAND --help shows its flags.`];
  return show(host, `${[...head, "", "Commands:", ...helpRows(verbs), ...tail].join("\n")}\n`);
}

async function runCommand(host: Host, entry: CommandEntry): Promise<number> {
  // Flags and schemas load with the command that runs: help and version answer without them.
  const [command, { readUsage }] = await Promise.all([entry.load(), import("./usage.js")]);
  const usage = readUsage(host, entry, command);
  if (usage.type === "help") return show(host, usage.text);
  if (usage.type === "problem") return complain(host, "bad-usage", usage.text, EXIT_USAGE);
  const { store, json, ...flags } = usage.flags;
  // `--json` is handled here for commands that return a value; commands that stream handle it themselves.
  const input = command.input.safeParse(command.show ? flags : { ...flags, json });
  if (!input.success) {
    const problems = input.error.issues.map((issue) => issueText(issue, command, flags));
    return complain(
      host,
      "bad-usage",
      `${[...new Set(problems)].join("; ")}. See milepost ${entry.name} --help.`,
      EXIT_USAGE,
    );
  }
  const session = openSession(host, typeof store === "string" ? store : undefined);
  try {
    return await finish(host, command, await command.run(session.context, input.data), usage.flags);
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    return await refuse(host, error);
  } finally {
    await session.close();
  }
}

async function finish(host: Host, command: Command, result: Result<unknown>, flags: Given): Promise<number> {
  await clearProgress(host);
  if (!result.ok) return refuse(host, result.error);
  const { value } = result;
  if (command.show && value !== undefined)
    await host.output.write(flags.json === true ? `${jsonLine(value)}\n` : command.show(value, host.output, flags));
  const bad = value === undefined ? undefined : command.verdict?.(value);
  return bad ? refuse(host, bad) : EXIT_OK;
}

function refuse(host: Host, { code, message }: Failure): Promise<number> {
  return complain(host, code, message, exitCode(code));
}

async function showHelp(host: Host): Promise<number> {
  const head = ["milepost: the progress layer for AI agents", ""];
  const usage = ["Usage: milepost COMMAND [flags]; without COMMAND: milepost watch", ""];
  const rows = ["Commands:", ...helpRows([...COMMANDS, ...SURFACES]), ""];
  const tail = ["milepost COMMAND --help shows its flags. Start with: milepost demo", ""];
  return show(host, [...head, ...usage, ...rows, ...tail].join("\n"));
}

function helpRows(entries: readonly { readonly name: string; readonly summary: string }[]): readonly string[] {
  const width = Math.max(...entries.map(({ name }) => name.length));
  return entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
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

function quote(name: string): string {
  return JSON.stringify(name);
}
