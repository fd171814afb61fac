import { isSameJson } from "../../../core/json.js";
import { reportList, type TodoListReport } from "../../todo/todo-report.js";
import { type ShownTodos, todoLines } from "../changes.js";
import type { SessionReport } from "../session-report.js";
import type { ListWrite } from "./list-events.js";

/** Whose lists are told from the log, and what was told of the others by comparing two looks. */
export class ToldLists {
  readonly #told = new Set<string>();
  readonly #compared = new Map<string, ShownTodos>();

  has(session: string): boolean {
    return this.#told.has(session);
  }

  add(session: string): void {
    this.#told.add(session);
  }

  /** It was told of as it is here. */
  compared(session: SessionReport): void {
    this.#compared.set(session.id, session);
  }

  /** Up to its first write the list was read from a transcript, which may have told of that very write already. */
  linesOf({ session, lines, list, finished }: ListWrite): readonly string[] {
    const compared = this.#told.has(session) ? undefined : this.#compared.get(session);
    this.#told.add(session);
    this.#compared.delete(session);
    if (!compared || compared.list.phases.length + (compared.finished?.phases.length ?? 0) === 0) return lines;
    const done = finished && reportList(finished, undefined);
    const isKnown = !done || (compared.finished !== null && isSameJson(textsOf(done), textsOf(compared.finished)));
    const now = { list: reportList(list, undefined), finished: isKnown ? compared.finished : { at: null, ...done } };
    return todoLines(compared, now);
  }
}

function textsOf({ phases }: TodoListReport): readonly unknown[] {
  return phases.flatMap(({ todos }) => todos.map(({ text, status }) => [text, status]));
}
