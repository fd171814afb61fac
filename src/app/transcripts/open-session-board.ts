import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { parseJson } from "../../core/json.js";
import type { Reading } from "../../store/readings/readings.js";
import type { Store } from "../../store/store.js";
import { asTrouble } from "../../store/trouble.js";
import type { CommandContext } from "../command-definition.js";
import { raiseBySilenceEverywhere } from "../session/raise-by-silence.js";
import { readSettings } from "../settings.js";
import { tick } from "../tasks/leases/wake-waiting.js";
import { transcriptRoots } from "./agents/agent-roots.js";
import { Attachment } from "./attachment.js";
import type { SavedFile } from "./follow/followed.js";
import { withoutPrompt } from "./prompt-title.js";
import { FactRecorder } from "./record-facts.js";
import type { SessionReport } from "./session-report.js";
import { storeToRead } from "./store-to-read.js";
import { StoredSessions } from "./stored-session.js";

/** Sessions of the store that are looked at; more than a person has open. A live view of all of them asks for more. */
const MOST_STORED = 200;
/** A process that is killed while it reads many files has to read so much again. */
const KEEP_MS = 500;
/** Many files that grow all the time would be written all the time: so many times as long as that took, nothing is. */
const KEEP_TIMES = 300;
/** Goes up when readers or views change: what an older version has read is read again. */
const REVISION = 8;
/** What takes more than this is not worth keeping: a list of thousands of todos is read again. */
const KEPT_MAX = 512 * 1024;

/** Everything that shows sessions works on this. */
export interface OpenBoard {
  readonly attachment: Attachment;
  readonly stored: StoredSessions;
  /** Saves what was read. Where the store cannot take it, it is read again the next time. */
  keep(): Promise<void>;
  /** Wakes tasks whose time has come, and records what the silence of sessions tells. */
  tick(): Promise<void>;
}

interface BoardScope {
  /** How many sessions are looked at, of transcripts and of the store; by default as many as a table needs. */
  readonly most?: number | undefined;
  /** Where transcripts lie; default: where the agents of this person keep them. */
  readonly folders?: () => readonly string[];
}

export async function openBoard(context: CommandContext, scope: BoardScope = {}): Promise<OpenBoard> {
  const { most, folders = () => rootFolders(context) } = scope;
  const { environment } = context;
  const store = await storeToRead(context);
  const machine = hostname();
  const facts = new FactRecorder(store);
  const saved = new Map((await store.readings(machine)).map((reading) => [reading.path, savedFile(reading)]));
  // Somebody may only have named other folders this time.
  const gone = [...saved.keys()].filter((path) => !existsSync(path));
  const attachment: Attachment = new Attachment({
    folders,
    most,
    saved,
    observed: (observations) => facts.add(observations),
    passed: (where) => (where === "in a file" ? keeper.keep() : keeper.keepDue()),
  });
  const keeper = new Keeper({ store, machine, attachment, facts, gone }, context.notice);
  return {
    attachment,
    stored: new StoredSessions(store, most ?? MOST_STORED, readSettings(environment)),
    keep: () => keeper.keep(),
    async tick() {
      // Whoever may only look leaves it to others.
      await tick(store).catch(asTrouble);
      await raiseBySilenceEverywhere(store, readSettings(environment)).catch(asTrouble);
    },
  };
}

function rootFolders({ environment, program }: CommandContext): readonly string[] {
  return transcriptRoots(environment, program.userFolder).map(({ folder }) => folder);
}

interface Keeping {
  readonly store: Store;
  readonly machine: string;
  readonly attachment: Attachment;
  readonly facts: FactRecorder;
  /** Files that are no longer there. */
  readonly gone: string[];
}

/** Keeps what was read, one time after the other: whoever asks last keeps what the others had not read yet. */
class Keeper {
  readonly #keeping: Keeping;
  readonly #notice: CommandContext["notice"];
  #running = Promise.resolve();
  #keptAt = Date.now();
  #tookMs = 0;
  #isTold = false;

  constructor(keeping: Keeping, notice: CommandContext["notice"]) {
    this.#keeping = keeping;
    this.#notice = notice;
  }

  keep(): Promise<void> {
    this.#running = this.#running.then(() => this.#keep());
    return this.#running;
  }

  async keepDue(): Promise<void> {
    if (Date.now() - this.#keptAt >= Math.max(KEEP_MS, KEEP_TIMES * this.#tookMs)) await this.keep();
  }

  async #keep(): Promise<void> {
    const start = Date.now();
    const trouble = await keepReadings(this.#keeping).catch(asTrouble);
    if (trouble && !this.#isTold && trouble.code !== "store-read-only")
      await this.#notice(`What was read was not saved: ${trouble.message}`);
    this.#isTold ||= trouble !== undefined;
    this.#keptAt = Date.now();
    this.#tookMs = this.#keptAt - start;
  }
}

/** Facts first: told twice is one fact, not told is lost. A file whose facts wait is kept when they are written. */
async function keepReadings({ store, machine, attachment, facts, gone }: Keeping): Promise<void> {
  await facts.flush();
  const changed = attachment.takeUnsaved(({ views }) => views.every(({ id }) => !facts.isWaiting(id)));
  const readings = changed.flatMap(({ path, saved }) => (saved ? [reading(machine, path, saved)] : []));
  const kept = readings.filter(({ data }) => data.length <= KEPT_MAX);
  const isKept = new Set(kept.map(({ path }) => path));
  const dropped = [...gone.splice(0), ...changed.map(({ path }) => path).filter((path) => !isKept.has(path))];
  if (dropped.length > 0) await store.dropReadings(machine, dropped);
  if (kept.length > 0) await store.keepReadings(kept);
}

function reading(machine: string, path: string, { transcript, ...file }: SavedFile): Reading {
  const views = transcript.views.map(withoutPrompt);
  const data = JSON.stringify({ revision: REVISION, ...file, transcript: { ...transcript, views } });
  return { machine, path, session: views[0]?.id ?? "", at: file.mark.grewAt, data };
}

/** Undefined for what an older version wrote: it is a cache, and is read again. */
function savedFile({ data }: Reading): SavedFile | undefined {
  const { revision, ...saved } = (parseJson(data) ?? {}) as SavedFile & { readonly revision?: number };
  return revision === REVISION ? saved : undefined;
}

/** Sessions beyond those on the table. */
export interface MoreSessions {
  readonly more: number;
  /** Not every transcript was read: there may be a few less. */
  readonly isMoreEstimated?: true;
}

export async function moreThan(
  { attachment, stored }: OpenBoard,
  found: readonly SessionReport[],
): Promise<MoreSessions> {
  const { ids, isSure } = attachment.roots();
  const all = new Set([...ids, ...(await stored.ids())]);
  for (const { id } of found) all.delete(id);
  return { more: all.size, ...(isSure || all.size === 0 ? undefined : { isMoreEstimated: true as const }) };
}
