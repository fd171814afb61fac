import { changeOfTurn, type Timeline } from "../../core/timeline/timeline.js";
import { type SessionReport, todosIn } from "../transcripts/session-report.js";

/** Files that a diff is asked of, since when they were worked on, and what that is called in a sentence. */
interface DiffFiles {
  readonly files: readonly string[];
  /** Milliseconds; undefined where no record had a time. */
  readonly since: number | undefined;
  readonly what: string;
}

/** The files of a session's last turn, or of one of its todos. */
export function filesOfDiff(session: SessionReport, timeline: Timeline | undefined, of: "turn" | number): DiffFiles {
  if (of === "turn") {
    const files = timeline ? changeOfTurn(timeline).files.map(({ path }) => path) : [];
    return { files, since: timeline?.turns.at(-1)?.at || undefined, what: "in the last turn" };
  }
  const todos = [...todosIn(session), ...(session.finished ? todosIn({ list: session.finished }) : [])];
  const todo = todos.find(({ number }) => number === of);
  const span = timeline?.todos.find(({ number }) => number === of)?.spans[0];
  return { files: todo?.facts?.files ?? [], since: span?.at || undefined, what: `for todo ${of}` };
}
