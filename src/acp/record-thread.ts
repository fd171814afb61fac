import { parentPort, workerData } from "node:worker_threads";
import { AcpRecorder } from "../app/acp/acp-recorder.js";
import { EditorList } from "../app/acp/editor-list.js";
import { TranscriptWitness } from "../app/acp/transcript-witness.js";
import { failureOf } from "../app/escaped-error.js";
import { writeLog } from "../app/log-file.js";
import { type Milepost, openMilepost } from "../app/milepost.js";
import { readSettings } from "../app/settings.js";
import { spoolFacts } from "../app/spool/hook-spool.js";
import { spoolPlace } from "../app/spool/spool-place.js";
import { transcriptRoots } from "../app/transcripts/roots.js";
import { isObject, parseJson } from "../core/json.js";
import { AcpReader, type AcpSender } from "../readers/acp/acp-reader.js";
import { LineSplitter } from "../readers/lines.js";

// The thread that reads and records what passes between editor and agent. It may be slow, run out of memory or find no
// store: the bytes are on their way before it sees them.

/** What the thread is started with. */
export interface RecorderData {
  readonly command: readonly string[];
  /** The agent's process, as `processName` writes it. */
  readonly process: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userFolder: string;
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly showsList: boolean;
}

export type ToRecorder =
  | { readonly type: "bytes"; readonly from: AcpSender; readonly bytes: Uint8Array }
  /** Some bytes were not sent: the rest of the line they were in means nothing. */
  | { readonly type: "gap"; readonly from: AcpSender }
  | { readonly type: "end" };

export type FromRecorder =
  | { readonly type: "taken"; readonly bytes: number }
  | { readonly type: "line"; readonly line: string };

type Port = NonNullable<typeof parentPort>;

function record(port: Port, data: RecorderData): void {
  const { environment, command, store: url } = data;
  const log = (line: string) => writeLog(environment, "acp", line);
  const reader = new AcpReader(command);
  let opening: Promise<Milepost> | undefined;
  const open = async () => {
    opening ??= openMilepost({ store: url, environment });
    // The next fact tries again.
    opening.catch(() => {
      opening = undefined;
    });
    return (await opening).store;
  };
  const place = spoolPlace(environment, url);
  const recorder = new AcpRecorder({
    store: open,
    settings: (folder) => readSettings(environment, folder),
    witness: new TranscriptWitness(() => transcriptRoots(environment, data.userFolder).map(({ folder }) => folder)),
    process: data.process,
    agent: () => data.agent ?? reader.agent,
    spool: (facts, mark, at) => {
      const lost = place ? spoolFacts(place, { facts, mark, at, done: 0, tried: "not" }) : "The store takes nothing.";
      if (lost) log(lost);
    },
    log,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    mark: crypto.randomUUID(),
  });
  const shown = data.showsList
    ? new EditorList(open, (line) => port.postMessage({ type: "line", line } satisfies FromRecorder))
    : undefined;
  const hear = (from: AcpSender) => (bytes: Uint8Array) => {
    const message = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
    if (!isObject(message)) return;
    const at = Date.now();
    const facts = reader.read(from, message, at);
    recorder.hear(facts, at);
    shown?.hear(facts);
  };
  const lines = { editor: splitter(hear("editor")), agent: splitter(hear("agent")) };
  port.on("message", (message: ToRecorder) => {
    if (message.type === "bytes") {
      lines[message.from].push(message.bytes);
      port.postMessage({ type: "taken", bytes: message.bytes.length } satisfies FromRecorder);
    } else if (message.type === "gap") lines[message.from] = splitter(hear(message.from), true);
    else void finish();
  });
  const finish = async () => {
    try {
      shown?.close();
      await recorder.close();
      await (await opening)?.close();
    } catch (error) {
      log(failureOf(error).message);
    }
    port.close();
  };
}

/** `isInside`: the next bytes belong to a line that was not seen from its beginning. */
function splitter(line: (bytes: Uint8Array) => void, isInside = false): LineSplitter {
  return new LineSplitter({ line, tooLong: () => undefined }, 0, isInside ? 0 : undefined);
}

if (parentPort) record(parentPort, workerData as RecorderData);
