import { crc32 } from "node:zlib";
import { isId } from "../../core/id.js";
import { isObject, parseJson } from "../../core/json.js";
import { redactJson } from "../../core/secrets/redact-json.js";
import { withoutIntroduction } from "../../core/session/told-words.js";
import type { HookFact } from "../hooks/hook-facts.js";
import { textMark } from "./spool-place.js";

/** What one hook reported, while it waits. */
export interface Spooled {
  /** The store that it is for. */
  readonly store: string;
  /** When it happened, by the machine's clock. */
  readonly at: number;
  /** See `marked-store.ts`. Each fact has one of its own: this, and its number. */
  readonly mark: string;
  /** The number of the first of these facts: those before it are recorded. */
  readonly first: number;
  readonly facts: readonly LateFact[];
}

/** `prompt`: the mark of what the person said, which is compared and never kept. */
export type LateFact = HookFact & { readonly prompt?: string };

const FORMAT = 1;

/** As a file: a line about it, and redacted JSON. */
export function encodeSpooled({ facts, ...about }: Spooled): string {
  const late = facts.map((fact) => toldLate(fact, about.at));
  const json = redactJson(JSON.stringify({ ...about, facts: late }));
  return `milepost spool ${FORMAT} ${crc32(json)}\n${json}\n`;
}

/** Nobody will listen when it is told: what only matters to what is said is left out. */
function toldLate(fact: HookFact, lateAt: number): LateFact {
  if (fact.kind === "start") return { kind: "start", start: { ...fact.start, way: undefined, lateAt } };
  if (fact.kind === "list") return fact;
  // A person may have decided otherwise by then.
  if (fact.kind === "plan") return { kind: "plan", plan: { ...fact.plan, at: fact.plan.at ?? lateAt } };
  const { prompt, moment: _, stop: __, digest: ___, way: ____, speaks: _____, ...sighting } = fact.sighting;
  const mark = prompt === undefined ? undefined : { prompt: promptMark(prompt) };
  return { kind: "sighting", sighting: { ...sighting, lateAt }, ...mark };
}

/** A word of `milepost tell` that the client itself handed to the model is found by it. */
export function promptMark(prompt: string): string {
  return textMark(withoutIntroduction(prompt.trim()));
}

/** `newer`: sound as far as one can tell, and for a later version to read. Undefined: damaged, or not one of ours. */
export function decodeSpooled(text: string): Spooled | "newer" | undefined {
  const end = text.indexOf("\n");
  const [, format, checksum] = /^milepost spool (\d{1,9}) (\d{1,10})$/.exec(text.slice(0, end)) ?? [];
  const json = text.slice(end + 1, -1);
  if (end < 0 || format === undefined || !text.endsWith("\n") || crc32(json) !== Number(checksum)) return undefined;
  if (Number(format) > FORMAT) return "newer";
  const value = parseJson(json);
  return isSpooled(value) ? value : undefined;
}

function isSpooled(value: unknown): value is Spooled {
  if (!isObject(value) || !Array.isArray(value.facts)) return false;
  const { store, at, mark, first } = value;
  return (
    typeof store === "string" &&
    typeof mark === "string" &&
    [at, first].every((number) => Number.isSafeInteger(number) && Number(number) >= 0) &&
    value.facts.every(isLateFact)
  );
}

/** Its checksum says that we wrote it; what a version of ours may have written is looked at no closer. */
function isLateFact(fact: unknown): boolean {
  if (!isObject(fact)) return false;
  const told = { start: fact.start, list: fact.call, plan: fact.plan, sighting: fact.sighting }[String(fact.kind)];
  return isObject(told) && isId(told.session);
}
