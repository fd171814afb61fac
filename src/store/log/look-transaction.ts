import type { Look, Transaction } from "../event-store.js";
import { toStream } from "../rows.js";
import { askOne } from "../script.js";
import { loadView } from "./fold.js";
import { newStream, readViews } from "./stored-views.js";

/** What a decision would see, in one look: nothing is locked, and nobody waits for a dry run. */
export function lookTransaction(look: Look): Transaction {
  const { queries } = look;
  const row = function* (stream: string) {
    const found = yield* askOne(queries.stream(stream));
    return found ? toStream(found) : newStream(stream);
  };
  return {
    ...look,
    *view(projection, stream) {
      const found = yield* row(stream);
      return (yield* loadView(queries, projection, found, { views: readViews(found) })).state;
    },
    *version(stream) {
      return (yield* row(stream)).version;
    },
    *isKnown(id) {
      return (yield* askOne(queries.knownEvent(id))) !== undefined;
    },
  };
}
