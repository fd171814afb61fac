/** Texts that other formats keep apart stand in one description, under headings of the second level. */
export interface Section {
  readonly heading: string;
  readonly text: string;
}

export function joinSections(first: string, sections: readonly Section[]): string {
  const said = sections.filter(({ text }) => text.trim() !== "");
  return [first, ...said.map(({ heading, text }) => `## ${heading}\n\n${text}`)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The text before the first of these headings, and what stands under each; a heading counts once. */
export function splitSections(
  text: string,
  headings: readonly string[],
): { readonly first: string; readonly sections: ReadonlyMap<string, string> } {
  const open = new Map(headings.map((heading) => [heading.toLowerCase(), heading]));
  const parts: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  for (const line of text.split("\n")) {
    const name = line.startsWith("## ") ? line.slice(3).trim().toLowerCase() : undefined;
    const heading = name === undefined ? undefined : open.get(name);
    if (heading === undefined || name === undefined) parts.at(-1)?.lines.push(line);
    else {
      open.delete(name);
      parts.push({ heading, lines: [] });
    }
  }
  const [first, ...rest] = parts.map(({ heading, lines }) => [heading, withoutBlankEnds(lines)] as const);
  return { first: first?.[1] ?? "", sections: new Map(rest) };
}

/** Lines without what some systems end them with. */
export function linesIn(text: string): readonly string[] {
  return text.split("\n").map((line) => {
    let end = line.length;
    while (line[end - 1] === "\r") end -= 1;
    return line.slice(0, end);
  });
}

/** Blank lines at both ends say nothing. */
export function withoutBlankEnds(lines: readonly string[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === "") start += 1;
  while (end > start && lines[end - 1]?.trim() === "") end -= 1;
  return lines.slice(start, end).join("\n");
}
