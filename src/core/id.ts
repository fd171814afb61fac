import { type Failure, fail } from "./result.js";

// A colon joins agent and native id (`codex:0199-...`); nothing here can leave a folder or a column.
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,126}[A-Za-z0-9_:-])?$/;

// Windows opens a device for these, whatever the ending; an id that works on one machine must work on all.
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export function isId(id: unknown): id is string {
  return typeof id === "string" && ID.test(id) && !DEVICE.test(id);
}

/** The refusal for an id that is none, or undefined. */
export function checkId(what: string, id: unknown): { readonly ok: false; readonly error: Failure } | undefined {
  if (isId(id)) return undefined;
  return fail({
    code: "bad-id",
    message: `Not a valid ${what} id: use 1 to 128 letters, digits, ".", "_", ":" or "-", starting with a letter or digit and not ending with ".".`,
  });
}

/** Version 7: the time in front, so that ids sort by age. */
export function uuidV7(now: number): string {
  const random = crypto.randomUUID();
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(12, "0").slice(-12);
  // The random one is of version 4; its variant stays.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
