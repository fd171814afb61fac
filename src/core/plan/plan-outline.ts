import { type Block, type Item, type List, markdownBlocks, markdownLines } from "../markdown/blocks.js";
import { plainWords } from "../markdown/inline.js";
import { cutCodePoints } from "../text/length.js";

// What a plan is called, and the steps in it that could be todos: read from its text, which the agent wrote for people.

const TITLE_MAX = 120;
const STEP_MAX = 200;
const MOST_STEPS = 50;

/** Headings that say what a text is, not what it is about. */
const NO_TITLE =
  /^(?:(?:the|my|proposed|implementation|action|work|detailed)? ?plan|(?:plan )?(?:overview|summary|context|background|introduction|goals?|objectives?|steps|tasks|todos?|implementation))[:.]?$/i;

/** The first heading, else the first line with words; "Plan:" alone says nothing, so the next one is taken. */
export function planTitle(text: string): string {
  const lines = markdownBlocks(markdownLines(text)).flatMap(titlesOf);
  const first = lines.findIndex(({ isHeading }) => isHeading);
  const isTitle = ({ words }: Title) => /[\p{L}\p{N}]/u.test(words) && !NO_TITLE.test(words);
  const title = lines.slice(Math.max(0, first)).find(isTitle) ?? lines.find(isTitle);
  return title ? cutCodePoints(title.words, TITLE_MAX) : "Untitled plan";
}

interface Title {
  readonly words: string;
  readonly isHeading: boolean;
}

function titlesOf(block: Block): readonly Title[] {
  switch (block.type) {
    case "heading":
      return [{ words: plainWords(block.text), isHeading: true }];
    case "paragraph":
      return block.lines.map((line) => ({ words: plainWords(line), isHeading: false }));
    case "quote":
      return block.blocks.flatMap(titlesOf).map((title) => ({ ...title, isHeading: false }));
    case "list":
      return block.items.map((item) => ({ words: itemWords(item), isHeading: false }));
    default:
      return [];
  }
}

/** At most 50, each in one line; none where the text has neither a list nor headings. Code is never a step. */
export function planSteps(text: string): readonly string[] {
  const blocks = markdownBlocks(markdownLines(text));
  const sections = sectionsOf(blocks);
  const found = [
    () => boxes(blocks).map(itemWords),
    () => stepHeadings(sections),
    () => listUnderHeading(sections),
    () => longest(sections.flatMap(numberedLists)),
    () => sections.flatMap(bulletLists).flatMap(listWords),
    () => sections.filter(({ level }) => level === 2).map(({ title }) => title),
  ];
  for (const steps of found) {
    const words = steps().filter((step) => step !== "");
    if (words.length > 0) return words.slice(0, MOST_STEPS).map((step) => cutCodePoints(step, STEP_MAX));
  }
  return [];
}

/** Items with a checkbox, wherever they stand, ticked or not. */
function boxes(blocks: readonly Block[]): readonly Item[] {
  return blocks.flatMap((block) => {
    if (block.type === "quote") return boxes(block.blocks);
    if (block.type !== "list") return [];
    return block.items.flatMap((item) => [...(item.box === undefined ? [] : [item]), ...boxes(item.blocks)]);
  });
}

/** A heading and what stands below it, up to the next one. */
interface Section {
  readonly level: number;
  readonly title: string;
  readonly lists: List[];
}

function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [{ level: 0, title: "", lists: [] }];
  for (const block of blocks) {
    if (block.type === "heading") sections.push({ level: block.level, title: plainWords(block.text), lists: [] });
    if (block.type === "list") sections.at(-1)?.lists.push(block);
  }
  return sections;
}

/** `Step 1: ...`, `Step 2: ...` as headings: the lists below them are details. */
function stepHeadings(sections: readonly Section[]): readonly string[] {
  const steps = sections.filter(({ title }) => /^(?:step|phase|task|stage|milestone) ?#?\d/i.test(title));
  const level = Math.min(...steps.slice(0, 2).map((step) => step.level));
  const titles = steps.filter((step) => step.level === level).map(({ title }) => title);
  return titles.length > 1 ? titles : [];
}

const SPEAKS_OF_STEPS = /\b(?:steps?|plan|tasks?|implementation|to-?dos?)\b/i;

/** The title of the whole text comes last: what stands below it is often an introduction. */
function listUnderHeading(sections: readonly Section[]): readonly string[] {
  const [first, ...others] = sections.filter(({ level }) => level > 0);
  const ordered = first?.level === 1 ? [...others, first] : [...(first ? [first] : []), ...others];
  const section = ordered.find(({ title, lists }) => SPEAKS_OF_STEPS.test(title) && lists.length > 0);
  const list = section?.lists[0];
  if (!section || !list) return [];
  return list.isOrdered ? (numberedLists(section)[0] ?? []) : listWords(list);
}

/** Items of each numbered list. One that begins beyond 1 goes on with the one before it: code stood in between. */
function numberedLists({ lists }: Section): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const list of lists.filter(({ isOrdered }) => isOrdered)) {
    const isNew = Number.parseInt(list.items[0]?.marker ?? "1", 10) <= 1;
    if (isNew || found.length === 0) found.push([]);
    for (const words of listWords(list)) found.at(-1)?.push(words);
  }
  return found;
}

function bulletLists({ lists }: Section): readonly List[] {
  return lists.filter(({ isOrdered }) => !isOrdered);
}

function longest(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}

function listWords({ items }: List): readonly string[] {
  return items.map(itemWords);
}

/** What an item says itself, in one line; what is nested in it is detail. */
function itemWords({ blocks: [first] }: Item): string {
  if (first?.type === "heading") return plainWords(first.text);
  return first?.type === "paragraph" ? plainWords(first.lines.map((line) => line.trim()).join(" ")) : "";
}
