import { type Todo, type TodoList, todosOf } from "../todo/list.js";
import type { JudgeTodo } from "./judged.js";

/** Todos that are called completed against the facts, by number. */
export interface Doubts {
  readonly contradicted: readonly number[];
  readonly unbacked: readonly number[];
}

/** Undefined where the facts are against none of them. */
export function doubtsOf(list: TodoList, judge: JudgeTodo): Doubts | undefined {
  const completed = todosOf(list).filter(({ status }) => status === "completed");
  const judged = completed.map((todo: Todo) => [todo.number, judge(todo).judgement?.verdict] as const);
  const of = (asked: string) => judged.filter(([, verdict]) => verdict === asked).map(([number]) => number);
  const doubts = { contradicted: of("contradicted"), unbacked: of("unbacked") };
  return doubts.contradicted.length + doubts.unbacked.length === 0 ? undefined : doubts;
}

const MOST_NAMED = 5;

/** One line for a model: only what it should look at again. Finished work is not told again otherwise. */
export function doubtsText({ contradicted, unbacked }: Doubts): string {
  return [
    ...(contradicted.length > 0 ? [`${namesOf(contradicted)} called completed, but the last check failed.`] : []),
    ...(unbacked.length > 0
      ? [`${namesOf(unbacked)} called completed, but nothing ran for ${unbacked.length === 1 ? "it" : "them"}.`]
      : []),
  ].join(" ");
}

/** `#2 is`, `#2, #3 and 4 more are`. */
function namesOf(numbers: readonly number[]): string {
  const named = numbers.slice(0, MOST_NAMED).map((number) => `#${number}`);
  const more = numbers.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""} ${numbers.length === 1 ? "is" : "are"}`;
}
