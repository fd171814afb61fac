/** Keeps the last `most` entries, and up to as many more: dropping a half at a time is cheaper than one by one. */
export class RecentMap<Value> {
  readonly #most: number;
  #old = new Map<string, Value>();
  #new: Map<string, Value>;

  constructor(most: number, entries?: Iterable<readonly [string, Value]>) {
    this.#most = most;
    this.#new = new Map(entries);
  }

  get(key: string): Value | undefined {
    return this.#new.get(key) ?? this.#old.get(key);
  }

  has(key: string): boolean {
    return this.#new.has(key) || this.#old.has(key);
  }

  /** True when something had to be dropped. */
  set(key: string, value: Value): boolean {
    this.#new.set(key, value);
    if (this.#new.size < this.#most) return false;
    const isDropping = this.#old.size > 0;
    this.#old = this.#new;
    this.#new = new Map();
    return isDropping;
  }

  /** The oldest first. */
  entries(): readonly (readonly [string, Value])[] {
    return [...this.#old, ...this.#new];
  }
}

/** The entry that was added first goes when there are more than `most`. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

const LINE_ID_MAX = 200;

/** An id that is only compared with others: any characters, but not many. */
export function lineId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= LINE_ID_MAX ? value : undefined;
}

/** Things in the order they came, each once. */
export class Places<Thing> {
  readonly all: Thing[] = [];

  of(thing: Thing): number {
    const known = this.all.indexOf(thing);
    return known >= 0 ? known : this.all.push(thing) - 1;
  }
}

/** Tells texts apart without keeping them. Not for anything that has to withstand an attack. */
export function fingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
