import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { screenText } from "../../src/core/text/terminal-text.js";
import { passedOn, SIZES, strangeControls } from "./masked-screen.js";
import { openView, otherProcess, type Size } from "./open-view.js";
import type { Terminal } from "./pseudo-terminal.js";
import type { Cell } from "./screen-cells.js";
import { hostileTexts, hostileWorld, type ViewWorld } from "./worlds.js";

// Every text that a model may write is an attack on the terminal; beside it the same world with texts that look the same
// and do nothing. The two must look alike, cell by cell: then nothing outside of a text's own cells was changed.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-hostile-")));
const texts = hostileTexts();
/** The name of a folder ends at a backslash. */
const harmless = texts.map((text) => screenText(text).replaceAll("\\u{", "_u{"));
const views: Terminal[] = [];
let worlds: readonly ViewWorld[] = [];

beforeAll(async () => {
  worlds = [await hostileWorld(join(root, "a"), texts), await hostileWorld(join(root, "b"), harmless)];
});
afterAll(async () => {
  for (const view of views) await view.close();
  rmSync(root, { recursive: true, force: true });
});

const [SMALL, WINDOW] = [SIZES[1], SIZES[2]];

interface Screen {
  readonly name: string;
  readonly rows: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
}

/** Keys, and what is on the screen then; a name for what it shows. */
const STEPS: readonly [string, string, string][] = [
  ["sessions", "", "MILEPOST"],
  ["a session that asks", "/aa000000\r\r", "RESUME"],
  ["its calls", "\t", "RESUME"],
  ["why", "\t\r", "Todo 1: "],
  ["a session with a plan", "\u007f\u007f\u007f/aa000001\r\r", "PLAN"],
  ["the plan", "p", "a approves this text"],
  ["a prompt", "1t\u001b[200~PASTED\u001b[201~", "█"],
  ["tasks", "\u0003" + "2", "READY"],
  ["a task", "\r", "Task 1"],
  ["the tree", "\u007f\t", "tree (tab)"],
  ["plans", "3", "proposed"],
  ["events", "4", "more to do"],
  ["help", "?", "Keys in events"],
];

/** A busy machine takes its time until it draws: the last row is the new size's. */
async function resized(view: Terminal, { columns, rows }: Size): Promise<void> {
  const from = view.raw.length;
  view.resize(columns, rows);
  await view.until(() => view.raw.includes(`\u001b[${rows};1H`, from));
  await view.quiet(40);
}

async function screensOf(world: ViewWorld, pasted: string): Promise<readonly Screen[]> {
  const view = await openView(world, WINDOW);
  views.push(view);
  await view.until((rows) => rows[0]?.includes("18 running") === true && !rows[0].includes("reading"));
  otherProcess(world, "todo", "add", `more to do ${pasted}`, "--session", "aa000000-0000-4000-8000-000000000000");
  await view.until("0/3");
  const screens: Screen[] = [];
  const look = (name: string) => {
    const rows = view.screen();
    screens.push({ name, rows, cells: rows.map((_, row) => view.cells(row)) });
  };
  for (const [name, keys, words] of STEPS) {
    for (const key of keys.split(/(?<=[\r\t\u007f])/)) view.type(key.replace("PASTED", pasted));
    await view.until(words);
    await view.quiet(60);
    look(name);
    await resized(view, SMALL);
    look(`${name}, small`);
    await resized(view, WINDOW);
  }
  return screens;
}

/**
 * Clocks and ages go on, and each world has a folder of its own. A break of a line is a blank in some places and a sign in
 * others, and steps of a plan are counted from its lines: all of it has the same width.
 */
const masked = (row: string) =>
  row
    .replaceAll(/\d\d:\d\d(?::\d\d)?|\b\d+[smh]\b/g, (time) => time.replaceAll(/\d/g, "0").replace(/[mh]/, "s"))
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, "uuid")
    .replaceAll(/\b[\da-z]{4}-[\da-z]{5}$/g, "plan-id")
    .replaceAll(/\/[ab](?=\/|$)/g, "/x")
    .replaceAll(" (2 steps)", " ".repeat(10))
    .replaceAll(/[␍␊\\_]/g, " ")
    .trimEnd();

const looks = (cells: readonly Cell[]) =>
  cells.map(({ text: _, width, ...look }) => `${width}${JSON.stringify(look)}`).join("");

test("nothing that was written reaches the terminal as anything but text", async () => {
  const [attack = "", plain = ""] = [texts.join(" "), harmless.join(" ")];
  const [hostile, alike] = await Promise.all(
    [attack, plain].map(async (pasted, at) => screensOf(worlds[at] as ViewWorld, pasted)),
  );
  expect(alike).toHaveLength(2 * STEPS.length);
  const [view] = views;
  expect(strangeControls(view?.raw ?? "?")).toEqual([]);
  expect(passedOn(view?.raw ?? "", texts)).toEqual([]);
  expect(views.map(({ answered }) => answered)).toEqual(["", ""]);
  const titles = view?.modes().titles ?? [];
  expect(titles.filter((title) => !/^(?:\(\d+\) )?milepost(?:: \d+ waiting for you)?$/.test(title))).toEqual([]);
  expect(view?.modes()).toMatchObject({ isAlternate: true, mouse: "vt200", isWrapping: true });
  for (const [at, { name, rows, cells }] of (hostile ?? []).entries()) {
    // A line that is typed has one blank for a break of a line, which may be two characters: all around it is compared.
    const end = name.startsWith("a prompt") ? -1 : rows.length;
    const other = alike?.[at];
    const [shown, expected] = [rows.slice(0, end), other?.rows.slice(0, end) ?? []];
    expect({ name, rows: shown.map(masked) }).toEqual({ name, rows: expected.map(masked) });
    const changed = shown.filter((_, row) => looks(cells[row] ?? []) !== looks(other?.cells[row] ?? []));
    expect({ name, changed }).toEqual({ name, changed: [] });
  }
});
