import { isDeepStrictEqual } from "node:util";
import { ok, type Result } from "../../../core/result.js";
import type { FileEdit, Wish } from "../agents/agent.js";
import { refuseFile } from "../config-file.js";
import { type JsonReader, openJson, plainJsonFlaw, UNSAFE, valueAt } from "./json-document.js";
import { type Made, madeBetween } from "./json-hooks.js";

export interface WireAbout {
  /** Filled by the edit: what the person should know. */
  readonly notes: string[];
  readonly made: Made;
}

export interface JsonEdit<Wanted> {
  readonly file: string;
  /** Who reads the file; what it takes beside plain JSON: a byte order mark at the beginning, comments, commas. */
  readonly reader: { readonly title: string } & JsonReader;
  /** Our entries go in, in an object that is there. */
  wire(text: string, wish: Wanted, about: WireAbout): Result<string>;
  unwire(text: string, made: Made): string;
  /** What is to be remembered beside what was added: of a value that was changed, what it was. */
  made?(before: string, after: string): readonly string[];
}

/** A file that is one JSON object, with the proof around every edit that nothing but our entries has changed. */
export function jsonEdit<Wanted = Wish>({
  file,
  reader,
  wire,
  unwire,
  made: more,
}: JsonEdit<Wanted>): FileEdit<Wanted> {
  const madeIn = (before: string, after: string) => [...addedIn(before, after), ...(more?.(before, after) ?? [])];
  const prove = (before: string, after: string, made: Made) => {
    const rest = (text: string, known: Made) => pruned(valueAt(unwire(text, known), []));
    // What an earlier setup made counts as ours; where nobody remembers it, ours is told by its look.
    const isOnlyOurs = [[...(made ?? []), ...madeIn(before, after)], undefined].some((known) =>
      isDeepStrictEqual(rest(after, known), rest(before, known)),
    );
    if (!openJson(after).ok || !isOnlyOurs)
      throw new Error(`An edit of ${file} would change more than Milepost's own entries; nothing was written.`);
  };
  return {
    file,
    wire(text, wish, made) {
      const opened = openJson(text ?? "");
      if (!opened.ok) return refuseFile(file, opened.error.message);
      const notes: string[] = [];
      const wired = wire(opened.value, wish, { notes, made });
      if (!wired.ok) return wired.error.code === "bad-config" ? refuseFile(file, wired.error.message) : wired;
      prove(opened.value, wired.value, made);
      return ok({ text: wired.value === opened.value ? text : wired.value, notes });
    },
    unwire(text, made) {
      const opened = openJson(text);
      if (!opened.ok) return refuseFile(file, opened.error.message);
      const unwired = unwire(opened.value, made);
      return ok({ text: unwired === opened.value ? text : unwired, notes: [] });
    },
    made: (before, after) => madeIn(before ?? "", after),
    flaw(text) {
      const opened = openJson(text);
      if (!opened.ok) return opened.error.code === UNSAFE ? undefined : opened.error.message;
      // A byte order mark is no blank: an agent that does not take it does not take it alone either.
      const flaw = /^[ \t\r\n]*$/.test(text) ? undefined : plainJsonFlaw(opened.value, reader);
      const read = reader.takesComments ? "takes comments, but nothing else beside JSON" : "reads plain JSON only";
      return flaw && `${flaw}, and ${reader.title} ${read}`;
    },
  };
}

function addedIn(before: string, after: string): readonly string[] {
  return madeBetween(valueAt(before, []) ?? {}, valueAt(after, []));
}

/** Without what is empty: an empty object around our entries may come and go with them. */
function pruned(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, pruned(inner)] as const);
  const kept = entries.filter(([, inner]) => inner !== undefined);
  if (Array.isArray(value)) return entries.length === 0 ? undefined : entries.map(([, inner]) => inner);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
