import stringWidth from "string-width";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./pseudo-terminal.js";
import { leftOver } from "./watched-screen.js";

// What other tests rely on: that a program which misbehaves at a terminal is found out.

let open: Terminal | undefined;
afterEach(() => open?.close());

async function running(program: string, environment: NodeJS.ProcessEnv = { CI: "1" }): Promise<Terminal> {
  const place = { environment, columns: 40, rows: 8, folder: process.cwd() };
  open = await openTerminal({ command: process.execPath, arguments: ["-e", program], ...place });
  return open;
}

test("a program that leaves everything on is found out, and one that puts it back is not", async () => {
  const on =
    "\\x1b[22;0t\\x1b[?1049h\\x1b[?25l\\x1b[?1003h\\x1b[?1006h\\x1b[?2004h\\x1b[?1004h\\x1b[?7l\\x1b[>1u\\x1b]0;mine\\x07";
  const off = "\\x1b[<u\\x1b[?7h\\x1b[?1004l\\x1b[?2004l\\x1b[?1006l\\x1b[?1003l\\x1b[?25h\\x1b[?1049l\\x1b[23;0t";
  const terminal = await running(`process.stdout.write("${on}ready");process.stdin.once("data", (key) => {
    if (String(key) !== "q") process.exit(3); process.stdout.write("${off}"); process.exit(); });
    process.stdin.setRawMode(true);`);
  await terminal.until("ready");
  expect(leftOver(terminal.modes())).toEqual([
    "alternate screen",
    "hidden cursor",
    "mouse tracking",
    "bracketed paste",
    "focus reports",
    "no wrapping",
    "keyboard protocol",
    "title",
  ]);
  terminal.type("q");
  expect(await terminal.exit()).toEqual({ code: 0, signal: 0 });
  expect(leftOver(terminal.modes())).toEqual([]);
  expect(terminal.modes().titles).toContain("mine");
});

test("keys, the wheel and a new size arrive, cells have colours, and nobody's build is in the environment", async () => {
  const terminal = await running(`const { stdin, stdout } = process; stdin.setRawMode(true);
    stdout.write("\\x1b[?1000h\\x1b[?1006h\\x1b[1;31mred\\x1b[0m 漢 CI=" + process.env.CI + "\\r\\n");
    stdout.on("resize", () => stdout.write(stdout.columns + "x" + stdout.rows + "\\r\\n"));
    stdin.on("data", (bytes) => stdout.write(JSON.stringify(String(bytes)) + "\\r\\n"));`);
  await terminal.until("CI=undefined");
  expect(terminal.cells(0).slice(0, 7)).toMatchObject([
    { text: "r", foreground: 1, isBold: true },
    { text: "e" },
    { text: "d" },
    { text: " ", foreground: undefined, isBold: false },
    { text: "漢", width: 2 },
    { text: "", width: 0 },
    { text: " ", width: 1 },
  ]);
  terminal.press("up");
  await terminal.until("\\u001b[A");
  terminal.wheel("down", 4, 9);
  await terminal.until("\\u001b[<65;10;5M");
  terminal.resize(60, 15);
  await terminal.until("60x15");
  expect(terminal.screen()).toHaveLength(15);
  await expect(terminal.until("never", 50)).rejects.toThrow("Not shown in 50 ms: never");
  terminal.signal("SIGTERM");
  expect(await terminal.exit()).toEqual({ code: 0, signal: 15 });
});

test("a character has the columns that terminals of today give it", async () => {
  const texts = ["漢", "🧪", "👩‍👩‍👧‍👦", "👍🏽", "🇯🇵", "⚠️", "⚠", "é", "e\u0301", "✗", "█", "한", "ｱ"];
  const terminal = await running(`process.stdout.write(${JSON.stringify(texts.join("|"))} + "|.")`);
  await terminal.until("|.");
  const cells = terminal.cells(0).filter(({ width }) => width > 0);
  const seen = cells.slice(0, texts.length * 2).filter(({ text }) => text !== "|");
  expect(seen.map(({ text, width }) => `${text} ${width}`)).toEqual(
    texts.map((text) => `${text} ${stringWidth(text)}`),
  );
});

test("its last words are heard on a machine that is too busy to read them at once", async () => {
  const terminal = await running(`process.stdout.write("-".repeat(14000) + "END")`);
  const busy = setInterval(() => {
    const until = performance.now() + 220;
    while (performance.now() < until);
  }, 1);
  try {
    await terminal.exit();
  } finally {
    clearInterval(busy);
  }
  expect(terminal.raw).toMatch(/END$/);
});
