// A word as a person, or a program, can put it into a line of a shell.

/** Means itself in every shell. */
const HARMLESS = /^[\w@%+=:,./-]+$/;

/** Single quotes mean the same in sh, bash, zsh and fish: Codex takes the person's own shell. */
export function quoteForPosix(word: string): string {
  return HARMLESS.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Claude Code asks Git Bash, Codex cmd.exe: both take double quotes, and both take slashes that lean forward. */
export function quoteForWindows(word: string): string {
  const path = word.replaceAll("\\", "/");
  return HARMLESS.test(path) ? path : `"${path}"`;
}
