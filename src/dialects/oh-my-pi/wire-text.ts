import type { Answer, Parsed } from "../dialect.js";

/** The host's last step, in every version: what the tool answered is not yet what the model reads. */
export function onWire(parsed: Parsed): Parsed {
  const sent = (answer: Answer): Answer => ({ ...answer, text: wireText(answer.text) });
  if (parsed.type === "answer") return { ...parsed, answer: sent(parsed.answer) };
  return { ...parsed, render: (outcome) => sent(parsed.render(outcome)) };
}

/** What oh-my-pi's host sends to the model of an answer: no escape sequences, no controls but tab and line feed. */
export function wireText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed().replaceAll("\ufffd", "");
  if (!CONTROLS.test(whole)) return whole;
  const plain = whole.includes(String.fromCharCode(ESCAPE)) ? withoutSequences(whole) : whole;
  return plain.replace(new RegExp(CONTROLS, "g"), "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const ESCAPE = 0x1b;

/**
 * Where in an escape sequence a character stands. `escape`: behind ESC; `charset`: one more character belongs to it;
 * `control`: up to a final letter; `command`: up to BEL or the terminator; `string`: up to the terminator alone.
 */
type Place = "text" | "escape" | "charset" | "control" | "command" | "string";

function withoutSequences(text: string): string {
  let place: Place = "text";
  let kept = "";
  for (const unit of text.split("")) {
    const next: Place | undefined = placeAfter(place, unit.charCodeAt(0));
    if (next === undefined) kept += unit;
    place = next ?? "text";
  }
  return kept;
}

const [BELL, CANCEL, SUBSTITUTE, TERMINATOR] = [0x07, 0x18, 0x1a, 0x9c];

/** What the next character belongs to; undefined for a character that is itself text. */
function placeAfter(place: Place, code: number): Place | undefined {
  if (code === ESCAPE) return "escape";
  if (place === "text") return OPENERS.get(code);
  if (code === CANCEL || code === SUBSTITUTE || code === TERMINATOR) return "text";
  switch (place) {
    case "escape":
      return OPENERS.get(code) ?? OPENERS.get(code + 0x40) ?? shortSequence(code);
    case "control":
      return isBetween(code, 0x40, 0x7e) ? "text" : place;
    case "command":
      return code === BELL ? "text" : place;
    case "string":
      return place;
    default:
      return "text";
  }
}

/** By their one-character codes; ESC and the letter 0x40 below mean the same. */
const OPENERS: ReadonlyMap<number, Place> = new Map([
  [0x90, "string"],
  [0x98, "string"],
  [0x9b, "control"],
  [0x9d, "command"],
  [0x9e, "string"],
  [0x9f, "string"],
]);

function shortSequence(code: number): Place | undefined {
  if (isBetween(code, 0x20, 0x2f)) return "charset";
  return isBetween(code, 0x30, 0x7e) ? "text" : undefined;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
