import type { JsonObject } from "../core/json.js";
import type { ScratchTables } from "../core/scratch-tables.js";
import type { Fact, Observation } from "../core/session/observation.js";

/** Reads one file, record by record. Never throws: a malformed record tells nothing. A file may hold sub-agents too. */
export interface Reader {
  read(record: JsonObject): readonly Observation[];
  /** The session went back to a line that is no longer held: the file has to be read again by a thorough reader. */
  readonly isLost?: boolean;
  /** What it needs to go on later, as JSON. Bounded, however long the file is. */
  save(): unknown;
}

interface OpenOptions {
  /** What `save` of an earlier reader gave. */
  readonly saved?: unknown;
  /** Remember every line, whatever it costs. */
  readonly isThorough?: boolean | undefined;
  /** The name of the folder that the file lies in: some agents tell only there whose sub-agent it is. */
  readonly folder?: string | undefined;
  /** For an agent whose list is SQL: without them its writes tell nothing. */
  readonly openTables?: (() => ScratchTables) | undefined;
}

/** One format of one agent's transcripts. A new one is a file and a row in `transcript-formats.ts`. */
export interface Format {
  readonly name: string;
  readonly agent: string;
  /** A record that only this format has; one that is in doubt is no such record. */
  recognises(record: JsonObject): boolean;
  /** `file`: its name without folders. */
  open(file: string, options?: OpenOptions): Reader;
  /** What there is to know of a long line without parsing all of it; undefined for a line that has to be parsed. */
  readonly skim?: (line: Buffer) => JsonObject | undefined;
  /** It holds sessions of long ago beside one that is at work: when each was last heard of is in it. */
  readonly isArchive?: boolean;
  /** Its agent keeps its list by SQL: whoever opens it hands in tables. */
  readonly needsTables?: true;
  /** Lines that begin like this hold nothing for us. Parsing is what costs. */
  readonly skipped?: readonly string[];
}

/** In place: readers make each fact anew, and a copy of each costs as much as everything else about it. */
export function observation(fact: Fact, session: string, at: number | undefined): Observation {
  const told = fact as Fact & { session: string; at: number | undefined };
  told.session = session;
  told.at = at;
  return told;
}

/** Collects what one record tells. */
export class Told {
  at: number | undefined;
  #observations: Observation[] = [];

  tell(session: string, fact: Fact): void {
    this.#observations.push({ ...fact, session, ...(this.at === undefined ? undefined : { at: this.at }) });
  }

  take(): readonly Observation[] {
    const observations = this.#observations;
    if (observations.length > 0) this.#observations = [];
    return observations;
  }
}
