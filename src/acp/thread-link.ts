import { Worker } from "node:worker_threads";
import type { AcpSender, RecordingData } from "../app/acp/acp-recording.js";
import type { FromRecorder, ToRecorder } from "./record-thread.js";

/** Bytes that wait to be looked at. Past that some are passed on unseen: an agent is never slowed down by us. */
const MOST_WAITING = 48 * 1024 * 1024;

/** Megabytes: a message of 16 MB, taken apart, several times. Past that the thread ends, and bytes pass unseen. */
const HEAP = 768;

interface ThreadOptions {
  readonly file: string;
  readonly data: RecordingData;
  /** A line for the editor. */
  readonly say: (line: string) => void;
}

/** The recording, in a thread of its own: whatever happens there, bytes pass here. */
export class ThreadLink {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #isOver = false;
  #waiting = 0;
  readonly #gaps = new Set<AcpSender>();

  constructor({ file, data, say }: ThreadOptions) {
    this.#worker = new Worker(file, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP },
      // What anything there prints must not get between two messages.
      stdout: true,
      stderr: true,
    });
    this.#worker.on("message", (message: FromRecorder) => {
      if (message.type === "taken") this.#waiting -= message.bytes;
      else say(message.line);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on("error", () => undefined);
      this.#worker.on("exit", () => {
        this.#isOver = true;
        resolve();
      });
    });
  }

  give(from: AcpSender, chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#waiting + chunk.length > MOST_WAITING) {
      this.#gaps.add(from);
      return;
    }
    if (this.#gaps.delete(from)) this.#post({ type: "gap", from });
    // A copy: the chunk may be a part of a larger buffer, which would be sent whole.
    const bytes = Uint8Array.from(chunk);
    this.#waiting += bytes.length;
    this.#post({ type: "bytes", from, bytes }, [bytes.buffer]);
  }

  /** Resolves when all is recorded; not later than after so many milliseconds. */
  async end(patience: number): Promise<void> {
    if (!this.#isOver) this.#post({ type: "end" });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
  }

  #post(message: ToRecorder, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...transfer]);
  }
}
