import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bin, command } from "../hook-process.js";
import { maskedScreen, passedOn, SIZES, strangeControls } from "./masked-screen.js";
import { openTerminal, type Terminal } from "./pseudo-terminal.js";
import { leftOver } from "./watched-screen.js";
import { hostileTexts, hostileWorld, IDS, longListWorld, usualWorld, type ViewWorld } from "./worlds.js";

// `milepost watch` at a real terminal, as a person sees it.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-view-")));
let world: ViewWorld;
let terminal: Terminal | undefined;

beforeAll(async () => {
  world = await usualWorld(join(root, "usual"));
});
afterEach(() => terminal?.close());
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Size {
  readonly columns: number;
  readonly rows: number;
}

async function open({ columns, rows }: Size, { environment, folder }: ViewWorld = world): Promise<Terminal> {
  const words = { command: process.execPath, arguments: [bin, "watch"] };
  terminal = await openTerminal({ ...words, environment, columns, rows, folder });
  return terminal;
}

/** All transcripts have been read: the head says so only where there is room for it. */
const isDrawn = (rows: readonly string[]) => rows.some((row) => row.includes("IDLE 3"));

/** For five seconds after the start the view says 15: sessions that only transcripts know are counted twice until then. */
const TOTAL = "10 sessions";

/** A frame after a change of size, complete. */
async function drawnAnew(shown: Terminal): Promise<void> {
  const from = shown.raw.length;
  await shown.until(() => shown.raw.length > from);
  await shown.quiet(100);
}

const nameOf = ({ columns, rows }: Size) => `${columns}x${rows}`;

describe("sizes", () => {
  test("one program, from size to size: each screen is as it should be, and none has torn", async () => {
    const shown = await open(SIZES[0]);
    await shown.until(isDrawn);
    await shown.until(TOTAL);
    await shown.quiet(100);
    for (const [at, size] of [...SIZES, SIZES[0], SIZES[2]].entries()) {
      if (at > 0) {
        shown.resize(size.columns, size.rows);
        await drawnAnew(shown);
      }
      const rows = shown.screen();
      expect(rows).toHaveLength(size.rows);
      // The same file for a size that comes again: what was there before has left nothing behind.
      await expect(maskedScreen(rows, root)).toMatchFileSnapshot(`goldens/sessions-${nameOf(size)}.txt`);
    }
  });

  test("a program that starts at a size shows the same as one that came to it", async () => {
    const shown = await open(SIZES[2]);
    await shown.until(isDrawn);
    await shown.until(TOTAL);
    await shown.quiet(100);
    const golden = `goldens/sessions-${nameOf(SIZES[2])}.txt`;
    await expect(maskedScreen(shown.screen(), root)).toMatchFileSnapshot(golden);
  });
});

describe("the end", () => {
  const WAYS: readonly [string, (shown: Terminal) => void][] = [
    ["q", (shown) => shown.type("q")],
    ["Ctrl+C", (shown) => shown.press("ctrl+c")],
    ["SIGINT", (shown) => shown.signal("SIGINT")],
    ["SIGTERM", (shown) => shown.signal("SIGTERM")],
  ];

  test.each(WAYS)("%s puts the terminal back", async (_, end) => {
    const shown = await open(SIZES[1]);
    await shown.until(isDrawn);
    expect(leftOver(shown.modes())).toEqual(expect.arrayContaining(["alternate screen", "hidden cursor"]));
    end(shown);
    await shown.exit();
    expect(leftOver(shown.modes())).toEqual([]);
  });

  test("Ctrl+C before the first row puts the terminal back", async () => {
    const shown = await open(SIZES[1]);
    await shown.until(() => shown.raw.length > 0);
    shown.press("ctrl+c");
    await shown.exit();
    expect(leftOver(shown.modes())).toEqual([]);
  });
});

describe("keys", () => {
  const selected = (rows: readonly string[]) => rows.findIndex((row) => row.startsWith("▌"));

  test("arrows, letters and the wheel move the selection; enter opens a session, and esc comes back", async () => {
    const shown = await open(SIZES[2]);
    await shown.until(isDrawn);
    const first = selected(shown.screen());
    expect(first).toBeGreaterThan(0);
    shown.press("down");
    await shown.until((rows) => selected(rows) > first);
    shown.type("k");
    await shown.until((rows) => selected(rows) === first);
    shown.wheel("down", first, 10);
    await shown.until((rows) => selected(rows) > first);
    shown.press("up", 9);
    await shown.until((rows) => selected(rows) === first);
    shown.press("enter");
    await shown.until((rows) => !rows.some((row) => row.includes("NEEDS YOU")));
    shown.press("esc");
    await shown.until((rows) => selected(rows) === first && rows.some((row) => row.includes("NEEDS YOU")));
  });
});

test("another process's write is drawn", async () => {
  const shown = await open(SIZES[2]);
  await shown.until("4/6");
  const done = command(["todo", "done", "5", "--session", IDS.web], "", world.environment);
  expect(done.exit).toBe(0);
  await shown.until("5/6");
  command(["todo", "undo", "--session", IDS.web], "", world.environment);
});

test("a list of 1,000 todos is one row of the sessions", async () => {
  const shown = await open(SIZES[0], await longListWorld(join(root, "long")));
  await shown.until("3/1000");
  await shown.quiet(100);
  expect(shown.screen().filter((row) => row.includes("Part "))).toHaveLength(1);
});

test("hostile texts draw nothing but themselves", async () => {
  const hostile = await hostileWorld(join(root, "hostile"));
  const shown = await open(SIZES[3], hostile);
  await shown.until((rows) => rows.some((row) => row.includes("pwned")));
  await shown.quiet(100);
  expect(strangeControls(shown.raw)).toEqual([]);
  expect(passedOn(shown.raw, hostileTexts())).toEqual([]);
  expect(shown.answered).toBe("");
  expect(shown.modes().titles.filter((title) => /pwned|swallowed/.test(title))).toEqual([]);
  expect(shown.modes()).toMatchObject({ isAlternate: true, mouse: expect.not.stringMatching("any") });
  const cells = shown.screen().flatMap((_, row) => shown.cells(row));
  // Each text is there in full, and none of it was obeyed.
  expect(shown.screen().join("\n")).toContain("␛[32m[x] completed␛[0m");
  expect(cells.filter(({ text }) => text !== "" && /\p{Cc}/u.test(text))).toEqual([]);
});
