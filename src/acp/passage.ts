import type { Readable, Writable } from "node:stream";

const NEWLINE = 10;

/** Lines of ours that wait for the end of a message that is on its way; only the last ones matter. */
const MOST_WAITING = 100;

/**
 * Bytes from one side to the other, as they are: no byte is looked at before it is on its way. Who reads slowly slows
 * the writer, as without us. What ends here ends there, and who no longer listens is no longer sent to.
 */
export class Passage {
  readonly #from: Readable;
  readonly #to: Writable;
  /** Resolves when everything is handed over, or nobody takes it any more. */
  readonly ended: Promise<void>;
  /** No message is half on its way. */
  #isBetween = true;
  #isOver = false;
  #said: string[] = [];

  constructor(from: Readable, to: Writable, heard: (chunk: Uint8Array) => void) {
    this.#from = from;
    this.#to = to;
    from.on("data", (chunk: Buffer) => {
      const hasRoom = to.write(chunk);
      this.#isBetween = chunk.at(-1) === NEWLINE;
      heard(chunk);
      this.#sayWaiting();
      if (!hasRoom) this.#waitForRoom(from);
    });
    // The end of a pipe whose writer was killed may come as an error.
    from.on("error", () => this.#finish());
    from.on("end", () => this.#finish());
    this.ended = new Promise((resolve) => {
      to.on("error", () => {
        from.destroy();
        resolve();
      });
      to.on("close", () => resolve());
      to.on("finish", () => resolve());
    });
  }

  /** The writer has ended. Resolves when all is handed over; silence of so many milliseconds is the end, too. */
  async settle(silence: number): Promise<void> {
    let heard = performance.now();
    this.#from.on("data", () => {
      heard = performance.now();
    });
    const timer = setInterval(() => {
      // Who reads slowly has not heard all of it yet.
      const isRead = !this.#from.isPaused() && this.#to.writableLength === 0;
      if (isRead && performance.now() - heard > silence) this.#finish();
    }, silence / 5);
    await this.ended;
    clearInterval(timer);
  }

  /** A line of ours, between two messages. */
  say(line: string): void {
    this.#said = [...this.#said, line].slice(-MOST_WAITING);
    this.#sayWaiting();
  }

  #sayWaiting(): void {
    if (!this.#isBetween || this.#isOver || this.#said.length === 0) return;
    const lines = this.#said.join("");
    this.#said = [];
    this.#to.write(lines);
  }

  #waitForRoom(from: Readable): void {
    from.pause();
    this.#to.once("drain", () => from.resume());
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#to.end();
  }
}
