import { CommanderError, Command as Program } from "commander";
import type { Command, CommandEntry } from "../app/command.js";
import type { Host } from "../app/host.js";
import { argumentOf, optionsOf } from "./options.js";

const STORE_HELP =
  "a file, postgres://... or memory: (or MILEPOST_STORE; default: milepost.db in Milepost's own folder)";

/** The parsed words after a command's name. */
type Usage =
  | { readonly type: "flags"; readonly flags: Readonly<Record<string, unknown>> }
  | { readonly type: "help"; readonly text: string }
  | { readonly type: "problem"; readonly text: string };

export function readUsage(host: Host, entry: CommandEntry, command: Command): Usage {
  let help = "";
  const program = new Program(`milepost ${entry.name}`)
    .description(entry.summary)
    .allowExcessArguments(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: () => undefined,
      getOutHelpWidth: () => host.output.columns,
    })
    .addHelpText("after", `\n${command.details}`);
  const words = command.words ?? [];
  for (const word of words) program.addArgument(argumentOf(command.input, word));
  for (const option of optionsOf(command.input)) if (!words.includes(option.attributeName())) program.addOption(option);
  // Every command accepts --json, so that scripts can always pass it; commands that stream print JSON lines anyway.
  if (!("json" in command.input.shape))
    program.option("--json", command.show ? "print the result as JSON" : "no effect: the output is always JSON lines");
  program.option("--store <url>", STORE_HELP);
  try {
    program.parse(host.arguments.slice(1), { from: "user" });
    const given = words.flatMap((word, index) => {
      const value: unknown = program.processedArgs[index];
      return value === undefined ? [] : [[word, value]];
    });
    return { type: "flags", flags: { ...program.opts(), ...Object.fromEntries(given) } };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { type: "help", text: help };
    const isText = error.code === "commander.unknownOption" && words.length > 0;
    const quotes = isText ? " If it is part of a text, put that in quotes." : "";
    const text = `${error.message.replace(/^error: /, "").replace(/\.?$/, ".")}${quotes}`;
    return { type: "problem", text: `${text} See milepost ${entry.name} --help.` };
  }
}
