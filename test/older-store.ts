import { eventChecksum, viewsChecksum } from "../src/store/checksum.js";
import type { EventRow, StreamRow } from "../src/store/queries.js";
import { loadSqlite } from "../src/store/sqlite/library.js";

type Data = Readonly<Record<string, unknown>>;

/** Gives the first event of a task's stream the data that a version without limits would have stored, and its view. */
export async function olderStore(path: string, stream: string, change: (data: Data) => Data): Promise<void> {
  const database = (await loadSqlite())(path, {});
  const event = database
    .prepare("SELECT stream, version, id, type, at, actor, data FROM milepost_events WHERE stream = ? AND version = 1")
    .all(stream)[0] as unknown as EventRow;
  const row = database
    .prepare("SELECT * FROM milepost_streams WHERE stream = ?")
    .all(stream)[0] as unknown as StreamRow;
  const data = JSON.stringify(change(JSON.parse(event.data)));
  const checksum = eventChecksum({ ...event, data });
  const { task } = JSON.parse(row.views);
  const views = JSON.stringify({ task: { ...task, state: change(task.state) } });
  database
    .prepare("UPDATE milepost_events SET data = ?, checksum = ? WHERE stream = ? AND version = 1")
    .run(data, checksum, stream);
  database
    .prepare("UPDATE milepost_streams SET checksum = ?, views = ?, views_checksum = ? WHERE stream = ?")
    .run(checksum, views, viewsChecksum({ stream, views }), stream);
  database.close();
}
