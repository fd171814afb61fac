// Values of an agent's own process, which may be anything: read without trust, and without throwing.

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; what is none has no fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The words of a message or an answer: a text, or a list of parts, some of which have one. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => fieldsOf(part).text)
    .filter((text) => typeof text === "string")
    .join("\n");
}
