import type { Observation } from "../../../core/session/observation.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import type { Problems, SavedTranscript } from "../../../readers/transcript.js";
import type { FileMark, LongRead } from "../read-file.js";

/** What is kept of a file between two looks at it, and from one process to the next. */
export interface SavedFile {
  readonly mark: FileMark;
  /** A hash of the last bytes before the place up to which it was read: another file would have others there. */
  readonly tail: string;
  readonly transcript: SavedTranscript;
}

export type Observed = (observations: readonly Observation[]) => void;

/** A file with sessions in it that is looked at again and again. */
export interface Followed {
  readonly path: string;
  /** What may be kept of it; undefined where nothing is known, or nothing may. */
  readonly saved: SavedFile | undefined;
  readonly views: readonly SessionView[];
  readonly format: string;
  readonly problems: Problems;
  /** Bytes of a last line that is not whole yet. */
  readonly unfinished: number;
  /** It is held in memory. */
  readonly isLive: boolean;
  /** Why it could not be read. */
  readonly trouble?: string | undefined;
  /** False where it holds more sessions than were read. */
  readonly isWhole?: boolean;
  /** Whether a session was in it when it was first read; only told of a file that holds many. */
  wasThere?(session: string): boolean;
  /** From here on all that is in it is read, however old. */
  widen?(): void;
  /** From here on it is known by what was saved alone. */
  rest(): void;
  /** Whether the file is as it was when it was last read. */
  isUpToDate(mark: FileMark): boolean;
  /** Reads what is new. True when something was. Whoever asks meanwhile waits, and then looks again. */
  catchUp(observed?: Observed, reading?: LongRead): Promise<boolean>;
}
