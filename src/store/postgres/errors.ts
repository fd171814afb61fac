import { SAVE_REST, StoreTrouble, type TroubleCode } from "../trouble.js";

const DEADLOCK = "40P01";
const SERIALIZATION = "40001";
/** Another transaction told the same fact first; run again, this one sees it. */
const DUPLICATE = "23505";
/** The same of a table: a connection that has looked for it in vain believes so until its transaction ends. */
const DUPLICATE_TABLE = "42P07";

export function isRaceLost(error: unknown): boolean {
  const code = stateOf(error);
  return code === DEADLOCK || code === SERIALIZATION || code === DUPLICATE || code === DUPLICATE_TABLE;
}

// By SQLSTATE, or by its class of two characters.
const TROUBLES: Readonly<Record<string, { code: TroubleCode; message: string; next?: string }>> = {
  "08": { code: "store-unreachable", message: "cannot be reached" },
  "25006": { code: "store-read-only", message: "cannot be written: it is read-only" },
  "28": { code: "store-not-yours", message: "refused the login" },
  "3D": { code: "store-unreachable", message: "does not exist" },
  "42501": { code: "store-not-yours", message: "denies this user access" },
  "53100": { code: "store-full", message: "cannot grow: its disk is full. Nothing was written" },
  "53": { code: "store-busy", message: "has too many connections" },
  "55P03": { code: "store-busy", message: "was locked for too long" },
  "57": { code: "store-unreachable", message: "is stopping or starting" },
  "58": { code: "store-unreachable", message: "has a disk error" },
  XX: { code: "store-damaged", message: "is damaged", next: SAVE_REST },
};

/** What the server or the network says, as trouble with a name; anything else is a bug of ours and stays what it is. */
export function asTrouble(error: unknown, name: string): unknown {
  if (error instanceof StoreTrouble || !(error instanceof Error)) return error;
  const state = stateOf(error);
  const known = state === undefined ? undefined : (TROUBLES[state] ?? TROUBLES[state.slice(0, 2)]);
  if (known) {
    const said = `The store ${name} ${known.message}. (${error.message})`;
    return new StoreTrouble(known.code, known.next === undefined ? said : `${said} ${known.next}`, error);
  }
  return isLostConnection(error)
    ? new StoreTrouble(
        "store-unreachable",
        `The store ${name} cannot be reached. Is the server running? (${reason(error)})`,
        error,
      )
    : error;
}

const NETWORK = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT|EACCES)/;

function isLostConnection(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return (
    NETWORK.test(code) ||
    error instanceof AggregateError ||
    /^(?:Connection terminated|timeout exceeded)/.test(error.message)
  );
}

/** Both families of addresses may have failed; the first says enough. */
function reason(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}

function stateOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
