import { readTodoEvent } from "../todo/recorded.js";
import { readSessionEvent } from "./events.js";

/** An event of a session's stream, as far as undo looks at it. */
export interface PastEvent {
  readonly type: string;
  readonly data: object;
  readonly actor?: string;
  readonly version: number;
  readonly at: number;
}

/** A person's change that can be taken back. */
interface PersonEdit {
  /** What the model was told that was done. */
  readonly action: string;
  readonly by: string | undefined;
  /** The version of its first event: what came before it is the list to go back to. */
  readonly from: number;
}

/** A write that no person made: nothing before it is undone. */
export interface ForeignWrite {
  readonly at: number;
  readonly by: string | undefined;
  /** The todos it touched. */
  readonly todos: readonly number[];
}

export interface Undoable {
  /** The newest first. */
  readonly edits: readonly PersonEdit[];
  readonly stop: ForeignWrite | undefined;
  /** Persons have changed the list before that write. */
  readonly hasEarlier: boolean;
}

/**
 * What persons have done since the last write of anybody else. Each undo belongs to the newest change before it that no
 * other undo belongs to: so the next one goes further back. `events`: the whole stream, without what a setting has
 * swept away.
 */
export function undoableEdits(events: readonly PastEvent[]): Undoable {
  const writes = writesIn(events);
  const edits: PersonEdit[] = [];
  let undone = 0;
  for (let at = writes.length - 1; at >= 0; at -= 1) {
    const write = writes[at];
    if (write?.kind === "foreign") {
      const hasEarlier = writes.slice(0, at).some(({ kind }) => kind === "edit");
      return { edits, stop: foreignWrite(write.events), hasEarlier };
    }
    if (write?.kind === "undo") undone += 1;
    else if (undone > 0) undone -= 1;
    else if (write)
      edits.push({ action: write.action, by: write.events[0]?.actor, from: write.events[0]?.version ?? 0 });
  }
  return { edits, stop: undefined, hasEarlier: false };
}

interface ListWrite {
  kind: "foreign" | "edit" | "undo";
  action: string;
  revision: number;
  readonly events: PastEvent[];
}

/** Events in a row of one actor and revision. A person's ends with `list.edited`, an undo with `edit.undone`. */
function writesIn(events: readonly PastEvent[]): readonly ListWrite[] {
  const writes: ListWrite[] = [];
  let open: ListWrite | undefined;
  for (const event of events) {
    const change = readTodoEvent(event.type, event.data);
    const told = change ? undefined : readSessionEvent(event.type, event.data);
    if (change && open?.kind === "foreign" && isSameWrite(open, change.revision, event)) open.events.push(event);
    else if (change) {
      open = { kind: "foreign", action: "", revision: change.revision, events: [event] };
      writes.push(open);
    } else if (open && told?.type === "list.edited") Object.assign(open, { kind: "edit", action: told.action });
    else if (open?.kind === "edit" && told?.type === "edit.undone") open.kind = "undo";
    else open = undefined;
  }
  return writes;
}

function isSameWrite({ revision, events }: ListWrite, next: number, { actor }: PastEvent): boolean {
  return revision === next && events[0]?.actor === actor;
}

function foreignWrite(events: readonly PastEvent[]): ForeignWrite {
  const todos = new Set(events.flatMap(({ data }) => ("number" in data ? [Number(data.number)] : [])));
  return { at: events[0]?.at ?? 0, by: events[0]?.actor, todos: [...todos] };
}
