import { formatCursor, isAfter, parseCursor } from "../cursor.js";
import type { Position, Queries } from "../queries.js";
import { toPosition } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";

/** Readers that have not come this far are told that something is missing; and no position is given twice. */
export function* rememberPruned(queries: Queries, position: Position): Script<void> {
  const head = yield* askOne(queries.head());
  if (head) yield* ask(queries.setMeta("floor", String(toPosition(head).seq)));
  const known = parseCursor(queries.features, (yield* askOne(queries.meta("pruned")))?.value);
  if (known && !isAfter(position, known)) return;
  yield* ask(queries.setMeta("pruned", formatCursor(queries.features, position)));
}
