/** An expected outcome as a value: a caller can act on `error.code`; a bug throws instead. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** `code` is stable and part of the API; `message` is a sentence with a next step and may change. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail(code: string, message: string): { readonly ok: false; readonly error: Failure };
export function fail<E>(error: E): { readonly ok: false; readonly error: E };
export function fail(error: unknown, message?: string) {
  return { ok: false, error: message === undefined ? error : { code: error, message } };
}
