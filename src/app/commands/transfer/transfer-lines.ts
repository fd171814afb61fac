import { defined, isObject, type JsonObject, parseJson, scalarText } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isoTime, LAST_TIME } from "../../../core/text/time-text.js";
import { isEventName, isEventType } from "../../../store/event-store.js";
import type { Store } from "../../../store/store.js";
import { isStream } from "../../../store/stream.js";
import { StoreTrouble } from "../../../store/trouble.js";
import type { Travelling, TravellingEvent } from "../../../store/upkeep/transfer.js";
import { type InputLine, jsonLine, jsonLines } from "../../json-lines.js";

/** In the first format `at` was a number of milliseconds; its files are still read. */
const FORMAT = 2;
const READ_FORMATS: readonly unknown[] = [1, FORMAT];

/** An event as JSON shows it: when it happened as an ISO time. Its data is as it was stored. */
export function printedEvent<Event extends { readonly at: number }>(event: Event) {
  return { ...event, at: isoTime(event.at) };
}

/** Everything in the store, as far as the log reaches now; written in pieces of many lines. */
export async function* exportLines(store: Store, progress: (events: number) => void): AsyncGenerator<string> {
  const { prunedUpTo } = await store.totals();
  yield `${jsonLine({ milepost: "export", format: FORMAT })}\n`;
  for await (const base of store.bases()) yield `${jsonLine(base)}\n`;
  const pages = await store.read();
  if (!pages.ok) return;
  let events = 0;
  for await (const page of pages.value) {
    events += page.events.length;
    yield* jsonLines(page.events.map(({ cursor: _, ...event }) => printedEvent(event)));
    progress(events);
  }
  // Without the last line nobody takes it for a whole export.
  if ((await store.totals()).prunedUpTo !== prunedUpTo)
    throw new StoreTrouble("store-busy", "History was pruned during the export, so the file has a gap. Run it again.");
  yield `${jsonLine({ milepost: "end", events })}\n`;
}

const PIECE = 500;

/** The same form, of records that come from elsewhere. */
export function* recordLines(records: Iterable<Travelling>, progress: (events: number) => void): Generator<string> {
  let [events, piece]: [number, string[]] = [0, [`${jsonLine({ milepost: "export", format: FORMAT })}\n`]];
  for (const record of records) {
    if (!("base" in record)) events += 1;
    piece.push(`${jsonLine("base" in record ? record : printedEvent(record))}\n`);
    if (piece.length < PIECE) continue;
    yield piece.join("");
    piece = [];
    progress(events);
  }
  progress(events);
  yield `${piece.join("")}${jsonLine({ milepost: "end", events })}\n`;
}

export type ImportLine =
  | { readonly type: "start" }
  | { readonly type: "end"; readonly events: number }
  | { readonly type: "record"; readonly record: Travelling };

/** One line of an export file. Nothing is believed: every field is checked before it comes near the store. */
export function readImportLine({ number, text }: InputLine): Result<ImportLine> {
  const bad = (why: string) => fail("bad-record", `Line ${number} ${why}. Nothing was imported.`);
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value)) return bad(text === undefined ? "is too long" : "is not a JSON object");
  const format = scalarText(value.format) ?? "?";
  if (value.milepost === "export" && !READ_FORMATS.includes(value.format))
    return bad(`has the format ${format}, but this version only reads ${READ_FORMATS.join(" and ")}. Update Milepost`);
  if (value.milepost === "export") return ok({ type: "start" });
  if (value.milepost === "end") return ok({ type: "end", events: Number(scalarText(value.events) ?? Number.NaN) });
  const record = "base" in value ? readBase(value) : readEvent(value);
  return record ? ok({ type: "record", record }) : bad("is not an event of Milepost");
}

function readEvent({ stream, version, type, id, actor, data, ...event }: JsonObject): TravellingEvent | undefined {
  const at = typeof event.at === "string" ? milliseconds(event.at) : event.at;
  const isSound =
    isStream(stream) &&
    isVersion(version) &&
    isEventType(type) &&
    isTime(at) &&
    isObject(data) &&
    isName(id) &&
    isName(actor);
  return isSound ? { stream, version, type, at, data, ...defined({ id, actor }) } : undefined;
}

function readBase({ base, stream, revision, version, data }: JsonObject): Travelling | undefined {
  const isSound =
    isViewName(base) && isStream(stream) && isVersion(revision) && isVersion(version) && data !== undefined;
  return isSound ? { base, stream, revision, version, data } : undefined;
}

/** More than any store will ever count, and far from where numbers end. */
const LARGEST_VERSION = 1e12;

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= LARGEST_VERSION;
}

/** Undefined for anything but what an export writes. */
function milliseconds(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) || isoTime(at) !== text ? undefined : at;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LAST_TIME;
}

function isViewName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z][a-z-]{0,31}$/.test(value);
}

function isName(value: unknown): value is string | undefined {
  return value === undefined || isEventName(value);
}
