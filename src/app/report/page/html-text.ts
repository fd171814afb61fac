import { terminalText } from "../../../core/text/terminal-text.js";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/**
 * The only way for a text into the page, between tags and inside quoted attributes: without secrets, control characters
 * and marks that turn the direction of what follows, with nothing left that HTML would obey.
 */
export function html(text: string): string {
  return terminalText(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? "");
}

/** A share as CSS and SVG write it. */
export function percent(share: number): string {
  return `${Math.round(share * 1e4) / 100}%`;
}
