import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../test/sizes.js";
import { EMPTY_LIST, type TodoList, type TodoStatus, todosOf } from "../core/todo/list.js";
import { scratchTables } from "../store/sqlite/memory-tables.js";
import type { Carried, Dialect, ToolCall } from "./dialect.js";
import { DIALECTS } from "./registry.js";
import { speak } from "./speak.js";

const openTables = await scratchTables();

/** A todo in nobody's words. */
interface Told {
  readonly text: string;
  readonly status: TodoStatus;
  readonly activeForm: string;
  readonly id: string;
  readonly notes: readonly string[];
  readonly phase: string;
}

type Todos = readonly Told[];
type Json = { readonly [field: string]: unknown };

/** How a model writes a list through each dialect, and how what that dialect shows is read. */
interface Voice {
  /** Calls that make an empty list this one. */
  write(todos: Todos): readonly object[];
  /** Calls that say the list once more as it was seen; by default it is written again. */
  again?(todos: Todos, list: TodoList): readonly object[];
  read(shown: unknown): readonly Partial<Told>[];
}

const items = (shown: unknown): readonly Json[] => shown as readonly Json[];

const contentVoice = (activeKey: "activeForm" | "active_form"): Voice => ({
  write: (todos) => [
    { todos: todos.map(({ text: content, status, activeForm, id }) => ({ content, status, activeForm, id })) },
  ],
  read: (shown) =>
    items(shown).map((item) => ({
      text: String(item.content),
      status: item.status as TodoStatus,
      activeForm: String(item[activeKey]),
      id: String(item.id),
    })),
});

const stepVoice: Voice = {
  write: (todos) => [{ plan: todos.map(({ text: step, status }) => ({ step, status })) }],
  read: (shown) =>
    items((shown as Json).plan).map(({ step, status }) => ({ text: String(step), status: status as TodoStatus })),
};

const planVoice: Voice = {
  write: (todos) => [{ entries: todos.map(({ text: content, status }) => ({ content, status, priority: "medium" })) }],
  read: (shown) =>
    items((shown as Json).entries).map(({ content, status }) => ({
      text: String(content),
      status: status as TodoStatus,
    })),
};

const descriptionVoice: Voice = {
  write: (todos) => [{ todos: todos.map(({ text: description, status }) => ({ description, status })) }],
  read: (shown) =>
    items((shown as Json).todos).map(({ description, status }) => ({
      text: String(description),
      status: status as TodoStatus,
    })),
};

const numbersOf = (todos: Todos, status: TodoStatus) =>
  todos.flatMap((todo, index) => (todo.status === status ? [index + 1] : []));

const milepostVoice: Voice = {
  write: (todos) => [
    { add: todos.map(({ text, activeForm }) => ({ text, activeForm })) },
    ...todos.flatMap(({ notes }, index) => notes.map((note) => ({ note: `#${index + 1} ${note}` }))),
    ...numbersOf(todos, "completed").map((done) => ({ done })),
    ...numbersOf(todos, "cancelled").map((drop) => ({ drop })),
    ...numbersOf(todos, "in_progress").map((start) => ({ start })),
  ],
  again: (_, list) =>
    todosOf(list).flatMap(({ number, status }) => (status === "in_progress" ? [{ start: number }] : [])),
  read: (shown) =>
    items((shown as Json).phases).flatMap(({ name, todos }) =>
      items(todos).map((todo) => ({ ...(todo as Partial<Told>), phase: String(name) })),
    ),
};

const grouped = (todos: Todos) => {
  const phases: { phase: string; items: string[] }[] = [];
  for (const { phase, text } of todos) {
    const last = phases.at(-1);
    if (last?.phase === phase) last.items.push(text);
    else phases.push({ phase, items: [text] });
  }
  return phases;
};

const PI_OPS: Readonly<Partial<Record<TodoStatus, string>>> = {
  completed: "done",
  cancelled: "drop",
  in_progress: "start",
};

