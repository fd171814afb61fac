import { TROUBLES } from "../app/milepost.js";

/**
 * A contract with scripts: 0 ok, 1 refused, 2 usage, 3 trouble with the store, a file or us. Only this file knows the
 * numbers.
 */
export const EXIT_OK = 0;
export const EXIT_USAGE = 2;

const EXIT_CODES: Readonly<Record<string, number>> = {
  "bad-usage": EXIT_USAGE,
  "unknown-dialect": EXIT_USAGE,
  "bad-id": EXIT_USAGE,
  "unknown-session": EXIT_USAGE,
  "unknown-agent": EXIT_USAGE,
  "bad-cursor": EXIT_USAGE,
  "bad-actor": EXIT_USAGE,
  "bad-key": EXIT_USAGE,
  "no-file": 3,
  "io-error": 3,
  "internal-error": 3,
  ...Object.fromEntries(TROUBLES.map((code) => [code, 3])),
};

export function exitCode(failureCode: string): number {
  return EXIT_CODES[failureCode] ?? 1;
}
