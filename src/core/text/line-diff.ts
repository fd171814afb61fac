/** Rows around a change that say where it is. */
const CONTEXT = 3;
/** Beyond this many comparisons a change is shown as one piece: exact, only longer. */
const MOST_WORK = 4_000_000;

interface Row {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** A small unified diff: enough to see what will change, and where. */
export function unifiedDiff(before: string | undefined, after: string | undefined): readonly string[] {
  const rows = compare(split(before), split(after));
  const shown = rows.map((_row, index) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "),
  );
  let [oldRow, newRow] = [before ? 1 : 0, after ? 1 : 0];
  const lines: string[] = [];
  for (const [index, { sign, text }] of rows.entries()) {
    if (shown[index] && !shown[index - 1]) lines.push(`@@ -${oldRow} +${newRow} @@`);
    if (shown[index]) lines.push(`${sign}${text}`);
    if (sign !== "+") oldRow += 1;
    if (sign !== "-") newRow += 1;
  }
  return lines;
}

function split(text: string | undefined): readonly string[] {
  if (!text) return [];
  const rows = text.split("\n");
  if (rows.at(-1) === "") return rows.slice(0, -1);
  return [...rows.slice(0, -1), `${rows.at(-1)}\\ no line break at the end`];
}

function compare(old: readonly string[], fresh: readonly string[]): readonly Row[] {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const same = (text: string): Row => ({ sign: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** The longest common rows, by the table everybody knows. */
function middle(old: readonly string[], fresh: readonly string[]): readonly Row[] {
  const isTooMuch = old.length * fresh.length > MOST_WORK;
  const width = fresh.length + 1;
  const common = new Uint32Array(isTooMuch ? 0 : (old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  if (!isTooMuch)
    for (let i = old.length - 1; i >= 0; i -= 1)
      for (let j = fresh.length - 1; j >= 0; j -= 1)
        common[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && !isTooMuch && old[i] === fresh[j]) {
      rows.push({ sign: " ", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ sign: "-", text: old[i] ?? "" });
      i += 1;
    } else {
      rows.push({ sign: "+", text: fresh[j] ?? "" });
      j += 1;
    }
  }
  return rows;
}
