import type { AcpSender } from "../../readers/acp/acp-reader.js";

// What passes from who passes bytes on to who records them, through one pipe: frames of a letter, a length and bytes.

export type Frame =
  /** How the recording starts, as JSON. */
  | { readonly type: "start"; readonly bytes: Uint8Array }
  | { readonly type: "bytes"; readonly from: AcpSender; readonly bytes: Uint8Array }
  /** Some bytes were not sent. */
  | { readonly type: "gap"; readonly from: AcpSender }
  /** The agent has ended. Without it whoever sends was killed. */
  | { readonly type: "end" };

const LETTERS = { start: "s", end: "x", editor: "e", agent: "a", "gap-editor": "E", "gap-agent": "A" } as const;
const HEAD = 5;

export function frameHead(frame: Frame): Uint8Array {
  const head = Buffer.alloc(HEAD);
  head.write(LETTERS[letterName(frame)], "latin1");
  head.writeUInt32BE("bytes" in frame ? frame.bytes.length : 0, 1);
  return head;
}

function letterName(frame: Frame): keyof typeof LETTERS {
  if (frame.type === "gap") return `gap-${frame.from}`;
  return frame.type === "bytes" ? frame.from : frame.type;
}

function frameOf(letter: string, bytes: Uint8Array): Frame | undefined {
  if (letter === LETTERS.start) return { type: "start", bytes };
  if (letter === LETTERS.end) return { type: "end" };
  if (letter === LETTERS["gap-editor"] || letter === LETTERS["gap-agent"])
    return { type: "gap", from: letter === LETTERS["gap-editor"] ? "editor" : "agent" };
  if (letter === LETTERS.editor || letter === LETTERS.agent)
    return { type: "bytes", from: letter === LETTERS.editor ? "editor" : "agent", bytes };
  return undefined;
}

/** Bytes of a pipe in, frames out. Chunks come in any sizes. */
export class FrameReader {
  #parts: Uint8Array[] = [];
  #size = 0;
  #wanted = HEAD;
  #letter = "";

  read(chunk: Uint8Array): readonly Frame[] {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    const frames: Frame[] = [];
    while (this.#size >= this.#wanted) {
      const bytes = this.#take(this.#wanted);
      if (this.#letter === "") {
        this.#letter = bytes.toString("latin1", 0, 1);
        this.#wanted = bytes.readUInt32BE(1);
      } else {
        const frame = frameOf(this.#letter, bytes);
        if (frame) frames.push(frame);
        this.#letter = "";
        this.#wanted = HEAD;
      }
    }
    return frames;
  }

  #take(length: number): Buffer {
    const [first] = this.#parts;
    const isWhole = this.#parts.length === 1 && first;
    const all = isWhole ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(this.#parts);
    this.#parts = all.length > length ? [all.subarray(length)] : [];
    this.#size -= length;
    return all.subarray(0, length);
  }
}
