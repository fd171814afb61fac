import { firstUnits } from "../../../core/text/utf16.js";

/** A child's answer up to a cap, piece by piece. */
export class CappedAnswer {
  readonly #separator: string;
  #room: number;
  #isParted = false;
  #isOver = false;
  /** The last unit that was let through: whether it is a blank. */
  #last = "";
  /** The first half of a surrogate pair whose second is in the next piece. */
  #half = "";

  constructor(max: number, separator: string) {
    this.#room = max;
    this.#separator = separator;
  }

  /** Something went past that is not shown: what was said before it and after it must not run together. */
  part(): void {
    this.#isParted = true;
  }

  isOver(): boolean {
    return this.#isOver;
  }

  /** What of a piece is shown. Pairs are whole in it. */
  admit(piece: string): string {
    if (this.#isOver) return "";
    // Two more than fit: one may be half a pair, the other shows that there is more.
    const joined = `${this.#half}${piece.slice(0, this.#room + 2)}`;
    this.#half = /^[\ud800-\udbff]$/.test(joined.slice(-1)) ? joined.slice(-1) : "";
    const said = joined.slice(0, joined.length - this.#half.length).toWellFormed();
    if (said === "") return "";
    const text = `${this.#gap(said)}${said}`;
    this.#isParted = false;
    this.#isOver = text.length > this.#room;
    const shown = firstUnits(text, this.#room);
    this.#room -= shown.length;
    this.#last = shown.slice(-1);
    return shown;
  }

  #gap(said: string): string {
    const isNeeded = this.#isParted && /^\S$/.test(this.#last) && /^\S/.test(said);
    return isNeeded ? this.#separator : "";
  }
}
