import { fail, ok, type Result } from "../../../core/result.js";
import type { Target, TodoEdit } from "../../../core/todo/command.js";
import type { TodoList } from "../../../core/todo/list.js";
import { todoNames, whichTodo } from "../../../core/todo/pick-todos.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { many, needed, text, toggle } from "../../fields.js";
import { readLines } from "../../json-lines.js";
import { shellWord } from "../../terminal/next-step.js";
import { showChange } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { changeList, type OpenedList } from "../../todo/person-edit.js";

export const addTodos = defineCommand({
  details: `All words of one call are the text of one todo, quoted or not. For several todos, write one a line to
standard input and say -. Without a flag it goes to the end of the last phase. It is not started: the agent does
that, or milepost todo start.`,
  examples: [
    "milepost todo add Write the docs",
    'milepost todo add "Check the cookie" --after 3 --note "see src/cookie.ts"',
    "printf 'Write tests\\nRun tests\\n' | milepost todo add - --phase Tests",
  ],
  words: ["text"],
  input: {
    text: needed(
      many(text("TEXT", "what is to be done; - reads one todo a line from standard input", { mayBeEmpty: true })),
    ),
    phase: text("PHASE", "into this phase, which is made if it is not there"),
    after: text("TODO", "right behind this todo"),
    first: toggle("before all others of its phase"),
    note: text("TEXT", "a note to keep with it"),
    ...WHOSE,
  },
  async run(context, { text, phase, after, first, note, ...whose }) {
    const texts = await textsOf(context, text);
    if (texts.length === 0) return fail("empty-text", "The text is empty: say what is to be done.");
    if (after !== undefined && (first || phase !== undefined))
      return fail("bad-usage", "--after names the place: leave --first and --phase out.");
    return changeList(context, whose, (list, opened) => {
      const spot = spotFor(list, { phase, after, first, words: shellWord(text.join(" ")) }, opened);
      if (!spot.ok) return spot;
      const added = texts.map((one, at) => ({ number: list.nextNumber + at, text: one }));
      const notes = note === undefined ? [] : [note];
      const todos = texts.map((one) => ({ text: one, notes }));
      const edits: TodoEdit[] = [{ type: "add", todos, ...spot.value.into }];
      const { before } = spot.value;
      if (before) edits.push({ type: "order", targets: [...before, ...added.map(({ number }) => ({ number }))] });
      return ok({
        command: { type: "edit", edits, advance: false },
        action: `add ${todoNames(added)}`,
        wish: `add ${texts.join(", ")}${note === undefined ? "" : ` (${note})`}`,
        said: `Added${spot.value.name}: ${todoNames(added)}`,
        todos: added.map(({ number }) => number),
      });
    });
  },
  show: showChange,
});

async function textsOf({ input }: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  if (words.join(" ") !== "-") texts.push(words.join(" "));
  else for await (const line of readLines(input.bytes)) texts.push(line.text ?? "");
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}

interface Where {
  readonly phase: string | undefined;
  readonly after: string | undefined;
  readonly first: boolean;
  /** The text as it was typed, for a hint. */
  readonly words: string;
}

interface Spot {
  readonly into?: { readonly phase: string };
  /** Those that stand before it; undefined: all of the phase. */
  readonly before?: readonly Target[];
  /** Said where the phase is not the obvious one. */
  readonly name: string;
}

function spotFor(list: TodoList, { phase, after, first, words }: Where, { hint }: OpenedList): Result<Spot> {
  if (after !== undefined) {
    const todo = whichTodo(list, after, hint, (at) => `add ${words} --after ${at}`);
    if (!todo.ok) return todo;
    const { number } = todo.value;
    const home = list.phases.find(({ todos }) => todos.some((one) => one.number === number));
    const place = home?.todos.findIndex((one) => one.number === number) ?? -1;
    return ok({ into: { phase: home?.name ?? "" }, before: home?.todos.slice(0, place + 1) ?? [], name: "" });
  }
  const asked = phase?.replace(/\s+/g, " ").trim();
  const known = list.phases.find(({ name }) => name.toLowerCase() === asked?.toLowerCase());
  const name = known?.name ?? asked ?? (first ? list.phases[0]?.name : undefined);
  const said = asked === undefined ? "" : known ? ` to ${known.name}` : ` to the new phase ${asked}`;
  return ok({
    ...(name === undefined ? undefined : { into: { phase: name } }),
    ...(first ? { before: [] } : undefined),
    name: said,
  });
}
