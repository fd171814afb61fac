import fc from "fast-check";
import { expect, test } from "vitest";
import { anyState, anyWorld } from "../../../test/terminal/shown-worlds.js";
import { stringWidth } from "../../app/terminal/text-width.js";
import { whereIs } from "../keymap.js";
import { LIST_STYLES } from "../view-state.js";
import { boardColumns, currentSession, sessionAt, shownEvents, shownPlans, shownTodos } from "../world.js";
import { drawFrame } from "./draw-frame.js";
import type { Shown } from "./view-body.js";

const PLAIN = { hasColor: false };
const COLOURED = { hasColor: true };
const SGR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/** Most of what goes wrong goes wrong on a small screen. */
const between = (least: number, most: number) =>
  fc.oneof(fc.integer({ min: least, max: 2 * least }), fc.integer({ min: least, max: most }));
const size = fc.record({ columns: between(20, 220), rows: between(4, 70) });
const shown = fc.record({ world: anyWorld, state: anyState, start: fc.nat(40) });

/** Something is there that a cursor can stand on. */
function hasCursor({ world, state }: Shown): boolean {
  if (state.isHelp || state.page) return false;
  switch (whereIs(state)) {
    case "sessions":
      return currentSession(world, state) !== undefined;
    case "session": {
      const session = sessionAt(world, state.opened);
      const isOwn = LIST_STYLES[state.listStyle] === "rows" && state.pane === "list";
      return session !== undefined && isOwn && shownTodos(session).length > 0;
    }
    case "tasks":
      return boardColumns(world, state).flat().length > 0;
    case "plans":
      return (shownPlans(world, state) ?? []).length > 0;
    default:
      return shownEvents(world, state).length > 0;
  }
}

test("any world at any size: as many rows as the screen has, none wider, nothing that a terminal obeys", () => {
  fc.assert(
    fc.property(shown, size, (one, { columns, rows }) => {
      const frame = drawFrame(one, { columns, rows }, PLAIN);
      expect(frame.rows).toHaveLength(rows);
      expect(frame.rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
      expect(frame.rows.filter((row) => /\p{Cc}/u.test(row))).toEqual([]);
      const coloured = drawFrame(one, { columns, rows }, COLOURED);
      expect(coloured.rows.map((row) => row.replaceAll(SGR, ""))).toEqual(frame.rows);
    }),
    { numRuns: 100 },
  );
});

test("what is under the cursor is on the screen, and the next drawing does not move it", () => {
  fc.assert(
    fc.property(shown, size, (one, { columns, rows }) => {
      fc.pre(hasCursor(one));
      const frame = drawFrame(one, { columns, rows }, PLAIN);
      expect(frame.rows.filter((row) => row.startsWith("▌") || row.includes(" ▌") || row.includes("▌#"))).not.toEqual(
        [],
      );
      expect(drawFrame({ ...one, start: frame.start }, { columns, rows }, PLAIN)).toEqual(frame);
    }),
    { numRuns: 60 },
  );
});
