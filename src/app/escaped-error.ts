import type { Failure } from "../core/result.js";
import type { Environment } from "./store-place.js";

/** Whatever was thrown, as a failure with a code: one line for a person or a model, never a stack trace. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return defect(String(error));
  const { name, message } = error;
  // By its name: each bundle has a class of its own.
  if (name === "StoreTrouble" && "code" in error) return { code: String(error.code), message };
  if ("syscall" in error)
    return { code: "io-error", message: `A file cannot be read or written: ${message}. Check it and its rights.` };
  return defect(`${name}: ${message}`);
}

function defect(what: string): Failure {
  return {
    code: "internal-error",
    message: `This is a defect of Milepost (${what}). Please report it; with MILEPOST_DEBUG=1 it says where.`,
  };
}

/** For whoever asked for it; undefined for everybody else. */
export function traceOf(error: unknown, { MILEPOST_DEBUG }: Environment): string | undefined {
  if (!MILEPOST_DEBUG || MILEPOST_DEBUG === "0" || !(error instanceof Error)) return undefined;
  const cause = error.cause instanceof Error ? `\nCaused by ${error.cause.stack}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
