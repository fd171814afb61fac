import { promptText } from "../text/prompt-text.js";
import { type LoggedEvent, readSessionEvent, type SessionEvent, type ToldWord } from "./events.js";

const WORD_MAX = 2000;
const SENDER_MAX = 50;

/** One line for a model. */
export function wordLine({ text, by }: ToldWord): string {
  return `${promptText(text, WORD_MAX)}${by === undefined ? "" : ` (${promptText(by, SENDER_MAX)})`}`;
}

/** For clients that hand a message to the model as somebody else's. */
export const INTRODUCTION = "The person says through `milepost tell`: ";

export function withoutIntroduction(prompt: string): string {
  return prompt.startsWith(INTRODUCTION) ? prompt.slice(INTRODUCTION.length) : prompt;
}

/** Of a session: words that hooks say, and words that the client keeps and hands on. */
interface Undelivered {
  readonly words: readonly ToldWord[];
  readonly queued: readonly ToldWord[];
}

export function afterQueued({ words, queued }: Undelivered, place: number): Undelivered {
  return { words: without(words, place), queued: [...queued, ...words.slice(place, place + 1)] };
}

export function afterArrival(
  { words, queued }: Undelivered,
  { word, wasQueued }: { readonly word: number; readonly wasQueued: boolean },
): Undelivered {
  return wasQueued ? { words, queued: without(queued, word) } : { words: without(words, word), queued };
}

function without<Item>(items: readonly Item[], place: number): readonly Item[] {
  return items.filter((_, index) => index !== place);
}

/** The prompt is a word that the client itself handed to the model: no hook may say it once more. */
export function arrivedWord({ words, queued = [] }: Undelivered, prompt: string): readonly SessionEvent[] {
  if (words.length + queued.length === 0) return [];
  const said = withoutIntroduction(prompt.trim());
  const placeIn = (list: readonly ToldWord[]) => list.findIndex((word) => wordLine(word) === said);
  const [inQueue, inStore] = [placeIn(queued), placeIn(words)];
  if (inQueue >= 0) return [{ type: "word.arrived", word: inQueue, wasQueued: true }];
  return inStore >= 0 ? [{ type: "word.arrived", word: inStore, wasQueued: false }] : [];
}

/** `stored`: the next hook says it. `queued`: the client keeps it and hands it on. `seen`: the model has it. */
export type Delivery = "stored" | "queued" | "seen";

export interface WordRecord extends ToldWord {
  readonly at?: number;
  readonly delivery: Delivery;
  readonly seenAt?: number;
}

/** What was told to a session, and what became of it. The same moves as in `Session`, which keeps only what is open. */
export class WordHistory {
  readonly #all: { record: WordRecord }[];
  #stored: { record: WordRecord }[];
  #queued: { record: WordRecord }[];

  constructor({ words, queued = [] }: Undelivered = { words: [], queued: [] }) {
    this.#stored = words.map((word) => ({ record: { ...word, delivery: "stored" } }));
    this.#queued = queued.map((word) => ({ record: { ...word, delivery: "queued" } }));
    this.#all = [...this.#queued, ...this.#stored];
  }

  /** In the order they were told. */
  get records(): readonly WordRecord[] {
    return this.#all.map(({ record }) => record);
  }

  add({ type, data, at }: LoggedEvent): void {
    const event = readSessionEvent(type, data);
    if (event?.type === "word.told") this.#tell({ text: event.text, by: event.by, at, delivery: "stored" });
    if (event?.type === "word.delivered") this.#see(this.#stored.splice(0, event.words), at);
    if (event?.type === "word.arrived")
      this.#see((event.wasQueued ? this.#queued : this.#stored).splice(event.word, 1), at);
    if (event?.type === "word.queued") this.#queue(this.#stored.splice(event.word, 1));
  }

  #tell(record: WordRecord): void {
    const entry = { record };
    this.#all.push(entry);
    this.#stored.push(entry);
  }

  #see(entries: readonly { record: WordRecord }[], seenAt: number): void {
    for (const entry of entries) entry.record = { ...entry.record, delivery: "seen", seenAt };
  }

  #queue(entries: readonly { record: WordRecord }[]): void {
    for (const entry of entries) entry.record = { ...entry.record, delivery: "queued" };
    this.#queued.push(...entries);
  }
}
