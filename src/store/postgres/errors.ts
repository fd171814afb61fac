import { SAVE_REST, StoreTrouble, type TroubleCode } from "../trouble.js";

const DEADLOCK = "40P01";
const SERIALIZATION = "40001";
/** Another transaction told the same fact first; run again, this one sees it. */
const DUPLICATE = "23505";
/** The same of a table: a connection that has looked for it in vain believes so until its transaction ends. */
const DUPLICATE_TABLE = "42P07";

const RACES: readonly unknown[] = [DEADLOCK, SERIALIZATION, DUPLICATE, DUPLICATE_TABLE];

export function isRaceLost(error: unknown): boolean {
  return error instanceof StoreTrouble && RACES.includes(stateOf(error.cause));
}

/** The connection is gone or silent: not even a ROLLBACK would be answered. */
export function isLost(error: unknown): boolean {
  return error instanceof StoreTrouble && error.cause !== undefined && stateOf(error.cause) === undefined;
}

/** A server that goes down, or something between it and us, may say so when a commit is through already. */
const UNSURE = /^(?:08|57P)/;

/** For an error of COMMIT: nobody knows whether it was carried out, or will be. */
export function asUnsure(error: unknown, name: string): unknown {
  const state = error instanceof StoreTrouble ? stateOf(error.cause) : undefined;
  if (!isLost(error) && !UNSURE.test(state ?? "")) return error;
  const { cause } = error as StoreTrouble;
  const message = `The store ${name} did not say whether the last write was carried out. Look before you try again; with the same key it is safe.`;
  return new StoreTrouble("store-unsure", `${message} (${reason(cause)})`, cause);
}

/** What the answer of a server means, and what to do about it. Stands behind "The store NAME". */
interface Meaning {
  readonly code: TroubleCode;
  readonly message: string;
  readonly next?: string;
}

const NOT_OURS: Meaning = {
  code: "not-a-store",
  message: "has tables of our names that are not ours, or were changed. Nothing was written; use another database",
};

/** An unknown column, function or table; a table or type of our name that is another one. */
const WRONG_TABLES = ["42703", "42710", "42804", "42809", "42883", "42P01", "42P07", "42P10", "42P16"];

// By SQLSTATE, or by its class of two characters.
const STATES: Readonly<Record<string, Meaning>> = {
  "08": { code: "store-unreachable", message: "cannot be reached. Is the server running?" },
  "25006": { code: "store-read-only", message: "cannot be written: it is read-only. Reading commands still work" },
  "25P03": { code: "store-busy", message: "ended a transaction that took too long. Try again" },
  "25P04": { code: "store-busy", message: "ended a transaction that took too long. Try again" },
  "28": { code: "store-not-yours", message: "refused the login. Check user and password" },
  "3D": { code: "store-unreachable", message: "does not exist. Create the database, or check its name" },
  "3F": {
    code: "bad-store",
    message: "has no schema for our tables. Create one, or put one that is there on the user's search_path",
  },
  "42501": { code: "store-not-yours", message: "denies this user access. Grant it, or log in as another user" },
  ...Object.fromEntries(WRONG_TABLES.map((state) => [state, NOT_OURS])),
  "53100": { code: "store-full", message: "cannot grow: its disk is full. Nothing was written; free some space" },
  "53": { code: "store-busy", message: "has no room for another connection or statement. Try again" },
  "55P03": { code: "store-busy", message: "was locked for too long. Nothing was written; try again" },
  "57014": { code: "store-busy", message: "took too long over a statement. Nothing was written; try again" },
  "57": { code: "store-unreachable", message: "is stopping or starting. Try again in a moment" },
  "58": { code: "store-unreachable", message: "has a disk error. See the server's log" },
  XX001: { code: "store-damaged", message: "is damaged", next: SAVE_REST },
  XX002: { code: "store-damaged", message: "is damaged", next: SAVE_REST },
};

const ALL_IN_USE = /timeout exceeded when trying to connect/;

/** The pool says so, too, when there was room for a new connection and nobody has answered it. */
export function withoutCrowd(error: unknown): unknown {
  return ALL_IN_USE.test(reason(error)) ? new Error("connection timeout", { cause: error }) : error;
}

const UNTRUSTED: Meaning = {
  code: "store-unreachable",
  message:
    "shows a certificate that is not trusted. Name the file of its authority in the address: sslrootcert=FILE (sslmode=no-verify trusts anybody)",
};

/** By code and text of what the client or the network says. */
const REASONS: readonly (readonly [RegExp, Meaning])[] = [
  [
    /does not support SSL/,
    { code: "store-unreachable", message: "offers no TLS. Turn it on there, or ask for none: sslmode=disable" },
  ],
  [/SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|ERR_TLS_CERT|INVALID_CA|HOSTNAME_MISMATCH/, UNTRUSTED],
  [
    /ERR_SSL|EPROTO|SSL connection|ERR_TLS/,
    { code: "store-unreachable", message: "could not agree on TLS. Check sslmode and the certificates in the address" },
  ],
  [
    /SASL|SCRAM|client password/,
    { code: "store-not-yours", message: "refused the login. Check user and password; PGPASSWORD can hold it" },
  ],
  [ALL_IN_USE, { code: "store-busy", message: "has all our connections in use. Try again" }],
  [
    /connection timeout|timeout expired|Query read timeout/,
    { code: "store-unreachable", message: "does not answer. Is the server running, and is it PostgreSQL?" },
  ],
  [
    /URI malformed|Invalid URL|ERR_SOCKET_BAD_PORT|ERR_INVALID_ARG|sslnegotiation|SECURITY WARNING|PEM|DECODER/,
    { code: "bad-store", message: "has an address that cannot be used. Check its parts, and the PG variables" },
  ],
  [/ENOENT.*open|EACCES.*open|EISDIR/, { code: "bad-store", message: "names a file that cannot be read" }],
];

const LOST: Meaning = { code: "store-unreachable", message: "cannot be reached. Is the server running?" };

/** Whatever the client of the server says is trouble with a name: also what nobody has listed. */
export function asTrouble(error: unknown, name: string): StoreTrouble {
  if (error instanceof StoreTrouble) return error;
  const state = stateOf(error);
  const said = reason(error);
  if (state === undefined) {
    const text = `${codeOf(error)} ${said}`;
    const { code, message } = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? LOST;
    return new StoreTrouble(code, sentence(name, message, said), error);
  }
  const known = STATES[state] ?? STATES[state.slice(0, 2)];
  if (known) {
    const text = sentence(name, known.message, said);
    return new StoreTrouble(known.code, known.next === undefined ? text : `${text} ${known.next}`, error);
  }
  const message = `refused a statement with SQLSTATE ${state}. See the server's log; milepost doctor checks the store`;
  return new StoreTrouble("store-failed", sentence(name, message, said), error);
}

function sentence(name: string, message: string, said: string): string {
  return `The store ${name} ${message}${/[.?]$/.test(message) ? "" : "."} (${said})`;
}

/** Both families of addresses may have failed; the first says enough. */
function reason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  const told = first instanceof Error ? first : error;
  return told instanceof Error ? told.message || codeOf(told) : String(told);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function stateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  // EPIPE and its like are the network's.
  return /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
