/** What a person did at the keyboard: the name of a key, or text that was typed or pasted. */
export type Key =
  | { readonly type: "key"; readonly name: KeyName }
  | { readonly type: "text"; readonly text: string; readonly isPasted: boolean };

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "tab"
  | "back-tab"
  | "backspace"
  | "delete"
  | "wheel-up"
  | "wheel-down"
  | "clear-line"
  | "delete-word"
  | "interrupt"
  | "suspend"
  | "redraw";

/** What stands behind ESC [ or ESC O. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "back-tab",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "5~": "page-up",
  "6~": "page-down",
  "7~": "home",
  "8~": "end",
};

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "interrupt",
  "\u0004": "page-down",
  "\u000c": "redraw",
  "\u0015": "clear-line",
  "\u0017": "delete-word",
  "\u001a": "suspend",
};

const ESC = String.fromCharCode(27);
const PASTE_BEGIN = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** More than anybody types into one line; the rest of a larger paste is left out. */
const PASTE_MAX = 20_000;
/** Longer than any key: what goes on like this is no key and is dropped. */
const SEQUENCE_MAX = 64;

const SEQUENCE = new RegExp(`^${ESC}(?:\\[([0-9;:<=>?]*[ -/]*)([@-~])|O([@-~]))`);
const UNFINISHED = new RegExp(`^${ESC}(?:\\[[0-9;:<=>? -/]*)?$|^${ESC}O$`);
const MOUSE = /^<(\d+);\d+;\d+$/;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;

/**
 * Turns what a terminal sends into keys. A sequence may arrive in pieces: what is not whole yet waits for the next
 * piece. A lone ESC is the key itself once `flush` says that nothing followed.
 */
export class KeyReader {
  #rest = "";
  #pasted: string | undefined;

  /** Something may still follow: whoever reads waits a moment and then flushes. */
  get isWaiting(): boolean {
    return this.#rest !== "" && this.#pasted === undefined;
  }

  read(bytes: string): readonly Key[] {
    this.#rest += bytes;
    const keys: Key[] = [];
    while (this.#rest !== "") {
      const before = this.#rest.length;
      const key = this.#pasted === undefined ? this.#next() : this.#paste();
      if (key) keys.push(key);
      if (this.#rest.length === before) break;
    }
    return keys;
  }

  /** Nothing followed: an ESC was the key, and what is left of a sequence was none. */
  flush(): readonly Key[] {
    if (!this.isWaiting) return [];
    const isEscape = this.#rest === ESC;
    this.#rest = "";
    return isEscape ? [named("escape")] : [];
  }

  #next(): Key | undefined {
    const rest = this.#rest;
    if (!rest.startsWith(ESC)) return this.#plain();
    if (rest.startsWith(PASTE_BEGIN)) {
      this.#pasted = "";
      this.#rest = rest.slice(PASTE_BEGIN.length);
      return undefined;
    }
    const found = SEQUENCE.exec(rest);
    if (found) {
      this.#rest = rest.slice(found[0].length);
      return keyOf(found[1] ?? "", found[2] ?? found[3] ?? "");
    }
    if (UNFINISHED.test(rest) && rest.length < SEQUENCE_MAX) return undefined;
    // ESC before another key is Alt with it, or two quick ones: the first is the key.
    this.#rest = rest.slice(ESC.length);
    return named("escape");
  }

  #plain(): Key | undefined {
    const control = CONTROLS[this.#rest[0] ?? ""];
    if (control) {
      this.#rest = this.#rest.slice(1);
      return named(control);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    const [text = ""] = /^[^\u0000-\u001f\u007f-\u009f]+/.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(text.length || 1);
    return text === "" ? undefined : { type: "text", text, isPasted: false };
  }

  #paste(): Key | undefined {
    const end = this.#rest.indexOf(PASTE_END);
    // The mark of the end may be cut in two.
    const taken = end < 0 ? Math.max(0, this.#rest.length - PASTE_END.length + 1) : end;
    this.#pasted = `${this.#pasted}${this.#rest.slice(0, taken)}`.slice(0, PASTE_MAX);
    this.#rest = this.#rest.slice(end < 0 ? taken : end + PASTE_END.length);
    if (end < 0) return undefined;
    const text = this.#pasted;
    this.#pasted = undefined;
    return text === "" ? undefined : { type: "text", text, isPasted: true };
  }
}

function named(name: KeyName): Key {
  return { type: "key", name };
}

function keyOf(parameters: string, final: string): Key | undefined {
  const [, button] = (final === "M" && MOUSE.exec(parameters)) || [];
  if (button !== undefined) {
    if (Number(button) === WHEEL_UP) return named("wheel-up");
    return Number(button) === WHEEL_DOWN ? named("wheel-down") : undefined;
  }
  // With Shift, Alt or Ctrl it is the same key: `1;5A` is Ctrl and up.
  const [first = ""] = parameters.split(";");
  const name = SEQUENCES[final === "~" ? `${first}~` : final];
  return name && named(name);
}
