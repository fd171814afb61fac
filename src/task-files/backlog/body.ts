import type { PortableNote, PortableTask } from "../portable-task.js";
import { splitSections, withoutBlankEnds } from "../sections.js";
import { dateAt, dateText } from "./minute.js";

/** Sections with the marks by which Backlog.md finds them again. */
const SECTIONS: readonly { readonly heading: string; readonly mark: string; readonly isList?: boolean }[] = [
  { heading: "Acceptance Criteria", mark: "AC", isList: true },
  { heading: "Definition of Done", mark: "DOD", isList: true },
  { heading: "Implementation Plan", mark: "SECTION:PLAN" },
  { heading: "Implementation Notes", mark: "SECTION:NOTES" },
  { heading: "Final Summary", mark: "SECTION:FINAL_SUMMARY" },
];

const MARK = /^<!-- (?:SECTION:[A-Z_]+|AC|DOD):(?:BEGIN|END) -->$/;

export interface BacklogBody {
  readonly description: string;
  readonly notes: readonly PortableNote[];
}

/** The description is the whole text, without its first heading and without marks; comments are notes. */
export function readBody(lines: readonly string[]): BacklogBody {
  const { rest, comments } = takeComments(lines);
  const kept = rest.filter((line) => !MARK.test(line.trim()));
  const first = kept.findIndex((line) => line.trim() !== "");
  const isHeaded = /^## description\s*$/i.test(kept[first]?.slice(0, 40) ?? "");
  const description = withoutBlankEnds(isHeaded ? kept.slice(first + 1) : kept).toWellFormed();
  // Removed marks leave blank lines behind.
  return { description: description.replace(/\n{3,}(?=## )/g, "\n\n"), notes: comments.flatMap(readComment) };
}

function takeComments(lines: readonly string[]): { rest: readonly string[]; comments: readonly (readonly string[])[] } {
  const start = lines.findIndex((line) => line.trim() === "<!-- COMMENTS:BEGIN -->");
  const end = lines.findIndex((line, index) => index > start && line.trim() === "<!-- COMMENTS:END -->");
  if (start < 0 || end < 0) return { rest: lines, comments: [] };
  const isHeaded = lines[start - 1]?.trim().toLowerCase() === "## comments";
  const comments: string[][] = [];
  let isInside = false;
  for (const line of lines.slice(start + 1, end)) {
    if (line.trim() === "<!-- COMMENT:BEGIN -->") comments.push([]);
    else if (isInside && line.trim() !== "<!-- COMMENT:END -->") comments.at(-1)?.push(line);
    isInside = line.trim() === "<!-- COMMENT:BEGIN -->" || (isInside && line.trim() !== "<!-- COMMENT:END -->");
  }
  return { rest: [...lines.slice(0, isHeaded ? start - 1 : start), ...lines.slice(end + 1)], comments };
}

function readComment(lines: readonly string[]): readonly PortableNote[] {
  const gap = lines.findIndex((line) => line.trim() === "");
  const head = new Map(lines.slice(0, Math.max(gap, 0)).map((line) => splitField(line)));
  const text = withoutBlankEnds(lines.slice(gap + 1)).toWellFormed();
  if (text === "") return [];
  return [{ text, by: head.get("author") || undefined, at: dateAt(head.get("created")) }];
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  const value = line.slice(colon + 1).trim();
  return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), value.toWellFormed()];
}

export function writeBody({ description, notes }: PortableTask): string {
  const headings = SECTIONS.map(({ heading }) => heading);
  const { first, sections } = splitSections(description, headings);
  const parts = [...sections].map(([heading, text]) => {
    const { mark = "", isList } = SECTIONS.find((section) => section.heading === heading) ?? {};
    return `## ${heading}\n${isList ? "" : "\n"}${marked(mark, text)}`;
  });
  const own = first === "" ? [] : [`## Description\n\n${marked("SECTION:DESCRIPTION", first)}`];
  const comments = notes.length === 0 ? [] : [writeComments(notes)];
  return [...own, ...parts, ...comments].map((part) => `${part}\n`).join("\n");
}

function marked(mark: string, text: string): string {
  return `<!-- ${mark}:BEGIN -->\n${text}\n<!-- ${mark}:END -->`;
}

function writeComments(notes: readonly PortableNote[]): string {
  const comments = notes.map(({ text, by, at }, index) => {
    const author = by === undefined ? [] : [`author: ${by}`];
    const head = [`index: ${index + 1}`, ...author, `created: ${dateText(at) ?? ""}`];
    return marked("COMMENT", [...head, "", text].join("\n"));
  });
  return `## Comments\n${marked("COMMENTS", comments.join("\n\n"))}`;
}