const piVoice: Voice = {
  write: (todos) => {
    const moves = todos.flatMap(({ text: task, status }) => (PI_OPS[status] ? [{ op: PI_OPS[status], task }] : []));
    const notes = todos.flatMap(({ text: task, notes: all }) => all.map((text) => ({ op: "note", task, text })));
    return [{ ops: [{ op: "init", list: grouped(todos) }, ...notes, ...moves.sort(startLast)] }];
  },
  again: (todos) => [
    { ops: todos.flatMap(({ text: task, status }) => (status === "in_progress" ? [{ op: "start", task }] : [])) },
  ],
  read: (shown) =>
    items(shown).flatMap(({ name, tasks }) =>
      items(tasks).map(({ content, status, notes = [] }) => ({
        text: String(content),
        status: status === "abandoned" ? ("cancelled" as const) : (status as TodoStatus),
        notes: notes as readonly string[],
        phase: String(name),
      })),
    ),
};
const oneOpVoice: Voice = {
  write: (todos) => {
    const moves = todos.flatMap(({ text: task, status }) => (PI_OPS[status] ? [{ op: PI_OPS[status], task }] : []));
    return [{ op: "init", list: grouped(todos) }, ...moves.sort(startLast)];
  },
  again: (todos) =>
    todos.flatMap(({ text: task, status }) => (status === "in_progress" ? [{ op: "start", task }] : [])),
  read: piVoice.read,
};
const startLast = (a: { op?: string | undefined }, b: { op?: string | undefined }) =>
  Number(a.op === "start") - Number(b.op === "start");

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const sqlWord = ({ status }: Pick<Told, "status">) => (status === "completed" ? "done" : status);

const sqlVoice: Voice = {
  write: (todos) => [
    {
      description: "write todos",
      query: todos
        .map(({ id, text, status, notes }) => {
          const description = notes.length === 0 ? "NULL" : sqlText(notes.join("\n\n"));
          const row = [sqlText(id), sqlText(text), description, sqlText(sqlWord({ status }))];
          return `INSERT INTO todos (id, title, description, status) VALUES (${row.join(", ")})`;
        })
        .join("; "),
    },
  ],
  again: (todos) => [
    {
      description: "say it again",
      query: todos
        .map((todo) => `UPDATE todos SET status = ${sqlText(sqlWord(todo))} WHERE title = ${sqlText(todo.text)}`)
        .join("; "),
    },
  ],
  read: (shown) =>
    items((shown as Json).todos).map(({ id, title, description, status }) => ({
      text: String(title),
      status: status === "done" ? ("completed" as const) : (status as TodoStatus),
      id: String(id),
      notes: description === null ? [] : String(description).split("\n\n"),
    })),
};

const VOICES: Readonly<Record<string, Voice>> = {
  milepost: milepostVoice,
  claude: {
    ...contentVoice("activeForm"),
    write: (todos) => [
      { todos: todos.map(({ text: content, status, activeForm }) => ({ content, status, activeForm })) },
    ],
  },
  codex: stepVoice,
  "oh-my-pi": piVoice,
  "oh-my-pi/18": oneOpVoice,
  hermes: contentVoice("activeForm"),
  nexo: contentVoice("active_form"),
  "nexo/strict": contentVoice("active_form"),
  gencode: contentVoice("activeForm"),
  "gencode/node-0.5": contentVoice("activeForm"),
  openclaw: stepVoice,
  gemini: descriptionVoice,
  qwen: contentVoice("activeForm"),
  opencode: {
    ...contentVoice("activeForm"),
    write: (todos) => [{ todos: todos.map(({ text: content, status }) => ({ content, status, priority: "medium" })) }],
  },
  acp: planVoice,
  copilot: sqlVoice,
};

const FIELDS: Readonly<Partial<Record<Carried, keyof Told>>> = {
  "active form": "activeForm",
  id: "id",
  notes: "notes",
  phases: "phase",
};

const voiceOf = ({ name }: Dialect): Voice => {
  const voice = VOICES[name];
  if (!voice) throw new Error(`${name} has no voice here yet`);
  return voice;
};

function say(dialect: Dialect, list: TodoList, inputs: readonly object[]): TodoList {
  const [tool] = dialect.tools;
  return inputs.reduce<TodoList>((before, value) => {
    const call: ToolCall = { tool: tool?.name ?? "", input: { value }, openTables };
    const spoken = speak(dialect, before, call);
    expect(spoken.answer, `${dialect.name}: ${JSON.stringify(value)}`).toMatchObject({ isError: false });
    return spoken.list;
  }, list);
}

const seen = (dialect: Dialect, list: TodoList) => voiceOf(dialect).read(dialect.show(list));

