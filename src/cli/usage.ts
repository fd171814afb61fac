import { CommanderError, Command as Program } from "commander";
import type { Command } from "../app/command.js";
import type { CommandEntry } from "../app/commands.js";
import type { Host } from "./host.js";
import { optionsOf } from "./options.js";

/** What a person meant with the words after a command's name. */
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
  for (const option of optionsOf(command.input)) program.addOption(option);
  program.option("--store <url>", "where lists are kept; only memory: in this version (or MILEPOST_STORE)");
  try {
    program.parse(host.arguments.slice(1), { from: "user" });
    return { type: "flags", flags: program.opts() };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { type: "help", text: help };
    return {
      type: "problem",
      text: `${error.message.replace(/^error: /, "").replace(/\.?$/, ".")} See milepost ${entry.name} --help.`,
    };
  }
}
