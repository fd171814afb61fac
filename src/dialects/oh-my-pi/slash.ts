import { defined } from "../../core/json.js";
import type { NewPhase, TodoCommand, TodoEdit } from "../../core/todo/command.js";
import type { Todo, TodoList, TodoStatus } from "../../core/todo/list.js";
import type { TodoPolicy } from "../../core/todo/policy.js";
import { fromMarkdown, NO_PHASE, toMarkdown } from "./markdown.js";
import { newPhases, PI_POLICY, phasesOf } from "./pi-phases.js";
import { helpText, type SlashMode, type SlashSay, say } from "./slash-texts.js";
import { asSentence, asTitle, findPhase, findTodo, tokensIn } from "./words.js";

/** What is to be done about a person's `/todo ARGS`. */
export type SlashStep =
  | SlashSay
  | SlashChange
  | { readonly type: "export"; readonly path: string; readonly markdown: string }
  | { readonly type: "import"; readonly path: string }
  | { readonly type: "edit"; readonly markdown: string }
  | { readonly type: "copy"; readonly markdown: string };

/** A change of the list, also where nothing comes out of it: it is said, and told to the model. */
export interface SlashChange {
  readonly type: "change";
  /** What the model is told was done: `/todo done Wire it`. */
  readonly action: string;
  /** With level "status", once it is written. */
  readonly said: string;
  readonly command: TodoCommand;
  readonly policy: TodoPolicy;
}

export interface SlashOptions {
  readonly mode: SlashMode;
  /** The command as the person knows it: `/todo`, or one of a command line. */
  readonly name: string;
}

interface Request extends SlashOptions {
  readonly list: TodoList;
  /** All behind the verb, quotes and all. */
  readonly rest: string;
}

const VERBS: ReadonlyMap<string, (request: Request) => SlashStep> = new Map([
  ["", show],
  ["help", help],
  ["?", help],
  ["copy", copy],
  ["edit", edit],
  ["export", exportList],
  ["import", importList],
  ["append", append],
  ["start", start],
  ["done", close("done", "completed", "completed")],
  ["drop", close("drop", "cancelled", "abandoned")],
  ["rm", remove],
]);

/** What the person's words mean, without doing it. */
export function planSlash(args: string, list: TodoList, options: SlashOptions): SlashStep {
  const words = args.trim();
  const blank = words.search(/\s/);
  const verb = (blank < 0 ? words : words.slice(0, blank)).toLowerCase();
  const rest = blank < 0 ? "" : words.slice(blank).trim();
  const plan = VERBS.get(verb);
  return plan ? plan({ ...options, list, rest }) : unknownVerb(verb, options);
}

function unknownVerb(verb: string, { mode, name }: SlashOptions): SlashStep {
  const tui = `Unknown ${name} verb "${verb}".\n${helpText(name, mode)}`;
  const text = `Unknown ${name} subcommand. Use append, start, done, drop, rm, copy, export, import.`;
  return say(mode, "error", mode === "tui" ? tui : text);
}

function help({ mode, name }: Request): SlashStep {
  return say(mode, "status", helpText(name, mode));
}

function show({ list, mode, name }: Request): SlashStep {
  return say(mode, "status", listText(list) ?? `No todos. Use ${name} append <task> to start one.`);
}

/** Phases without todos are a list too. */
function listText(list: TodoList): string | undefined {
  return list.phases.length === 0 ? undefined : markdownOf(list).trimEnd();
}

function markdownOf(list: TodoList): string {
  return toMarkdown(phasesOf(list));
}

function copy({ list, mode }: Request): SlashStep {
  const shown = listText(list);
  if (mode === "text")
    return say(mode, "output", `Copy not available in ACP mode; printing instead:\n\n${shown ?? "No todos."}`);
  return shown === undefined ? say(mode, "warning", "No todos to copy.") : { type: "copy", markdown: markdownOf(list) };
}

function edit({ list, mode, name }: Request): SlashStep {
  const instead = `use ${name} export then ${name} import for non-interactive edits.`;
  if (mode === "text") return say(mode, "error", `${name} edit requires the TUI editor; ${instead}`);
  const example = `# ${NO_PHASE}\n- [ ] (replace this with your tasks)\n`;
  return { type: "edit", markdown: list.phases.length === 0 ? example : markdownOf(list) };
}

const DEFAULT_FILE = "TODO.md";

function exportList({ list, mode, rest }: Request): SlashStep {
  if (list.phases.length === 0) return say(mode, "warning", "No todos to export.");
  return { type: "export", path: rest || DEFAULT_FILE, markdown: markdownOf(list) };
}

function importList({ rest }: Request): SlashStep {
  return { type: "import", path: rest || DEFAULT_FILE };
}

/** What was in the file; `path` as it was read, so that the person sees which one. */
export function importStep(markdown: string, path: string, { mode, name }: SlashOptions): SlashSay | SlashChange {
  const told = { action: `${name} import ${path}`, said: (count: string) => `Imported ${count} from ${path}.` };
  return replaceStep(markdown, path, mode, told);
}

/** What the person saved in the editor. */
export function editStep(markdown: string, { mode, name }: SlashOptions): SlashSay | SlashChange {
  const told = { action: `${name} edit`, said: (count: string) => `Todos updated from editor: ${count}.` };
  return replaceStep(markdown, "Markdown", mode, told);
}

