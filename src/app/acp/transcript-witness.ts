import type { TodoList } from "../../core/todo/list.js";
import { Attachment } from "../transcripts/attachment.js";
import { findTranscripts } from "../transcripts/transcript-files.js";
import { isCalled } from "../transcripts/transcript-name.js";

/** Looking through folders with thousands of files for one that is not there: not with each plan. Milliseconds. */
const LOOK_AGAIN = 5000;

/**
 * The agent's own transcript of a session, where it lies on this machine. It knows what a plan update does not tell:
 * that a write was refused, phases, active forms.
 */
export class TranscriptWitness {
  readonly #folders: () => readonly string[];
  readonly #attachment = new Attachment({ folders: () => [] });
  readonly #paths = new Map<string, string>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  constructor(folders: () => readonly string[], now: () => number = Date.now) {
    this.#folders = folders;
    this.#now = now;
  }

  /** The list as the transcript tells it now; undefined where there is no transcript. */
  async listOf(session: string): Promise<TodoList | undefined> {
    const path = this.#pathOf(session);
    if (path === undefined) return undefined;
    await this.#attachment.read(path, undefined, true);
    return this.#attachment.sessions().find(({ view }) => view.id === session)?.view.list;
  }

  #pathOf(session: string): string | undefined {
    const known = this.#paths.get(session);
    if (known !== undefined || this.#now() - this.#lookedAt < LOOK_AGAIN) return known;
    this.#lookedAt = this.#now();
    const { files } = findTranscripts(this.#folders());
    const found = files.find(({ path }) => isCalled(path, (id) => id === session))?.path;
    if (found !== undefined) this.#paths.set(session, found);
    return found;
  }
}
