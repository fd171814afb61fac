/** Each is a contract with scripts: the command line ends with exit code 3 and shows the code. */
export const TROUBLES = [
  "store-busy",
  "store-damaged",
  "store-failed",
  "store-full",
  "store-lost",
  "store-newer",
  "store-not-yours",
  "store-read-only",
  "store-unreachable",
  "store-unsure",
  "no-home",
  "no-store",
  "not-a-store",
  "bad-store",
  "no-sqlite",
  "too-large",
] as const;
export type TroubleCode = (typeof TROUBLES)[number];

const hidden = new Set<string>();

/** Passwords of stores in use: a driver's own error may quote them, and no message of ours does. */
export function hideInMessages(passwords: readonly string[]): void {
  for (const password of passwords) hidden.add(password);
}

function withoutPasswords(message: string): string {
  return [...hidden].reduce((text, password) => text.replaceAll(password, "***"), message);
}

/**
 * A full disk, a damaged file, a lost server: no caller can decide about it, so it is thrown. Nothing was written, and
 * nothing will be; but with `store-unsure` nobody knows.
 */
export class StoreTrouble extends Error {
  override readonly name = "StoreTrouble";
  readonly code: TroubleCode;

  constructor(code: TroubleCode, message: string, cause?: unknown) {
    super(withoutPasswords(message), cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The end of a message about damage. The command line adds the store where one was named. */
export const SAVE_REST = "To save what can be read: milepost doctor --salvage salvaged.db";

/** For `catch`: trouble as a value. Anything else is thrown again. */
export function asTrouble(error: unknown): StoreTrouble {
  if (error instanceof StoreTrouble) return error;
  throw error;
}
