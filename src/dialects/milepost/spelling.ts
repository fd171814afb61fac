import { isObject, type JsonObject, parseJson } from "../../core/json.js";
import { showControl } from "../../core/text/visible.js";

/** Where a reader says how to repair the call; the first complaint becomes the answer. */
export type Complain = (repair: string) => void;

/** How a model named a todo: by number, by words, or as the one at hand or all that are open. */
export type Reference = number | { readonly words: string } | "focus" | "open";

const NUMBERS = /^#?\d{1,9}(?: ?- ?#?\d{1,9})?(?:[ ,;]+#?\d{1,9}(?: ?- ?#?\d{1,9})?)*$/;
const MOST_REFERENCES = 1000;
const LONGEST_REFERENCE = 10_000;

/** 3, "3", "#3", [3,4], "3,4", "3-5", "[3,4]", true for the one at hand, "all", or words of the list. */
export function readReferences(
  field: string,
  value: unknown,
  complain: Complain,
  things: "todos" | "tasks" = "todos",
): readonly Reference[] {
  if (value === undefined) return [];
  const items = typeof value === "string" && value.trimStart().startsWith("[") ? parseJson(value) : value;
  const references: Reference[] = [];
  for (const reference of expand(Array.isArray(items) ? items : [items])) {
    references.push(reference);
    if (references.length <= MOST_REFERENCES && isPossible(reference)) continue;
    complain(`"${field}" takes the numbers of ${things}, such as 3 or [3,4].`);
    return [];
  }
  return references;
}

function isPossible(reference: Reference): boolean {
  return typeof reference !== "number" || (Number.isSafeInteger(reference) && reference > 0);
}

/** One at a time, so that a reader who has had enough can stop: "1-999999999" is a short text. */
function* expand(items: readonly unknown[]): Generator<Reference> {
  for (const item of items) {
    if (typeof item === "number") yield item;
    else if (item === true) yield "focus";
    else if (item === "all") yield "open";
    else if (typeof item === "string" && item.length <= LONGEST_REFERENCE) yield* expandText(oneLine(item));
    else yield Number.NaN;
  }
}

function* expandText(words: string): Generator<Reference> {
  if (!NUMBERS.test(words)) {
    yield words === "" ? Number.NaN : { words };
    return;
  }
  for (const [, first, last] of words.matchAll(/(\d+)(?: ?- ?#?(\d+))?/g)) {
    const end = Number(last ?? first);
    if (Number(first) > end) yield Number.NaN;
    for (let number = Number(first); number <= end; number += 1) yield number;
  }
}

/** The fields that were really given. Some models fill in all of them: null, "", [], 0 and false say nothing. */
export function givenFields(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isBlank(field)));
}

export function isBlank(field: unknown): boolean {
  if (field === null || field === undefined || field === 0 || field === false) return true;
  return typeof field === "string" ? field.trim() === "" : Array.isArray(field) && field.length === 0;
}

export function readSentence(field: string, value: unknown, complain: Complain): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && oneLine(value) !== "") return oneLine(value);
  complain(`"${field}" takes a short text.`);
  return undefined;
}

/** Texts and objects, one or many, also as a JSON string or as pasted lines; undefined when it is none of these. */
export function readItems(value: unknown): readonly (string | JsonObject)[] | undefined {
  const parsed = typeof value === "string" && /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value;
  const items = isObject(parsed) ? [parsed] : parsed;
  if (!Array.isArray(items)) return readTexts(items);
  return items.every((item) => typeof item === "string" || isObject(item)) ? items : undefined;
}

/** Texts as a list, a JSON string of one, or lines pasted from somewhere; undefined when it is none of these. */
function readTexts(value: unknown): readonly string[] | undefined {
  const texts = typeof value === "string" ? splitTexts(value) : value;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) return undefined;
  return texts.map((text) => stripMarker(oneLine(text)));
}

function splitTexts(text: string): unknown {
  const parsed = text.trimStart().startsWith("[") ? parseJson(text) : undefined;
  return Array.isArray(parsed) ? parsed : text.split("\n").filter((line) => line.trim() !== "");
}

/** A list pasted as markdown brings its own bullets, boxes and numbers; ours would stand beside them. */
export function stripMarker(text: string): string {
  return text.replace(/^(?:[-*+] +)?(?:\[[ xX]?\] +)?(?:\d{1,3}[.)] +)?(?=\S)/, "");
}

/** A todo is one line; what cannot be printed is not worth keeping in a list that people and models read. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, showControl)
    .trim();
}
