import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { maskedScreen, SIZES } from "./masked-screen.js";
import { openView, type Size } from "./open-view.js";
import type { Terminal } from "./pseudo-terminal.js";
import { longListWorld, usualWorld, type ViewWorld } from "./worlds.js";

// `milepost watch` at a real terminal, as a person sees it.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-view-")));
let world: ViewWorld;
let terminal: Terminal | undefined;

beforeAll(async () => {
  world = await usualWorld(join(root, "usual"));
});
afterEach(() => terminal?.close());
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function open(size: Size, shown: ViewWorld = world, isPlain = false): Promise<Terminal> {
  terminal = await openView(shown, size, { isPlain });
  return terminal;
}

/** All transcripts have been read: the head says so only where there is room for it. */
const isDrawn = (rows: readonly string[]) => rows.some((row) => row.includes("IDLE 3"));

/** A frame after a change of size, complete. */
async function drawnAt(shown: Terminal, { columns, rows }: Size): Promise<void> {
  const from = shown.raw.length;
  shown.resize(columns, rows);
  // A busy machine takes its time until it draws: the last row is the new size's.
  await shown.until(() => shown.raw.includes(`\u001b[${rows};1H`, from));
  await shown.quiet(60);
}

const nameOf = ({ columns, rows }: Size) => `${columns}x${rows}`;

/** Where a command breaks depends on the name of the folder of this test. */
function withoutResume(rows: readonly string[]): readonly string[] {
  const from = rows.findIndex((row) => row.includes("RESUME"));
  const column = rows[from]?.indexOf("RESUME") ?? 0;
  return rows.map((row, at) =>
    from < 0 || at <= from || at === rows.length - 1 ? row : row.slice(0, column).trimEnd(),
  );
}

async function isGolden(shown: Terminal, name: string, size: Size): Promise<void> {
  const rows = shown.screen();
  expect(rows).toHaveLength(size.rows);
  // The name of a plan depends on who proposed it when.
  const masked = maskedScreen(withoutResume(rows), root).replaceAll(/\b[\da-z]{4}-[\da-z]{5}$/gm, "plan-00000");
  await expect(masked).toMatchFileSnapshot(`goldens/${name}-${nameOf(size)}.txt`);
}

describe("screens", () => {
  test("one program, from size to size: each screen is as it should be, and none has torn", async () => {
    const shown = await open(SIZES[0]);
    await shown.until(isDrawn);
    await shown.quiet(60);
    await isGolden(shown, "sessions", SIZES[0]);
    // The same file for a size that comes again: what was there before has left nothing behind.
    for (const size of [...SIZES.slice(1), SIZES[0], SIZES[2]]) {
      await drawnAt(shown, size);
      await isGolden(shown, "sessions", size);
    }
  });

  /** From one to the next; each is drawn at two sizes. */
  const PLACES: readonly [string, string, string][] = [
    ["session", "/pull request\r\r", "RESUME"],
    ["plan-session", "\u007f\u007f/redis\r\r", "Sessions are kept in memory"],
    ["plan", "a", "a approves this text"],
    ["plans", "3", "proposed"],
    ["board", "2", "BLOCKED 1"],
    ["tree", "\t", "tree (tab)"],
    ["help", "?", "Keys in tasks"],
  ];

  test("every place, at a window and at the smallest screen", async () => {
    const [window, small] = [SIZES[2], SIZES[0]];
    const shown = await open(window);
    await shown.until(isDrawn);
    for (const [name, keys, words] of PLACES) {
      for (const key of keys.split(/(?<=\r|\u007f)/)) shown.type(key);
      await shown.until(words);
      await shown.quiet(60);
      await isGolden(shown, name, window);
      await drawnAt(shown, small);
      await isGolden(shown, name, small);
      await drawnAt(shown, window);
    }
  });

  test("without colour there is no colour, and the cursor is seen by its mark", async () => {
    const size = SIZES[1];
    const shown = await open(size, world, true);
    await shown.until(isDrawn);
    await shown.quiet(60);
    await isGolden(shown, "sessions", size);
    const colours = [...shown.raw.matchAll(/\[([\d;]*)m/g)].map(([, code]) => code);
    expect(colours.filter((code) => code !== "0")).toEqual([]);
    expect(shown.screen().filter((row) => row.startsWith("▌"))).toHaveLength(1);
  });
});

test("a list of 1,000 todos is one row of the sessions, and a window in its own", async () => {
  const shown = await open(SIZES[0], await longListWorld(join(root, "long")));
  await shown.until("3/1000");
  await shown.quiet(60);
  expect(shown.screen().filter((row) => row.includes("Part "))).toHaveLength(1);
  shown.press("enter");
  await shown.until((rows) => rows.some((row) => row.startsWith("▌") && row.includes("Part 4 ")));
  shown.press("end");
  await shown.until((rows) => rows.some((row) => row.startsWith("▌") && row.includes("Part 1000 ")));
  expect(shown.screen().at(-1)).toMatch(/9\d\d more ↑/);
});
