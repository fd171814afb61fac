import { spawnSync } from "node:child_process";
import type { Environment } from "../store-place.js";

/** Programs that take a text on standard input and put it where paste finds it. */
const PROGRAMS: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  darwin: [["pbcopy"]],
  win32: [["clip"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"], ["clip.exe"]],
};

/** False where none of them is there, or none has a screen to talk to. */
export function copyToClipboard(platform: string, environment: Environment, text: string): boolean {
  return (PROGRAMS[platform] ?? PROGRAMS.linux ?? []).some(([program, ...args]) => {
    const { status } = spawnSync(program, args, {
      input: text,
      env: { ...environment },
      stdio: ["pipe", "ignore", "ignore"],
      timeout: 3000,
    });
    return status === 0;
  });
}
