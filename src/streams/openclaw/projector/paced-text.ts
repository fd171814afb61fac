import { firstUnits } from "../../../core/text/utf16.js";

const FLUSH_LENGTH = 480;
const FLUSH_LENGTH_AT_BLANK = 220;
const IDLE_LENGTH = 80;
const IDLE_DELAY = 750;
const COALESCE_DELAY = 350;
const CHUNK_MAX = 1800;

interface Waiting {
  readonly text: string;
  /** When the last of it came. */
  readonly since: number;
}

const NOTHING: Waiting = { text: "", since: 0 };

/**
 * Text on its way to the chat. It is flushed where a reader would pause, or when no more comes; flushed texts that
 * follow each other closely become one message. Text that is not live waits for `takeAll`.
 */
export class PacedText {
  readonly #isLive: boolean;
  #unflushed = NOTHING;
  #flushed = NOTHING;

  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  /** These give the messages that are sent by it. */
  add(text: string, now: number): readonly string[] {
    if (text === "") return [];
    this.#unflushed = { text: `${this.#unflushed.text}${text}`, since: now };
    return this.#isLive && isPause(this.#unflushed.text) ? this.#flush(now) : [];
  }

  /** The same in one step or in many. */
  advance(now: number): readonly string[] {
    const sent: string[] = [];
    for (let due = this.#due(); due !== undefined && due.at <= now; due = this.#due())
      sent.push(...(due.isFlush ? this.#flush(due.at) : this.#takeFlushed()));
    return sent;
  }

  nextTime(): number | undefined {
    return this.#due()?.at;
  }

  takeAll(): readonly string[] {
    const text = `${this.#flushed.text}${this.#unflushed.text}`;
    this.#unflushed = NOTHING;
    this.#flushed = NOTHING;
    return cutChunks(text, 1).chunks;
  }

  /** Whole chunks go at once; the rest waits for more. */
  #flush(now: number): readonly string[] {
    const { chunks, rest } = cutChunks(`${this.#flushed.text}${this.#unflushed.text}`, CHUNK_MAX);
    this.#unflushed = NOTHING;
    this.#flushed = { text: rest, since: now };
    return chunks;
  }

  #takeFlushed(): readonly string[] {
    const { text } = this.#flushed;
    this.#flushed = NOTHING;
    return cutChunks(text, 1).chunks;
  }

  #due(): { readonly at: number; readonly isFlush: boolean } | undefined {
    if (!this.#isLive) return undefined;
    // What is not flushed came later, and waits longer.
    if (this.#flushed.text !== "") return { at: this.#flushed.since + COALESCE_DELAY, isFlush: false };
    const { text, since } = this.#unflushed;
    return isIdlePause(text) ? { at: since + IDLE_DELAY, isFlush: true } : undefined;
  }
}

/** A blank line, the end of a sentence, or enough. */
function isPause(text: string): boolean {
  if (text.length >= FLUSH_LENGTH || text.endsWith("\n\n") || /[.!?]\s$/.test(text)) return true;
  return text.length >= FLUSH_LENGTH_AT_BLANK && /\s$/.test(text);
}

function isIdlePause(text: string): boolean {
  return text.length >= IDLE_LENGTH || /[.!?]\s*$|\n$/.test(text);
}

/** As long as `least` units are left. A blank chunk is no message. */
function cutChunks(text: string, least: number) {
  const chunks: string[] = [];
  let rest = text;
  while (rest.length >= least) {
    const chunk = firstChunk(rest);
    if (chunk.trim() !== "") chunks.push(chunk);
    rest = rest.slice(chunk.length);
  }
  return { chunks, rest };
}

/** Ends after a blank, unless that would make it very short. */
function firstChunk(text: string): string {
  if (text.length <= CHUNK_MAX) return text;
  const chunk = firstUnits(text, CHUNK_MAX);
  const lastBlank = chunk.search(/\s\S*$/);
  return lastBlank < CHUNK_MAX / 2 ? chunk : chunk.slice(0, lastBlank + 1);
}
