import { CLEAR_REST, moveTo, SYNC_BEGIN, SYNC_END } from "../app/terminal/screen-codes.js";
import { stringWidth } from "../app/terminal/text-width.js";
import type { Size } from "./world.js";

/**
 * A screen that is drawn over what was there: only rows that have changed are written, each frame at once. While the
 * terminal is still taking in a frame, as over a slow line, later ones wait, and only the newest of them is drawn.
 */
export class TerminalScreen {
  readonly #write: (text: string) => Promise<void>;
  #shown: readonly string[] = [];
  #columns = 0;
  #isWriting = false;
  #next: { readonly rows: readonly string[]; readonly size: Size } | undefined;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** The next frame is drawn whole: somebody else has written on the screen, or its size has changed. */
  forget(): void {
    this.#shown = [];
  }

  show(rows: readonly string[], size: Size): void {
    if (this.#isWriting) {
      this.#next = { rows, size };
      return;
    }
    const codes = this.#codes(rows, size);
    if (codes === "") return;
    this.#isWriting = true;
    void this.#write(SYNC_BEGIN + codes + SYNC_END).then(() => this.#written());
  }

  #written(): void {
    this.#isWriting = false;
    const next = this.#next;
    this.#next = undefined;
    if (next) this.show(next.rows, next.size);
  }

  #codes(rows: readonly string[], { columns }: Size): string {
    if (columns !== this.#columns || rows.length !== this.#shown.length) this.#shown = [];
    const changed = rows.map((row, at) => (row === this.#shown[at] ? "" : rowCode(row, at, columns)));
    this.#shown = rows;
    this.#columns = columns;
    return changed.join("");
  }
}

/** A row that fills its width leaves the cursor on its last letter, which clearing the rest would take away. */
function rowCode(row: string, at: number, columns: number): string {
  return moveTo(at + 1, 1) + row + (stringWidth(row) < columns ? CLEAR_REST : "");
}
