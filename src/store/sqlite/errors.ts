import { SAVE_REST, StoreTrouble, type TroubleCode } from "../trouble.js";
import { fileTrouble } from "./real-path.js";
import { hasFreeFiles } from "./store-files.js";

const BUSY = 5;
const CANNOT_OPEN = 14;

const TROUBLES: Readonly<Record<number, { code: TroubleCode; message: string; next?: string }>> = {
  3: { code: "store-not-yours", message: "cannot be used: permission denied" },
  5: { code: "store-busy", message: "is locked by another process. Nothing was written; try again" },
  6: { code: "store-busy", message: "is locked by another process. Nothing was written; try again" },
  8: { code: "store-read-only", message: "cannot be written: it is read-only. Reading commands still work" },
  10: { code: "store-unreachable", message: "cannot be read or written: disk error. milepost doctor tells more" },
  11: { code: "store-damaged", message: "is damaged. Nothing was changed", next: SAVE_REST },
  13: {
    code: "store-full",
    message: "cannot grow: the disk is full. Nothing was written; free some space and try again",
  },
  14: { code: "store-unreachable", message: "cannot be opened. milepost doctor tells more" },
  // It has waited for 10 seconds by itself, for locks that a process which was stopped may hold.
  15: { code: "store-busy", message: "is locked by another process. Nothing was written; try again" },
  26: {
    code: "store-damaged",
    message: "is damaged or not a SQLite file: its header is wrong. Nothing was changed",
    next: SAVE_REST,
  },
};

/** Our own statements never ask for what is not there, and never break a rule of the tables: the file is not sound. */
const DAMAGED =
  /^no such (?:table|column|index)|has no column|unsupported file format|constraint failed|datatype mismatch/;

/** Undefined when another process has the lock just now. */
export function unlessBusy<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (resultCode(error) === BUSY) return undefined;
    throw error;
  }
}

/**
 * What SQLite or the disk says, as trouble with a name, also what nobody has listed; a bug of ours stays what it is.
 */
export function asTrouble(error: unknown, path: string): unknown {
  if (!isSqliteError(error)) return error instanceof Error ? fileTrouble(path, error) : error;
  const code = resultCode(error);
  // A disk quota and a full disk arrive as a failed write, not as "full".
  const isFull = isNoSpace(error) || (code === CANNOT_OPEN && !hasFreeFiles(path));
  const known = isFull ? TROUBLES[13] : TROUBLES[DAMAGED.test(error.message) ? 11 : (code ?? 0)];
  const { code: name, message, next } = known ?? { code: "store-failed" as const, message: unlisted(code) };
  const said = `The store ${path} ${message}. (${error.message})`;
  return new StoreTrouble(name, next === undefined ? said : `${said} ${next}`, error);
}

function unlisted(code: number | undefined): string {
  const number = code === undefined ? "" : ` with code ${code}`;
  return `cannot be used: SQLite refused${number}. Nothing was written; milepost doctor checks the store`;
}

const IOERR_WRITE = 778;
const IOERR_SHMSIZE = 4874;

function isNoSpace(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return errcode === IOERR_WRITE || errcode === IOERR_SHMSIZE;
}

// Not every error brings its number along; SQLite's texts for them have not changed in many years.
const TEXTS: readonly (readonly [RegExp, number])[] = [
  [/database (?:table )?is locked/, BUSY],
  [/readonly database/, 8],
  [/disk I\/O error/, 10],
  [/malformed/, 11],
  [/disk is full/, 13],
  [/unable to open database/, 14],
  [/locking protocol/, 15],
  [/not a database/, 26],
  [DAMAGED, 11],
];

/** The low byte of SQLite's result code; undefined also for an error of SQLite that does not tell it. */
export function resultCode(error: unknown): number | undefined {
  if (!isSqliteError(error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number" && error.errcode !== 0) return error.errcode & 0xff;
  return TEXTS.find(([text]) => text.test(error.message))?.[1];
}

function isSqliteError(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof StoreTrouble) return false;
  return "errcode" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}
