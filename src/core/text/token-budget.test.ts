import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { fittingRows, tokenBound } from "./token-budget.js";
import * as table from "./token-table.js";

const SMALL = [..."abcdefghijklmnopqrstuvwxyz"];
const CAPITAL = SMALL.map((letter) => letter.toUpperCase());
const isToken = (text: string) => encode(text).length === 1;

describe("what is known of the vocabulary is so", () => {
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

  test.each<[string, string, (word: string) => readonly string[]]>([
    ["any form", table.ANY_FORM, (word) => [word, capital(word), ` ${word}`, ` ${capital(word)}`]],
    ["behind a space", table.BEHIND_SPACE, (word) => [` ${word}`, ` ${capital(word)}`]],
    ["small behind a space", table.SMALL_BEHIND_SPACE, (word) => [` ${word}`]],
    ["capital behind a space", table.CAPITAL_BEHIND_SPACE, (word) => [` ${capital(word)}`]],
  ])("words: %s", (_, words, forms) => {
    const wrong = words
      .trim()
      .split(/\s+/)
      .flatMap(forms)
      .filter((form) => !isToken(form));
    expect(wrong).toEqual([]);
  });

  test("pairs of letters, with and without a space", () => {
    const pairs = [
      [SMALL, SMALL],
      [CAPITAL, SMALL],
      [CAPITAL, CAPITAL],
    ].flatMap(([first = [], second = []]) => first.flatMap((one) => second.map((two) => one + two)));
    const missing = pairs.filter((pair) => !isToken(pair));
    expect(new Set(table.NO_PAIRS.match(/../g))).toEqual(new Set(missing));
    expect([...SMALL, ...CAPITAL].filter((letter) => !isToken(` ${letter}`))).toEqual([]);
  });

  test("triples", () => {
    const triples = [" ", ...SMALL].flatMap((one) => SMALL.flatMap((two) => SMALL.map((three) => one + two + three)));
    triples.push(...CAPITAL.flatMap((two) => SMALL.map((three) => ` ${two}${three}`)));
    const bytes = Buffer.alloc(Math.ceil(triples.length / 8));
    for (const [index, triple] of triples.entries())
      if (isToken(triple)) bytes.writeUInt8(bytes.readUInt8(index >> 3) | (1 << (index & 7)), index >> 3);
    expect(table.TRIPLES).toBe(bytes.toString("base64"));
  });

  test("numbers, signs, letters with an accent", () => {
    const numbers = Array.from({ length: 1000 }, (_, number) =>
      [1, 2, 3].map((width) => `${number}`.padStart(width, "0")),
    );
    expect(numbers.flat().filter((text) => text.length <= 3 && !isToken(text))).toEqual([]);
    expect([..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"].filter((sign) => !isToken(` ${sign}`))).toEqual([]);
    const accented = Array.from({ length: 64 }, (_, code) => String.fromCodePoint(0xc0 + code));
    expect(accented.filter((letter) => !["×", "÷", "Û"].includes(letter) && !isToken(letter))).toEqual([]);
  });
});

describe("no text has more tokens than its bound", () => {
  const ascii = Array.from({ length: 95 }, (_, code) => String.fromCodePoint(32 + code));
  const words = `${table.ANY_FORM}${table.SMALL_BEHIND_SPACE}`.trim().split(/\s+/);
  const of = (...units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 120 });
  const strange = [
    "é",
    "ß",
    "書",
    "ю",
    "🎉",
    "👩‍👩‍👧",
    "\u3000",
    "\u00a0",
    "\u0085",
    "\ufeff",
    "\u2028",
    "\ud800",
    "ﬁ",
    "́",
    "٣",
    "…",
    "→",
  ];
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    of(...ascii),
    of(...SMALL),
    of(..."qzxjkvwQZXJ"),
    of(...SMALL, ...CAPITAL),
    of(...SMALL, "ä", "ö", "ü", "ß", "Ä", "é", "ñ", " "),
    of(..."0123456789.,;{}[]()<>|\\/!?\"'`~@#$%^&*-_=+ \n"),
    of(" ", "\t", "\n", "\r", "a", "B", "1", "."),
    of(..."'sStTrReEvVlLmMdD "),
    of(...words, ...words.map((word) => ` ${word}`), " ", "\n", ".", ...SMALL),
    of(...ascii, ...words.map((word) => ` ${word}`), ...strange),
  );

  test("whatever it is made of", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(tokenBound(text)).toBeGreaterThanOrEqual(encode(text).length);
      }),
      { numRuns: sized(1500, 60_000) },
    );
  });

  test("parts that are put together take no more than they did apart", () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const row = `#1 ${other}`;
        expect(tokenBound(`${one}\n${row}`)).toBeLessThanOrEqual(tokenBound(one) + 1 + tokenBound(row));
      }),
      { numRuns: sized(500, 20_000) },
    );
  });

  test("beyond enough it says only that it is more", () => {
    fc.assert(
      fc.property(texts, fc.nat(50), (text, enough) => {
        const [bound, whole] = [tokenBound(text, enough), tokenBound(text)];
        expect(bound > enough).toBe(whole > enough);
        if (whole <= enough) expect(bound).toBe(whole);
      }),
    );
  });
});

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const GERMAN =
  "Die Prüfung der Eingaben schlägt bei Umlauten fehl; bitte den Parser anpassen und einen Test dafür schreiben. " +
  "Wenn der Server nicht antwortet, soll die Anwendung nach drei Versuchen abbrechen und eine Meldung zeigen.";

test.each<[string, string, number]>([
  ["English", file("README.md"), 2],
  ["code", file("src/core/session/digest-text.ts"), 2],
  ["German", GERMAN, 2.5],
  ["todos", "#12 Fix the date parser\n#13 Write tests for leap years\n#14 Update the README", 1.5],
])("%s: the bound is near the real count", (_, text, most) => {
  expect(tokenBound(text) / encode(text).length).toBeLessThan(most);
});

test("rows that have no room are counted", () => {
  const rows = Array.from({ length: 500 }, (_, index) => `${index}. Write the tests`);
  const shown = fittingRows(rows);
  expect(shown.length).toBeGreaterThan(100);
  expect(shown.at(-1)).toBe(`${501 - shown.length} more rows have no room here.`);
  expect(encode(shown.join("\n")).length).toBeLessThanOrEqual(2000);
});
