import { withoutBlankEnds } from "../sections.js";
import { readBox, sectionLabel, unescapeLine } from "./checklist-lines.js";
import { fencedLines, marginOf, withoutMargin } from "./code-fences.js";
import { type ChecklistItem, readItem } from "./item.js";

/** An item as it stands in the file. */
export interface ReadItem extends ChecklistItem {
  readonly line: number;
  readonly margin: number;
  readonly inset: number;
  readonly mark: string;
  /** Its number in an ordered list, for want of an id. */
  readonly number: string | undefined;
  readonly section: string | undefined;
  /** The item it is nested in. */
  readonly above: ReadItem | undefined;
  readonly said: string[];
}

export function descriptionOf({ said }: ReadItem): string {
  return withoutBlankEnds(said).toWellFormed();
}

export function readItems(lines: readonly string[]): readonly ReadItem[] {
  const fenced = fencedLines(lines);
  const items: ReadItem[] = [];
  let open: ReadItem[] = [];
  let section: string | undefined;
  for (const [index, line] of lines.entries()) {
    const isFenced = fenced.has(index);
    if (line.trim() === "") {
      const last = open.at(-1);
      last?.said.push(withoutMargin(line, last.margin + last.inset));
      continue;
    }
    const margin = marginOf(line);
    while ((open.at(-1)?.margin ?? -1) >= margin) open.pop();
    const above = open.at(-1);
    const box = isFenced ? undefined : readBox(line);
    if (box) {
      const inSection = above ? undefined : section;
      const item = { ...readItem(box.text), ...box, line: index + 1, margin, section: inSection, above, said: [] };
      items.push(item);
      open.push(item);
    } else if (above) {
      const said = withoutMargin(line, above.margin + above.inset);
      above.said.push(isFenced ? said : unescapeLine(said));
    } else {
      open = [];
      section = (isFenced ? undefined : sectionLabel(line)) ?? section;
    }
  }
  return items;
}
