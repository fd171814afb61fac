/** What a page is made of, read strictly: what is not well-formed is a problem. */
export interface Markup {
  readonly tags: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  /** Values of `style`. */
  readonly styles: readonly string[];
  /** Tags in their order, without attributes: the same for the same page with other texts. */
  readonly shape: string;
  readonly problem: string | undefined;
}

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(\/?)>$/;
const VOID = new Set(["meta"]);

export function readMarkup(page: string): Markup {
  const [tags, attributes] = [new Set<string>(), new Set<string>()];
  const [styles, shape, open]: [string[], string[], string[]] = [[], [], []];
  const found = (problem: string | undefined): Markup => ({
    tags,
    attributes,
    styles,
    shape: shape.join(" "),
    problem,
  });
  const body = page.replace(/^<!doctype html>\n/, "").replace(/<style>[^<]*<\/style>/, "<style></style>");
  for (const [tag] of body.matchAll(/<[^>]*>?/g)) {
    const [, isEnd, name = "", told = "", isSelfClosed] = TAG.exec(tag) ?? [];
    if (name === "") return found(`not a tag: ${tag.slice(0, 100)}`);
    tags.add(name);
    shape.push(`${isEnd}${name}`);
    for (const [, attribute = "", value = ""] of told.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)) {
      attributes.add(attribute);
      if (attribute === "style") styles.push(value);
    }
    if (isEnd && open.pop() !== name) return found(`closes what is not open: ${tag}`);
    if (!isEnd && !isSelfClosed && !VOID.has(name)) open.push(name);
  }
  const stray = body.replace(/<[^>]*>/g, "").match(/[<>]/);
  if (stray) return found(`a stray ${stray[0]}`);
  return found(open.length === 0 ? undefined : `left open: ${open}`);
}
