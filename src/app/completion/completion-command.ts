import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import { choice } from "../fields.js";
import { completionScript, INSTALLING, SHELLS, shellOf } from "./shell-scripts.js";

export const completion = defineCommand({
  details: `TAB completes commands, flags, their values, files, and the ids of sessions, sub-agents, todos and tasks.
Without SHELL: the one that the variable SHELL names. To have it in every new shell, run the line for yours once:

${SHELLS.map((shell) => `  ${INSTALLING[shell]}`).join("\n")}`,
  examples: ["milepost completion bash"],
  words: ["shell"],
  input: { shell: choice(SHELLS, "bash, zsh or fish (default: your shell)") },
  async run({ environment }, { shell = shellOf(environment.SHELL) }) {
    if (!shell)
      return fail(
        "bad-usage",
        "The variable SHELL does not name bash, zsh or fish. Name one: milepost completion bash",
      );
    return ok({ shell, script: completionScript(shell) });
  },
  show: ({ script }) => script,
});
