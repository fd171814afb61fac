import { fail, ok, type Result } from "../../core/result.js";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  SerdeError,
  SerdeReader,
} from "../wording/serde-reader.js";

export const STEP_STATUSES = ["pending", "in_progress", "completed"] as const;

export interface PlanStep {
  readonly step: string;
  readonly status: (typeof STEP_STATUSES)[number];
}

export interface PlanArguments {
  readonly explanation: string | null;
  readonly plan: readonly PlanStep[];
}

/** The arguments of `update_plan`, or the parser's message with its position. */
export function readPlanArguments(text: string): Result<PlanArguments, string> {
  const reader = new SerdeReader(text);
  try {
    const plan = readArguments(reader);
    if (reader.next() !== undefined) throw reader.errorAhead("trailing characters");
    return ok(plan);
  } catch (error) {
    // The one place where a throw is an expected answer: the reader stops deep inside nested containers.
    if (error instanceof SerdeError) return fail(error.message + (error.position ?? ""));
    throw error;
  }
}

function readArguments(reader: SerdeReader): PlanArguments {
  const fields = readStruct(reader, "UpdatePlanArgs", {
    explanation: { read: () => (reader.isNull() ? null : reader.string("a string")), isOptional: true },
    plan: { read: () => readList(reader, () => readStep(reader)) },
  });
  return { explanation: fields.explanation ?? null, plan: fields.plan ?? [] };
}

function readStep(reader: SerdeReader): PlanStep {
  const fields = readStruct(reader, "PlanItemArg", {
    step: { read: () => reader.string("a string") },
    status: { read: () => readStatus(reader) },
  });
  return { step: fields.step ?? "", status: fields.status ?? "pending" };
}

/** A unit variant is a string, or an object whose only key is the variant and whose value is null. */
function readStatus(reader: SerdeReader): PlanStep["status"] {
  if (reader.isString()) return readVariant(reader);
  if (reader.nextValue() !== OPEN_OBJECT) throw reader.errorAhead("expected value");
  reader.skip();
  const status = readVariant(reader);
  readColon(reader);
  reader.nextValue();
  if (!reader.isNull()) throw reader.wrongType("unit");
  const end = reader.next();
  if (end !== CLOSE_OBJECT) throw reader.error(end === undefined ? "EOF while parsing an object" : "expected value");
  reader.skip();
  return status;
}

function readVariant(reader: SerdeReader): PlanStep["status"] {
  const name = reader.string("variant identifier");
  const status = STEP_STATUSES.find((known) => known === name);
  if (status) return status;
  throw reader.error(`unknown variant \`${name}\`, expected one of ${STEP_STATUSES.map(quote).join(", ")}`);
}

interface Field<T> {
  readonly read: () => T;
  readonly isOptional?: boolean;
}
type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

/** serde takes a struct as an object, or as an array of its fields in order. */
function readStruct<T extends object>(reader: SerdeReader, name: string, fields: Fields<T>): Partial<T> {
  const opening = reader.nextValue();
  if (opening === OPEN_OBJECT) return inside(reader, CLOSE_OBJECT, () => readObject(reader, fields));
  if (opening === OPEN_LIST) return inside(reader, CLOSE_LIST, () => readTuple(reader, name, fields));
  throw reader.wrongType(`struct ${name}`);
}

/** Reads a container's content. serde looks for the closing bracket also after an error, and names that place. */
function inside<T>(reader: SerdeReader, closing: number, read: () => T): T {
  reader.skip();
  let content: T;
  try {
    content = read();
  } catch (error) {
    if (error instanceof SerdeError && error.position === undefined) {
      if (reader.next() === closing) reader.skip();
      error.position = reader.position();
    }
    throw error;
  }
  readClosing(reader, closing);
  return content;
}

function readClosing(reader: SerdeReader, closing: number): void {
  const byte = reader.next();
  if (byte === undefined) throw reader.errorAhead("EOF while parsing a list");
  if (byte === COMMA && closing === CLOSE_LIST) {
    reader.skip();
    throw reader.errorAhead(reader.next() === CLOSE_LIST ? "trailing comma" : "trailing characters");
  }
  if (byte !== closing) throw reader.errorAhead("trailing characters");
  reader.skip();
}

function readObject<T extends object>(reader: SerdeReader, fields: Fields<T>): Partial<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const found: Partial<T> = {};
  for (let isFirst = true; hasKey(reader, isFirst); isFirst = false) {
    const key = reader.string("a string");
    const name = names.find((known) => known === key);
    if (name === undefined) throw new SerdeError(`unknown field \`${key}\`, expected ${names.map(quote).join(" or ")}`);
    if (name in found) throw new SerdeError(`duplicate field \`${name}\``);
    readColon(reader);
    found[name] = fields[name].read();
  }
  const missing = names.find((name) => !(name in found) && !fields[name].isOptional);
  if (missing !== undefined) throw new SerdeError(`missing field \`${missing}\``);
  return found;
}

function readTuple<T extends object>(reader: SerdeReader, struct: string, fields: Fields<T>): Partial<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const found: Partial<T> = {};
  for (const [index, name] of names.entries()) {
    if (hasElement(reader, index === 0)) found[name] = fields[name].read();
    else if (!fields[name].isOptional)
      throw new SerdeError(`invalid length ${index}, expected struct ${struct} with ${names.length} elements`);
  }
  return found;
}

function readList<T>(reader: SerdeReader, read: () => T): readonly T[] {
  if (reader.nextValue() !== OPEN_LIST) throw reader.wrongType("a sequence");
  return inside(reader, CLOSE_LIST, () => {
    const items: T[] = [];
    while (hasElement(reader, items.length === 0)) items.push(read());
    return items;
  });
}

function hasElement(reader: SerdeReader, isFirst: boolean): boolean {
  const byte = reader.next();
  if (byte === undefined) throw reader.errorAhead("EOF while parsing a list");
  if (byte === CLOSE_LIST) return false;
  if (isFirst) return true;
  if (byte !== COMMA) throw reader.errorAhead("expected `,` or `]`");
  reader.skip();
  if (reader.nextValue() === CLOSE_LIST) throw reader.errorAhead("trailing comma");
  return true;
}

function hasKey(reader: SerdeReader, isFirst: boolean): boolean {
  const byte = reader.next();
  if (byte === undefined) throw reader.errorAhead("EOF while parsing an object");
  if (byte === CLOSE_OBJECT) return false;
  if (!isFirst) {
    if (byte !== COMMA) throw reader.errorAhead("expected `,` or `}`");
    reader.skip();
    if (reader.nextValue() === CLOSE_OBJECT) throw reader.errorAhead("trailing comma");
  }
  if (!reader.isString()) throw reader.errorAhead("key must be a string");
  return true;
}

function readColon(reader: SerdeReader): void {
  const byte = reader.next();
  if (byte !== COLON) throw reader.errorAhead(byte === undefined ? "EOF while parsing an object" : "expected `:`");
  reader.skip();
}

function quote(name: string): string {
  return `\`${name}\``;
}
