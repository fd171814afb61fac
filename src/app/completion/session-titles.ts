import { hostname } from "node:os";
import { listAt, objectAt, parseJson, textAt } from "../../core/json.js";
import type { EventStore } from "../../store/event-store.js";
import { readingQueries } from "../../store/readings/reading-queries.js";
import { ask } from "../../store/script.js";

/** What is kept of a longer transcript takes too long to read for a description. */
const LONGEST = 64 * 1024;

/** Titles that agents gave their sessions, as far as transcripts were read before. None where nothing was kept. */
export async function sessionTitles(
  store: EventStore,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  const machine = hostname();
  const look = store.look(function* ({ queries }) {
    const { shortReadingsOf } = readingQueries(queries.features);
    for (const session of sessions)
      for (const { data } of yield* ask(shortReadingsOf(machine, session, LONGEST))) {
        const title = titleIn(String(data), session);
        if (title) titles.set(session, title);
      }
  });
  // A store of an older version has no table for them.
  await look.catch(() => undefined);
  return titles;
}

function titleIn(data: string, session: string): string | undefined {
  const { views } = objectAt(objectAt(parseJson(data)).transcript);
  const view = listAt(views)
    .map(objectAt)
    .find(({ id }) => id === session);
  return textAt(view?.title);
}
