import { createMilepost } from "../src/app/milepost.js";
import { append, type NewEvent } from "../src/store/event-store.js";
import type { Store } from "../src/store/store.js";

export const TODOS = 20;

/** Worded as agents word them; two wordings, so that a rename changes something every time. */
const wording = (number: number, turn: number) =>
  `Rewrite the retry logic around uploader ${number} ${turn % 2 === 0 ? "and its flaky tests" : "with fewer waits"}`;

/** A list as a model makes one. */
export async function plan(store: Store, session: string, todos = TODOS): Promise<void> {
  const add = Array.from({ length: todos }, (_, index) => wording(index + 1, 0));
  expectOk(await createMilepost(store).call({ tool: "todo", session, input: { add } }));
}

/** About 200 bytes of data. `turn` counts from 0 in each list. */
export function renamed(turn: number, todos = TODOS): NewEvent {
  const number = (turn % todos) + 1;
  const round = Math.floor(turn / todos);
  const data = { number, from: wording(number, round), to: wording(number, round + 1), revision: turn + 2 };
  return { type: "todo.renamed", data };
}

const CIRCLE = ["pending", "in_progress", "completed"] as const;

/** Small facts that keep the list as small as it is; a note comes rarely, because notes stay. */
export function moved(turn: number): NewEvent {
  const number = (turn % TODOS) + 1;
  const revision = turn + 2;
  if (turn % 20_000 === 50) return { type: "todo.noted", data: { number, text: "Waits for a review.", revision } };
  const round = Math.floor(turn / TODOS);
  return { type: "todo.moved", data: { number, from: CIRCLE[round % 3], to: CIRCLE[(round + 1) % 3], revision } };
}

/** What a tool did, about 200 bytes. */
export function called(turn: number): NewEvent {
  const input = { command: "npm test -- --reporter=dot", cwd: "/home/somebody/projects/uploader", timeout: 120_000 };
  const data = { call: `toolu_${turn.toString().padStart(12, "0")}`, tool: "Bash", input, exit: 0, lines: turn % 400 };
  return { type: "call.finished", data };
}

/** Many events in few commits. */
export async function fill(store: Store, stream: string, events: readonly NewEvent[]): Promise<void> {
  expectOk(await store.commit(append([{ stream, events }])));
}

/** A bench that measures refusals measures nothing. */
export function expectOk(result: { readonly ok: boolean; readonly error?: unknown }): void {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
}
