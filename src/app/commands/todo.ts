import { lstat, readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { checkId } from "../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { NEW_SESSION } from "../../core/session/session.js";
import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import { type TodoList, todosOf } from "../../core/todo/list.js";
import { fromMarkdown } from "../../dialects/oh-my-pi/markdown.js";
import { PI_POLICY } from "../../dialects/oh-my-pi/pi-phases.js";
import { planSlash, type SlashChange, type SlashStep } from "../../dialects/oh-my-pi/slash.js";
import { type SlashMode, say } from "../../dialects/oh-my-pi/slash-texts.js";
import { findTodo } from "../../dialects/oh-my-pi/words.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream, streamsOfSession } from "../../store/stream.js";
import { type CommandContext, defineCommand, type Given } from "../command.js";
import { findListed } from "../session/find-session.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { type OfferedTask, offerTasks } from "../tasks/links/offer-tasks.js";
import { DRAWINGS, drawList } from "../terminal/draw-list.js";
import { nextStep, WHO_FLAGS } from "../terminal/next-step.js";
import { copyToClipboard } from "../todo/clipboard.js";
import { editText } from "../todo/editor.js";
import { type EditPlace, personOf } from "../todo/person-edit.js";
import { onRealList, shownList } from "../todo/shown-list.js";
import { runSlash, type SlashRun, type SlashWorld } from "../todo/slash-run.js";
import { aimAt, numberedTodo } from "../todo/todo-number.js";
import { undoEdit } from "../todo/undo-edit.js";
import { attachedList } from "../transcripts/attached-list.js";
import { LISTS } from "../views.js";

const NAME = "milepost todo";

export const todo = defineCommand({
  details: `Without words: the list, as markdown. Words:
  start TASK           take it up; what was in progress goes back to pending
  done [TASK|PHASE]    finish it; without a name everything
  drop [TASK|PHASE]    it is no longer needed
  rm [TASK|PHASE]      take it off the list; without a name everything
  append [PHASE] TASK  add it; a phase that is not there is made
  note TASK TEXT       keep a note with it
  edit                 change the list as markdown in $VISUAL or $EDITOR
  export [FILE]        write it as markdown (default: TODO.md)
  import [FILE]        replace it from markdown (default: TODO.md)
  copy                 copy it as markdown to the clipboard
  undo                 take a person's last change back; once more brings it back again
TASK and PHASE may be a part of the name, as long as it fits one only; TASK may also be its number, as in #3. What you change is recorded as yours, and the
agent is told with its next step (it needs the hooks that milepost setup wires).

Examples:
  milepost todo append "Write the docs"
  milepost todo done docs`,
  words: ["verb", "text"],
  input: z.object({
    verb: z.string().optional().describe("what to do; see below"),
    text: z.array(z.string()).optional().describe("which todo, or its words"),
    session: z.string().optional().describe("the session (default: the newest in this project)"),
    agent: z.string().optional().describe("a sub-agent in it"),
    as: z.string().min(1).optional().describe("who does it (default: user@host)"),
    view: z
      .enum(["markdown", ...DRAWINGS])
      .default("markdown")
      .describe("how the list is shown: markdown, a tree, or as that agent draws it"),
    force: z.boolean().default(false).describe("export over a file that is no list"),
  }),
  async run(context, { verb = "show", text = [], session: asked, agent, as, view, force }) {
    const person = personOf(as);
    if (!person.ok) return person;
    const words: Words = { verb: verb.toLowerCase(), text };
    const wrong = wrongWords(words);
    if (wrong !== undefined) return fail({ code: "bad-usage", message: `${wrong} See ${NAME} --help.` });
    const found = await placeOf(context, asked, agent);
    if (!found.ok) return found;
    const { session, stream } = found.value;
    const { clearAfter } = readSettings(context.environment);
    const place = { stream, by: person.value, clearAfter };
    const { store } = await context.open(words.verb === "show" ? "read" : "write");
    const before = await store.view(LISTS, stream);
    const run =
      words.verb === "undo"
        ? await undo(store, place)
        : await runSlash({ ...worldOf(context, words, force), ...place, store });
    if (!run.ok) return run;
    const { said, list, isChanged = false } = run.value;
    if (said.isRefused) return fail(refusal(said.text));
    const tasks = isChanged ? await offerTasks(context, store, stream, { before, after: list, by: person.value }) : [];
    const isDrawn = words.verb === "show" && view !== "markdown" && todosOf(list).length > 0;
    const drawn = isDrawn ? { view } : undefined;
    const offers = tasks.length > 0 ? { tasks } : undefined;
    return ok<Shown>({ session, said: said.text, changed: isChanged, ...drawn, list, ...offers });
  },
  show: ({ said, view, list, tasks = [] }, output, given) => {
    const rows = view === undefined ? terminalLines(said) : drawList(list, view, output);
    return `${[...rows, ...tasks.map((task) => taskRow(task, given))].join("\n")}\n`;
  },
});

interface Shown {
  readonly session: string;
  readonly said: string;
  readonly changed: boolean;
  /** Instead of what is said, the list is drawn. */
  readonly view?: string;
  readonly list: TodoList;
  /** What todos stand for that were just finished. */
  readonly tasks?: readonly OfferedTask[];
}

function taskRow({ task, list, subject, finished }: OfferedTask, { as, store }: Given): string {
  const what = `It stands for task #${task}: ${terminalText(subject)}.`;
  if (finished) return `${what} That is done too.`;
  return `${what} If that is done too: ${nextStep(`task done ${task}`, { list, as, store }, WHO_FLAGS)}`;
}

interface Words {
  readonly verb: string;
  readonly text: readonly string[];
}

interface Found {
  readonly session: string;
  readonly stream: string;
}

/** A list of the store. One that is only read from a transcript cannot be changed here, and that is said. */
async function placeOf(
  context: CommandContext,
  asked: string | undefined,
  named: string | undefined,
): Promise<Result<Found>> {
  const refused = named === undefined ? undefined : checkId("agent", named);
  if (refused) return refused;
  // Where sub-agents share the session's list, that is the one.
  const agent = readSettings(context.environment).subAgents === "shared" ? undefined : named;
  const { store } = await context.open("read");
  const found = await findListed(store, asked, context.folder);
  if (!found.ok) return found;
  const stream = sessionStream(found.value, agent);
  const { revision } = await store.view(LISTS, stream);
  const refusal = revision === 0 ? await whyNotOurs(context, store, found.value, agent) : undefined;
  return refusal ? fail(refusal) : ok({ session: found.value, stream });
}

/** A list is not made for whom nobody knows: the id may be mistyped, or that of a session that could not be read. */
async function whyNotOurs(
  context: CommandContext,
  store: EventStore,
  session: string,
  agent: string | undefined,
): Promise<Failure | undefined> {
  const { found, troubles } = await attachedList(context, session, agent);
  if (found) return { code: "only-read", message: onlyRead(found.session) };
  if (await isStored(store, session)) return undefined;
  const message = `No session ${session} is known. milepost sessions --all shows what there is.`;
  return { code: "no-session", message: [message, ...troubles].join(" ") };
}

/** Anything was ever reported of it. */
async function isStored(store: EventStore, session: string): Promise<boolean> {
  const { exact } = streamsOfSession(session);
  for (const stream of exact) {
    const pages = await store.read({ stream });
    if (pages.ok) for await (const page of pages.value) if (page.events.length > 0) return true;
  }
  // Events may have been pruned; what they came to is kept.
  return !isDeepStrictEqual(await store.view(SESSIONS, sessionStream(session)), NEW_SESSION);
}

function onlyRead(session: string): string {
  return `Session ${session} is only read, from its transcript: its list is its agent's own. milepost digest shows it; milepost setup wires the agent.`;
}

function worldOf(
  { folder, environment, program, output }: CommandContext,
  words: Words,
  force: boolean,
): Omit<SlashWorld, "store" | keyof EditPlace> {
  const mode: SlashMode = output.isTerminal ? "tui" : "text";
  const { platform, temporaryFolder } = program;
  return {
    folder,
    mode,
    name: NAME,
    plan: (list) => planWords(words, shownList(list), mode),
    change: (step, list) => ({ ...step, command: onRealList(step.command, list) }),
    edit: (markdown) => editText({ environment, platform, temporaryFolder }, "TODO.md", markdown),
    copy: (markdown) => copyToClipboard(platform, environment, markdown),
    guard: (path) => whyNotOver(path, force),
  };
}

const VERBS = "show, start, done, drop, rm, append, note, edit, export, import, copy, undo";

/** A name that is empty is none: a shell variable that was not set must not mean everything. */
function wrongWords({ verb, text }: Words): string | undefined {
  if (!VERBS.split(", ").includes(verb)) return `There is no verb ${JSON.stringify(verb)}. Verbs: ${VERBS}.`;
  return text.some((word) => word.trim() === "") ? "A name or a text is empty." : undefined;
}

/** The person's shell has taken the quotes off: words with blanks get them back where they group. */
function planWords({ verb, text }: Words, list: TodoList, mode: SlashMode): SlashStep {
  const [first, ...others] = text;
  const numbered = NUMBERED.includes(verb) ? numberedTodo(list, verb === "note" ? first : text.join(" ")) : undefined;
  if (numbered) {
    const named = [numbered.text, ...(verb === "note" ? others : [])];
    return aimAt(numbered.number, planNamed({ verb, text: named }, list, mode));
  }
  return planNamed({ verb, text }, list, mode);
}

/** Verbs that take one todo. */
const NUMBERED = ["start", "done", "drop", "rm", "note"];

function planNamed({ verb, text }: Words, list: TodoList, mode: SlashMode): SlashStep {
  const own = OWN_VERBS[verb]?.(text, list, mode);
  if (own) return own;
  const rest = text.map((word) => GROUPED[verb]?.(word, mode) ?? word).join(" ");
  return planSlash(verb === "show" ? "" : `${verb} ${rest}`, list, { mode, name: NAME });
}

/** What the original does not have, or has no good words for where nobody sits at a terminal. */
const OWN_VERBS: Readonly<
  Record<string, (text: readonly string[], list: TodoList, mode: SlashMode) => SlashStep | undefined>
> = {
  note: planNote,
  copy: (_, list, mode) => (mode === "tui" ? undefined : planSlash("", list, { mode, name: NAME })),
  edit: (_, __, mode) => (mode === "tui" ? undefined : say(mode, "error", NO_TERMINAL)),
};

const NO_TERMINAL = `An editor needs a terminal. Use ${NAME} export, and then ${NAME} import.`;

/** Where the original takes quotes off itself, they are put back. What is added is one line. */
const GROUPED: Readonly<Record<string, (word: string, mode: SlashMode) => string | undefined>> = {
  append: (word) => quoted(word.replace(/\s+/g, " ").trim()),
  start: (word, mode) => (mode === "text" ? quoted(word) : undefined),
};

function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

function planNote([query, ...words]: readonly string[], list: TodoList, mode: SlashMode): SlashStep {
  const text = words.join(" ").trim();
  if (query === undefined || text === "") return say(mode, "error", `Usage: ${NAME} note <task> <text...>`);
  const found = findTodo(list, query);
  if (!found) return say(mode, "error", `No task matched "${query}". Use ${NAME} to list current tasks.`);
  return {
    type: "change",
    action: `${NAME} note ${found.text}`,
    said: `Noted: ${found.text}`,
    command: { type: "edit", edits: [{ type: "note", target: { number: found.number }, text }] },
    policy: PI_POLICY,
  } satisfies SlashChange;
}

/** What was exported before may be exported again; anything else that is there is not ours to overwrite. */
async function whyNotOver(path: string, force: boolean): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isDirectory() || force) return undefined;
  if (!found.isFile()) return "it is no plain file";
  const { errors, phases } = fromMarkdown(await readFile(path, "utf8"));
  const isList = errors.length === 0 && (found.size === 0 || phases.some(({ tasks }) => tasks.length > 0));
  return isList ? undefined : "it is there already and is no list; take another name, or --force";
}

async function undo(store: SlashWorld["store"], place: EditPlace) {
  const action = `${NAME} undo`;
  const done = await undoEdit(store, place, action);
  if (!done.ok) return done;
  const said = say("text", "status", "Took back the last change.");
  return ok<SlashRun>({ said, list: done.value, action, isChanged: true });
}

/** One line: the rest is in the help. */
function refusal(text: string) {
  const [first = "", ...rest] = text.split("\n");
  const isUsage = first.startsWith("Usage:");
  if (isUsage) return { code: "bad-usage", message: `${first}. See ${NAME} --help.` };
  return { code: "refused", message: [first, ...rest].map((line) => line.trim()).join(" ") };
}
