/** Names of changed files, so that runs can name them by their places. Changed in place by whoever owns it. */
export interface FileTable {
  readonly files: string[];
  /** How many names it was ever given. */
  filed: number;
  /** Hears of a place whose name is forgotten: another file has it from then on. */
  readonly forget?: ((place: number) => void) | undefined;
}

const MOST_FILES = 40;
const NAME_MAX = 100;

/** The places of these files; the oldest names make room for new ones. */
export function fileIndexes(table: FileTable, names: readonly string[]): readonly number[] {
  return [...new Set(names.map((name) => placeOf(table, keptEnd(name, NAME_MAX))))];
}

function placeOf(table: FileTable, name: string): number {
  const known = table.files.indexOf(name);
  if (known >= 0) return known;
  const place = table.filed % MOST_FILES;
  table.filed += 1;
  if (place < table.files.length) table.forget?.(place);
  table.files[place] = name;
  return place;
}

/** Never longer as JSON than `max` and its quotes, whatever it is made of. */
export function keptText(text: string, max: number): string {
  const kept = plain(text.slice(0, max));
  return isShort(kept, max) ? kept : plain(kept.replace(/[^ -~]|["\\]/g, "?"));
}

/** The end of a path tells more than its beginning. */
function keptEnd(path: string, max: number): string {
  const whole = path.replaceAll("\\", "/");
  const kept = plain(whole.length <= max ? whole : `…${whole.slice(1 - max)}`);
  return isShort(kept, max) ? kept : kept.replace(/[^ -~]|["\\]/g, "?").slice(-max);
}

function plain(text: string): string {
  return text.toWellFormed();
}

function isShort(text: string, max: number): boolean {
  // Most texts are plain, and this is asked with every call.
  return /^[ !#-[\]-~]*$/.test(text) || JSON.stringify(text).length <= max + 2;
}

export function isFileTable(files: unknown): boolean {
  return Array.isArray(files) && files.length <= MOST_FILES && files.every((name) => typeof name === "string");
}
