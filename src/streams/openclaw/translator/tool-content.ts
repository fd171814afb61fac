import { isObject, listAt, trimmedAt } from "../../../core/json.js";

export interface ToolContent {
  readonly type: "content";
  readonly content: { readonly type: "text"; readonly text: string };
}

/** What a tool said, as blocks of text: none for lists, numbers and blanks. */
export function toolContent(value: unknown): readonly ToolContent[] | undefined {
  if (typeof value === "string") return textBlocks([value]);
  if (!isObject(value)) return undefined;
  const said = listAt(value.content).map((block) =>
    isObject(block) && block.type === "text" ? block.text : undefined,
  );
  // The first text decides, also a blank one.
  return textBlocks(said) ?? textBlocks([[value.text, value.message, value.error].find((text) => isText(text))]);
}

function textBlocks(texts: readonly unknown[]): readonly ToolContent[] | undefined {
  const blocks = texts
    .filter((text) => isText(text))
    .filter((text) => trimmedAt(text) !== undefined)
    .map((text) => ({ type: "content", content: { type: "text", text } }) as const);
  return blocks.length > 0 ? blocks : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