function replaceStep(
  markdown: string,
  what: string,
  mode: SlashMode,
  { action, said }: { readonly action: string; readonly said: (count: string) => string },
): SlashSay | SlashChange {
  const { phases, errors } = fromMarkdown(markdown);
  if (errors.length > 0) return say(mode, "error", [`Could not parse ${what}:`, ...errors].join("\n  "));
  const tasks = phases.reduce((count, phase) => count + phase.tasks.length, 0);
  const count = `${phases.length} phase(s), ${tasks} task(s)`;
  const command: TodoCommand = { type: "replace", phases: newPhases(phases) };
  return { type: "change", action, said: said(count), command, policy: PI_POLICY };
}

/** A person may repeat a todo, and may add one without starting it. */
const AS_WRITTEN: TodoPolicy = { ...PI_POLICY, duplicates: "allow", promote: "never", focus: "allow" };

function append({ list, mode, name, rest }: Request): SlashStep {
  const [first, ...others] = tokensIn(rest);
  if (first === undefined) return say(mode, "error", `Usage: ${name} append [<phase>] <task...>`);
  const text = asSentence(others.length === 0 ? first : others.join(" "));
  const { phase, command } = others.length === 0 ? addLast(list, text) : addInto(list, first, text);
  const said = `Appended to ${phase}: ${text}`;
  return { type: "change", action: `${name} append → ${phase}`, said, command, policy: AS_WRITTEN };
}

function addLast({ phases }: TodoList, text: string) {
  const last = phases.at(-1);
  const todos = [{ text }];
  // Without a name it is the last phase: an earlier one may have the same name.
  if (last) return { phase: last.name, command: edits({ type: "add", todos }) };
  return { phase: NO_PHASE, command: edits({ type: "add", phase: NO_PHASE, todos }) };
}

function addInto(list: TodoList, words: string, text: string) {
  const found = findPhase(list, words);
  const phase = found?.name ?? asTitle(words);
  const todos = [{ text }];
  const isTaken = !found && list.phases.some(({ name }) => name === phase);
  return { phase, command: isTaken ? withPhase(list, { name: phase, todos }) : edits({ type: "add", phase, todos }) };
}

/** A second phase of the same name: an edit would find the first one, so the whole list is told again. */
function withPhase({ phases, explanation }: TodoList, added: NewPhase): TodoCommand {
  const toldAgain = ({ number, text }: Todo) => ({ number, text });
  const kept = phases.map(({ name, todos }) => ({ name, todos: todos.map(toldAgain) }));
  return { type: "replace", phases: [...kept, added], ...defined({ explanation }) };
}

function edits(...all: readonly TodoEdit[]): TodoCommand {
  return { type: "edit", edits: all };
}

function start({ list, mode, name, rest }: Request): SlashStep {
  if (rest === "") return say(mode, "error", `Usage: ${name} start <task>`);
  // Quotes are only taken off in text mode.
  const query = (mode === "text" && tokensIn(rest).join(" ")) || rest;
  const todo = findTodo(list, query);
  if (!todo) return say(mode, "error", `No task matched "${rest}". Use ${name} to list current tasks.`);
  const move: TodoEdit = { type: "move", target: { text: todo.text }, to: "in_progress" };
  return toolChange(`${name} start ${todo.text}`, `Started: ${todo.text}`, move);
}

function close(verb: string, to: TodoStatus, word: string): (request: Request) => SlashStep {
  return ({ list, mode, name, rest }) => {
    const all: TodoEdit = { type: "move", target: { all: true }, to };
    if (rest === "") return toolChange(`${name} ${verb} (all)`, `Marked all tasks ${word}.`, all);
    const hit = findTarget(list, rest);
    if (!hit) return nothingFound(rest, mode);
    const said = hit.isPhase ? `Marked phase ${hit.name} ${word}.` : `Marked ${word}: ${hit.name}`;
    return toolChange(`${name} ${verb} ${hit.name}`, said, { type: "move", target: hit.target, to });
  };
}

function remove({ list, mode, name, rest }: Request): SlashStep {
  if (rest === "") return toolChange(`${name} rm (all)`, "Cleared all todos.", { type: "clear" });
  const hit = findTarget(list, rest);
  if (!hit) return nothingFound(rest, mode);
  const said = hit.isPhase ? `Removed phase: ${hit.name}` : `Removed: ${hit.name}`;
  return toolChange(`${name} rm ${hit.name}`, said, { type: "remove", target: hit.target });
}

function toolChange(action: string, said: string, change: TodoEdit): SlashChange {
  return { type: "change", action, said, command: edits(change), policy: PI_POLICY };
}

/** A todo comes before a phase. The tool's own edits then go by its text, and mean the first todo that has it. */
function findTarget(list: TodoList, query: string) {
  const todo = findTodo(list, query);
  if (todo) return { isPhase: false, name: todo.text, target: { text: todo.text } };
  const phase = findPhase(list, query);
  return phase && { isPhase: true, name: phase.name, target: { phase: phase.name } };
}

function nothingFound(query: string, mode: SlashMode): SlashSay {
  return say(mode, "error", `No task or phase matched "${query}".`);
}
