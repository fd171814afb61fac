import fc from "fast-check";
import { expect, test } from "vitest";
import { type Key, KeyReader } from "./key-reader.js";

const ESC = "\u001b";
const text = (typed: string, isPasted = false): Key => ({ type: "text", text: typed, isPasted });
const key = (name: string) => ({ type: "key", name });

function readAll(...pieces: readonly string[]): readonly Key[] {
  const reader = new KeyReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.flush()];
}

test.each<[string, readonly string[], readonly unknown[]]>([
  ["letters", ["jk"], [text("jk")]],
  ["letters of any language", ["é日本👍"], [text("é日本👍")]],
  ["arrows", [`${ESC}[A${ESC}[B${ESC}OC${ESC}OD`], [key("up"), key("down"), key("right"), key("left")]],
  ["an arrow with Ctrl", [`${ESC}[1;5A`], [key("up")]],
  ["an arrow in pieces", [ESC, "[", "A"], [key("up")]],
  ["a lone escape", [ESC], [key("escape")]],
  ["two escapes", [ESC + ESC], [key("escape"), key("escape")]],
  ["escape and a letter at once", [`${ESC}q`], [key("escape"), text("q")]],
  ["pages and ends", [`${ESC}[5~${ESC}[6~${ESC}[H${ESC}[4~`], ["page-up", "page-down", "home", "end"].map(key)],
  ["enter, tab, back-tab", [`\r\t${ESC}[Z`], [key("enter"), key("tab"), key("back-tab")]],
  [
    "controls",
    ["\u0003\u001a\u0015\u0017\u007f"],
    ["interrupt", "suspend", "clear-line", "delete-word", "backspace"].map(key),
  ],
  ["the wheel", [`${ESC}[<64;10;5M${ESC}[<65;10;5M`], [key("wheel-up"), key("wheel-down")]],
  ["a click is no key", [`${ESC}[<0;10;5M${ESC}[<0;10;5m`], []],
  ["a pasted text with a line break", [`${ESC}[200~a\nb${ESC}[201~q`], [text("a\nb", true), text("q")]],
  ["a paste in pieces", [`${ESC}[200~a${ESC}[2`, "01~q"], [text("a", true), text("q")]],
  ["answers of a terminal are no keys", [`${ESC}[?1;2c${ESC}[24;80R`], []],
  ["an unfinished sequence is dropped", [`${ESC}[1;`], []],
  ["an endless sequence is dropped", [`${ESC}[${"1;".repeat(100)}`], expect.anything()],
  ["NUL is nothing", ["\u0000a"], [text("a")]],
])("%s", (_, pieces, keys) => {
  expect(readAll(...pieces)).toEqual(keys);
});

test("wherever it is cut, the same keys are read, and nothing that is typed is lost", () => {
  const part = fc.constantFrom("a", "日", `${ESC}[A`, `${ESC}[<64;1;1M`, `${ESC}[200~x${ESC}[Ay${ESC}[201~`, "\r");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const whole = parts.join("");
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length])].sort(
        (a, b) => a - b,
      );
      const pieces = places.slice(1).map((end, at) => whole.slice(places[at], end));
      const letters = (keys: readonly Key[]) =>
        keys.map((one) => (one.type === "text" ? one.text : `<${one.name}>`)).join("");
      expect(letters(readAll(...pieces))).toBe(letters(readAll(whole)));
    }),
  );
});

test("any bytes are read to their end", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 5 }), (pieces) => {
      for (const one of readAll(...pieces))
        if (one.type === "text" && !one.isPasted) expect(one.text).not.toMatch(/\p{Cc}/u);
    }),
  );
});
