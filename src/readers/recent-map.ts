/**
 * Remembers at least the last so many, and at most twice as many. Whole halves are dropped at once: to drop one for each
 * that comes costs as much as keeping it.
 */
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
