import { hostname } from "node:os";
import type { Reading } from "../../store/readings.js";
import type { Store } from "../../store/store.js";
import type { CommandContext } from "../command.js";
import { Attachment } from "./attachment.js";
import type { SavedFile } from "./followed-file.js";
import { withoutPrompt } from "./prompt-title.js";
import { FactRecorder } from "./record-facts.js";
import { transcriptRoots } from "./roots.js";
import { StoredSessions } from "./stored-session.js";

/** Sessions of the store that are looked at; more than a person has open. */
const MOST_STORED = 200;
/** Goes up when readers or views change: what an older version has read is read again. */
const REVISION = 1;
/** What takes more than this is not worth keeping: a list of thousands of todos is read again. */
const KEPT_MAX = 512 * 1024;

/** Everything that shows sessions works on this. */
export interface OpenBoard {
  readonly attachment: Attachment;
  readonly stored: StoredSessions;
  /** Writes down what was read, so that nobody has to read it again. */
  keep(): Promise<void>;
}

export async function openBoard({ open, environment, program }: CommandContext): Promise<OpenBoard> {
  const { store } = await open("read");
  const machine = hostname();
  const facts = new FactRecorder(store);
  const folders = transcriptRoots(environment, program.userFolder).map(({ folder }) => folder);
  const saved = new Map((await store.readings(machine)).flatMap(savedFile));
  const attachment = new Attachment({ folders, saved, observed: (observations) => facts.add(observations) });
  return {
    attachment,
    stored: new StoredSessions(store, MOST_STORED),
    keep: () => keepReadings(store, machine, attachment, facts),
  };
}

/** Facts first: what is told twice is one fact, what is not told is lost. A file whose facts wait is kept when they are written. */
async function keepReadings(store: Store, machine: string, attachment: Attachment, facts: FactRecorder): Promise<void> {
  await facts.flush();
  const changed = attachment.takeUnsaved(({ views }) => views.every(({ id }) => !facts.isWaiting(id)));
  const readings = changed.flatMap(({ path, saved }) => (saved ? reading(machine, path, saved) : []));
  const emptied = changed.filter(({ saved }) => !saved).map(({ path }) => path);
  if (readings.length > 0) await store.keepReadings(readings);
  if (emptied.length > 0) await store.dropReadings(machine, emptied);
}

function reading(machine: string, path: string, { transcript, ...file }: SavedFile): readonly Reading[] {
  const views = transcript.views.map(withoutPrompt);
  const data = JSON.stringify({ revision: REVISION, ...file, transcript: { ...transcript, views } });
  if (data.length > KEPT_MAX) return [];
  return [{ machine, path, session: views[0]?.id ?? "", at: file.mark.grewAt, data }];
}

function savedFile({ path, data }: Reading): readonly (readonly [string, SavedFile])[] {
  try {
    const { revision, ...saved } = JSON.parse(data) as SavedFile & { readonly revision: number };
    return revision === REVISION ? [[path, saved]] : [];
  } catch {
    // It is a cache: what cannot be understood is read again.
    return [];
  }
}
