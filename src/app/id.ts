import { type Failure, fail } from "../core/result.js";

// A colon joins agent and native id (`codex:0199-...`); nothing here can leave a folder or a column.
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The refusal for an id that is none, or undefined. */
export function checkId(what: string, id: unknown): { readonly ok: false; readonly error: Failure } | undefined {
  if (typeof id === "string" && ID.test(id)) return undefined;
  return fail({
    code: "bad-id",
    message: `That is no ${what} id: use 1 to 128 letters, digits, ".", "_", ":" or "-", starting with a letter or digit.`,
  });
}
