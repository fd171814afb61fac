const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

/**
 * Which lines stand in code blocks, fences included. A block that never ends is none: nothing after it may be lost.
 * One that is indented ends where its surroundings end.
 */
export function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>();
  const hopeless = new Map<string, { readonly length: number; readonly until: number }>();
  for (let index = 0; index < lines.length; index += 1) {
    const fence = FENCE.exec(lines[index] ?? "")?.[1];
    if (fence === undefined) continue;
    const kind = fence.charAt(0);
    const known = hopeless.get(kind);
    // Looking for the same end again and again would take the square of the time.
    if (known && index < known.until && fence.length >= known.length) continue;
    const { end, isClosed } = endOf(lines, index, fence);
    if (!isClosed) hopeless.set(kind, { length: fence.length, until: end });
    else {
      for (let inside = index; inside <= end; inside += 1) fenced.add(inside);
      index = end;
    }
  }
  return fenced;
}

function endOf(lines: readonly string[], start: number, fence: string): { end: number; isClosed: boolean } {
  const margin = marginOf(lines[start] ?? "");
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    if (marginOf(line) < margin) return { end: index, isClosed: false };
    const [, closing = "", rest = ""] = FENCE.exec(line) ?? [];
    if (closing.startsWith(fence) && rest.trim() === "") return { end: index, isClosed: true };
  }
  return { end: lines.length, isClosed: false };
}

const TAB = 4;

/** The column in which a line begins. */
export function marginOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === " ") column += 1;
    else if (character === "\t") column += TAB - (column % TAB);
    else break;
  }
  return column;
}

/** A line without its first columns, as far as they are blank. */
export function withoutMargin(line: string, columns: number): string {
  let column = 0;
  let at = 0;
  while (column < columns && (line[at] === " " || line[at] === "\t")) {
    column += line[at] === " " ? 1 : TAB - (column % TAB);
    at += 1;
  }
  return line.slice(at);
}