/** What both can say of the todos that both have a word for. */
function shared(todos: readonly Partial<Told>[], one: Dialect, other: Dialect): readonly Partial<Told>[] {
  const both = (carried: Carried) => [one, other].every(({ vocabulary }) => vocabulary.carries.includes(carried));
  const fields = (Object.keys(FIELDS) as Carried[]).filter(both).flatMap((carried) => FIELDS[carried] ?? []);
  const isSaid = ({ status }: Partial<Told>) =>
    [one, other].every(({ vocabulary }) => status !== undefined && vocabulary.statuses[status] !== undefined);
  return todos
    .filter(isSaid)
    .map((todo) => Object.fromEntries((["text", "status", ...fields] as const).map((field) => [field, todo[field]])));
}

const byText = (a: Partial<Told>, b: Partial<Told>) => ((a.text ?? "") < (b.text ?? "") ? -1 : 1);

/** Words, so that none of them is a command, a number or blank; short enough for every dialect. */
const word = fc.stringMatching(/^[a-zäß世]{2,10}( [a-zé]{1,8}){0,2}$/);

/** One todo is in progress: with none, or with two, dialects differ on purpose. */
function listFor({ vocabulary }: Dialect): fc.Arbitrary<Todos> {
  const statuses = (["pending", "completed", "cancelled"] as const).filter(
    (one) => vocabulary.statuses[one] !== undefined,
  );
  const row = fc.record({
    text: word,
    status: fc.constantFrom(...statuses),
    activeForm: word,
    notes: fc.array(word, { maxLength: 2 }),
    phase: fc.constantFrom("P", "Q"),
  });
  const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: ({ text }) => text });
  return fc.tuple(rows, fc.nat()).map(([todos, at]) => {
    const sorted = [...todos].sort((a, b) => (a.phase < b.phase ? -1 : 1));
    return sorted.map(
      (todo, index): Told => ({
        ...todo,
        id: `k${index}`,
        status: index === at % sorted.length ? "in_progress" : todo.status,
      }),
    );
  });
}

const PAIRS = DIALECTS.flatMap((one) =>
  DIALECTS.map((other) => ({ one, other, name: `${one.name} -> ${other.name}` })),
);

describe("a list that was written through one dialect", () => {
  test.each(DIALECTS)("$name shows what it was told", (dialect) => {
    fc.assert(
      fc.property(listFor(dialect), (todos) => {
        const list = say(dialect, EMPTY_LIST, voiceOf(dialect).write(todos));
        // Hermes puts the todo in progress before those that wait.
        const shown = shared(seen(dialect, list), dialect, dialect);
        expect([...shown].sort(byText)).toEqual([...shared(todos, dialect, dialect)].sort(byText));
      }),
      { numRuns: sized(40, 1000) },
    );
  });

  test.each(PAIRS)("$name: is read with all that the other can say", ({ one, other }) => {
    fc.assert(
      fc.property(listFor(one), (todos) => {
        const list = say(one, EMPTY_LIST, voiceOf(one).write(todos));
        expect(shared(seen(other, list), one, other)).toEqual(shared(seen(one, list), one, other));
      }),
      { numRuns: sized(20, 1000) },
    );
  });

  test.each(PAIRS)(
    "$name: is said again by the other, and loses nothing that the other cannot say",
    ({ one, other }) => {
      fc.assert(
        fc.property(listFor(one), (todos) => {
          const before = say(one, EMPTY_LIST, voiceOf(one).write(todos));
          const voice = voiceOf(other);
          const told = seen(other, before) as Todos;
          const after = say(other, before, voice.again?.(told, before) ?? voice.write(told));
          const isSaid = ({ status }: { readonly status: TodoStatus }) =>
            other.vocabulary.statuses[status] !== undefined;
          const kept = todosOf(before).filter((todo) => voice.again !== undefined || isSaid(todo));
          const fields = (list: readonly object[]) => [...(list as Told[])].sort(byText).map(unshared(other));
          expect(fields(todosOf(after))).toEqual(fields(kept));
        }),
        { numRuns: sized(20, 1000) },
      );
    },
  );
});

/** Everything of a todo but what the dialect itself says, which it may say in its own way. */
function unshared({ vocabulary }: Dialect) {
  const own = new Set<string>(vocabulary.carries.flatMap((carried) => FIELDS[carried] ?? []));
  // An id is kept as the todo's key.
  if (own.has("id")) own.add("key");
  return (todo: object) => Object.fromEntries(Object.entries(todo).filter(([field]) => !own.has(field)));
}
