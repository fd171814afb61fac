/** Where a reader says how to repair the call; the first complaint becomes the answer. */
export type Complain = (repair: string) => void;

/** How a model named a todo: by number, by words, or as the one at hand or all that are open. */
export type Reference = number | { readonly words: string } | "focus" | "open";

const NUMBERS = /^#?\d{1,9}(?: ?- ?#?\d{1,9})?(?:[ ,;]+#?\d{1,9}(?: ?- ?#?\d{1,9})?)*$/;
const MOST_NUMBERS = 1000;

/** 3, "3", "#3", [3,4], "3,4", "3-5", "[3,4]", true for the one at hand, "all", or words of the list. */
export function readReferences(field: string, value: unknown, complain: Complain): readonly Reference[] {
  if (value === undefined) return [];
  const items = typeof value === "string" && value.trimStart().startsWith("[") ? parseOnce(value) : value;
  const references = (Array.isArray(items) ? items : [items]).flatMap(toReferences);
  if (references.length <= MOST_NUMBERS && references.every(isPossible)) return references;
  complain(`"${field}" takes the numbers of todos, such as 3 or [3,4].`);
  return [];
}

function isPossible(reference: Reference): boolean {
  return typeof reference !== "number" || (Number.isSafeInteger(reference) && reference > 0);
}

const IMPOSSIBLE = [Number.NaN];

function toReferences(item: unknown): readonly Reference[] {
  if (typeof item === "number") return [item];
  if (item === true) return ["focus"];
  if (item === "all") return ["open"];
  if (typeof item !== "string" || item.length > 10_000) return IMPOSSIBLE;
  const words = oneLine(item);
  if (!NUMBERS.test(words)) return words === "" ? IMPOSSIBLE : [{ words }];
  return Array.from(words.matchAll(/(\d+)(?: ?- ?#?(\d+))?/g)).flatMap(([, first, last]) => range(first, last));
}

function range(from: string | undefined, to: string | undefined): readonly number[] {
  const first = Number(from);
  const size = Number(to ?? from) - first + 1;
  return size >= 1 && size <= MOST_NUMBERS ? Array.from({ length: size }, (_, index) => first + index) : IMPOSSIBLE;
}

/** Texts as a list, a JSON string of one, or lines pasted from somewhere; undefined when it is none of these. */
export function readTexts(value: unknown): readonly string[] | undefined {
  const texts = typeof value === "string" ? splitTexts(value) : value;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) return undefined;
  return texts.map((text) => stripMarker(oneLine(text)));
}

function splitTexts(text: string): unknown {
  const parsed = text.trimStart().startsWith("[") ? parseOnce(text) : undefined;
  return Array.isArray(parsed) ? parsed : text.split("\n").filter((line) => line.trim() !== "");
}

/** A list pasted as markdown brings its own bullets, boxes and numbers; ours would stand beside them. */
function stripMarker(text: string): string {
  return text.replace(/^(?:[-*+] +)?(?:\[[ xX]?\] +)?(?:\d{1,3}[.)] +)?(?=\S)/, "");
}

/** Undefined when it is no JSON: models write values as JSON strings now and then. */
export function parseOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A todo is one line; what cannot be printed is not worth keeping in a list that people and models read. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/\s+/g, " ").replace(CONTROL, controlPicture).trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
const CONTROL = /[\u0000-\u001f\u007f]/g;

function controlPicture(control: string): string {
  return control === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + control.charCodeAt(0));
}
