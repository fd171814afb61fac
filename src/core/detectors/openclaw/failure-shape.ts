/** Where outputs of the same failure differ, and what is left there. In this order: a time has clock times in it. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/gi, "#"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g, "#"],
  [/\b(attempt|retry)([\s:=#]*)\d+/gi, "$1$2#"],
  [/\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/gi, "#"],
  [/\b(p?pid)([\s:=#]*)\d+/gi, "$1$2#"],
];

const SILENT = /^\(Command exited with code -?\d+\)$/;

interface CommandEnd {
  readonly status: unknown;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
}

/** Undefined unless a command has ended by itself, failed, and said why. */
export function failureShape({ status, exitCode, timedOut, output }: CommandEnd): object | undefined {
  if (status !== "completed" && status !== "failed") return undefined;
  if (exitCode === null || !Number.isFinite(exitCode) || exitCode === 0 || timedOut) return undefined;
  if (output === "" || SILENT.test(output)) return undefined;
  return { exitCode, output: PASSING.reduce((text, [pattern, left]) => text.replace(pattern, left), output) };
}
