import { basename } from "node:path";
// @ts-expect-error: a text, which the build and the tests load as one
import bash from "./scripts/bash.sh";
// @ts-expect-error: a text, which the build and the tests load as one
import fish from "./scripts/fish.sh";
// @ts-expect-error: a text, which the build and the tests load as one
import zsh from "./scripts/zsh.sh";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const TEXTS: Readonly<Record<Shell, string>> = { bash, zsh, fish };

/** One line each that works as printed, once for all later shells; fish has made the folder at its first start. */
export const INSTALLING: Readonly<Record<Shell, string>> = {
  bash: `echo 'eval "$(milepost completion bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(milepost completion zsh)"' >> ~/.zshrc`,
  fish: "milepost completion fish > ~/.config/fish/completions/milepost.fish",
};

/** What the shell reads, with the way to have it in every new shell as a comment at its end. */
export function completionScript(shell: Shell): string {
  return `${TEXTS[shell]}\n# In every new shell: ${INSTALLING[shell]}\n`;
}

/** The shell that a path such as $SHELL leads to. */
export function shellOf(path: string | undefined): Shell | undefined {
  return SHELLS.find((shell) => shell === basename(path ?? ""));
}
