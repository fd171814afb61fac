/** How a file is written, so that what we add looks like the rest of it. */
export interface Style {
  readonly eol: string;
  readonly unit: string;
}

export function styleOf(text: string): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = /^(\t|[ ]{1,8})[^\s/*]/m.exec(text)?.[1] ?? "  ";
  return { eol, unit };
}
