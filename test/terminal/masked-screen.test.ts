import { expect, test } from "vitest";
import { maskedScreen, passedOn, strangeControls } from "./masked-screen.js";
import { hostileTexts } from "./worlds.js";

test("only what changes with time and place is masked, and columns stay", () => {
  const rows = ["web  4/6  41s  npm test  14:02", "in /tmp/x1/home 14:02:59  3m", "", "", ""];
  expect(maskedScreen(rows, "/tmp/x1")).toBe("web  4/6  00s  npm test  00:00\nin ROOT/home 00:00:00  3m\n");
});

const FRAME =
  "\u001b[?1049h\u001b[?25l\u001b[H\u001b[1;32mok\u001b[0m\u001b[K\r\n\u001b[2;1Hx\u001b[J\u001b]2;2 wait\u0007";

test("drawing is neither strange nor somebody else's", () => {
  expect(strangeControls(FRAME)).toEqual([]);
  expect(passedOn(FRAME, hostileTexts())).toEqual([]);
});

test("every hostile text that reaches a frame as it is, is found", () => {
  const texts = hostileTexts().filter((text) => /\p{Cc}/u.test(text));
  expect(texts.length).toBeGreaterThan(10);
  const missed = texts.filter((text) => {
    const raw = `${FRAME}${text}${FRAME}`;
    return strangeControls(raw).length === 0 && passedOn(raw, [text]).length === 0;
  });
  expect(missed).toEqual([]);
});
