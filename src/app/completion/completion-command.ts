import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import { choice } from "../fields.js";
import { completionScript, INSTALLING, SHELLS, shellOf } from "./shell-scripts.js";

export const completion = defineCommand({
  details: `Prints a script for bash, zsh or fish that completes commands, flags, files and the ids of sessions, todos and
tasks when you press TAB. Without SHELL: the one that the variable SHELL names. To have it in every new shell, run the
line for yours once: ${SHELLS.map((shell) => `${shell}: ${INSTALLING[shell]}`).join("; ")}.`,
  examples: ["milepost completion bash"],
  words: ["shell"],
  input: { shell: choice(SHELLS, "bash, zsh or fish (default: your shell)") },
  async run({ environment }, { shell = shellOf(environment.SHELL) }) {
    if (!shell) return fail("bad-usage", "Which shell? Name it: milepost completion bash (or zsh, fish)");
    return ok({ shell, script: completionScript(shell) });
  },
  show: ({ script }) => script,
});
