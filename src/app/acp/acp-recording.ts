import { isObject, parseJson } from "../../core/json.js";
import { AcpReader, type AcpSender } from "../../readers/acp/acp-reader.js";
import { LineSplitter } from "../../readers/lines.js";
import type { EventStore } from "../../store/event-store.js";
import { writeLog } from "../log-file.js";
import { type Milepost, openMilepost } from "../milepost.js";
import { readSettings } from "../settings.js";
import { spoolPlace } from "../spool/spool-place.js";
import type { Environment } from "../store-place.js";
import { transcriptRoots } from "../transcripts/agents/agent-roots.js";
import { AcpRecorder } from "./acp-recorder.js";
import { EditorList } from "./editor-list.js";
import { TranscriptWitness } from "./transcript-witness.js";

export type { AcpSender };

/** What a recording is started with. Plain data: it runs in a process of its own. */
export interface RecordingData {
  readonly command: readonly string[];
  /** The agent's process, as `processName` writes it. */
  readonly process: string;
  readonly environment: Environment;
  readonly userFolder: string;
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly showsList: boolean;
}

const BRACE = "{".charCodeAt(0);
const BLANKS: readonly (number | undefined)[] = [0x20, 0x09, 0x0d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Who indents a message indents it by less. */
const MOST_BLANKS = 64;

function messageStart(bytes: Uint8Array): number {
  let start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (start < MOST_BLANKS && BLANKS.includes(bytes[start])) start += 1;
  return start;
}

/** Reads and records what passes between an editor and its agent. */
export class AcpRecording {
  readonly #reader: AcpReader;
  readonly #store: OpenedStore;
  readonly #recorder: AcpRecorder;
  readonly #shown: EditorList | undefined;
  readonly #lines: Record<AcpSender, LineSplitter>;

  /** `say`: a line for the editor. */
  constructor(data: RecordingData, say: (line: string) => void) {
    this.#reader = new AcpReader(data.command);
    this.#store = new OpenedStore(data);
    this.#recorder = recorderOf(data, this.#reader, this.#store);
    this.#shown = data.showsList ? new EditorList(() => this.#store.open(), say) : undefined;
    this.#lines = { editor: this.#splitter("editor"), agent: this.#splitter("agent") };
  }

  hear(from: AcpSender, bytes: Uint8Array): void {
    this.#lines[from].push(bytes);
  }

  /** Some bytes were not sent here: the rest of the line that they were in means nothing. */
  skip(from: AcpSender): void {
    this.#lines[from] = this.#splitter(from, true);
  }

  async close(): Promise<void> {
    // The last message may have no end of line.
    for (const from of ["editor", "agent"] as const) {
      const { rest, isTooLong } = this.#lines[from];
      if (!isTooLong && rest.length > 0) this.#line(from, rest);
    }
    this.#shown?.close();
    await this.#recorder.close();
    await this.#store.close();
  }

  /** `isInside`: the next bytes belong to a line that was not seen from its beginning. */
  #splitter(from: AcpSender, isInside = false): LineSplitter {
    const line = (bytes: Uint8Array) => this.#line(from, bytes);
    return new LineSplitter({ line, tooLong: () => undefined }, 0, isInside ? 0 : undefined);
  }

  #line(from: AcpSender, bytes: Uint8Array): void {
    // Whatever is no object is no message; a stream of nothing else must not keep us busy.
    const start = messageStart(bytes);
    if (bytes[start] !== BRACE) return;
    const message = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", start));
    if (!isObject(message)) return;
    const at = Date.now();
    const facts = this.#reader.read(from, message, at);
    this.#recorder.hear(facts, at);
    this.#shown?.hear(facts);
  }
}

/** The store, opened for the first fact. Where that fails, the next fact tries again. */
class OpenedStore {
  readonly #data: RecordingData;
  #opening: Promise<Milepost> | undefined;

  constructor(data: RecordingData) {
    this.#data = data;
  }

  async open(): Promise<EventStore> {
    const { store, environment } = this.#data;
    this.#opening ??= openMilepost({ store, environment });
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return (await this.#opening).store;
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}

function recorderOf(data: RecordingData, reader: AcpReader, store: OpenedStore): AcpRecorder {
  const { environment, userFolder } = data;
  const log = (line: string) => writeLog(environment, "acp", line);
  return new AcpRecorder({
    store: () => store.open(),
    settings: (folder) => readSettings(environment, folder),
    witness: new TranscriptWitness(() => transcriptRoots(environment, userFolder).map(({ folder }) => folder)),
    process: data.process,
    agent: () => data.agent ?? reader.agent,
    spool: spoolPlace(environment, data.store),
    log,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    mark: crypto.randomUUID(),
  });
}
