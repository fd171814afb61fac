import { isDict, isList, isTrue, type PythonDict, type PythonValue } from "../../dialects/wording/python-value.js";
import { todoPreview } from "./hermes-todo-texts.js";
import { type HermesEdition, isTodoTool } from "./hermes-tools.js";
import { printedAt, saidAt, shortened } from "./hermes-values.js";

interface TitledCall {
  readonly tool: string;
  readonly args: PythonDict;
  /** Hermes' own line about the arguments, which comes with the callback. */
  readonly preview?: string | undefined;
}

const PREVIEW_MAX = 80;

/** What a call is called in the editor. */
export function hermesTitle({ tool, args, preview }: TitledCall, edition: HermesEdition): string {
  if (edition === "2026-08") {
    const name = isTodoTool(tool) ? "todo" : tool;
    return Object.hasOwn(TITLES, name) ? (TITLES[name]?.(args) ?? tool) : tool;
  }
  const line = preview || (isTodoTool(tool) ? todoPreview(args) : "");
  return line === "" ? tool : `${tool}: ${shortened(line, PREVIEW_MAX)}`;
}

const UNKNOWN = "?";

/** The title where the field says something, else the plain one. */
function withSaid(args: PythonDict, field: string, title: (said: string) => string, plain: string): string {
  const said = saidAt(args, [field]);
  return said === "" ? plain : title(said);
}

/** Titles of the edition 2026-08, which are its own words for each tool. */
const TITLES: Readonly<Record<string, (args: PythonDict) => string>> = {
  todo: (args) => todoTitle(args.get("todos")),
  terminal: (args) => `terminal: ${shortened(printedAt(args, "command", ""), 80)}`,
  read_file: (args) => `read: ${printedAt(args, "path", UNKNOWN)}`,
  write_file: (args) => `write: ${printedAt(args, "path", UNKNOWN)}`,
  patch: (args) => `patch (${printedAt(args, "mode", "replace")}): ${printedAt(args, "path", UNKNOWN)}`,
  search_files: (args) => `search: ${printedAt(args, "pattern", UNKNOWN)}`,
  web_search: (args) => `web search: ${printedAt(args, "query", UNKNOWN)}`,
  web_extract: (args) => extractTitle(args.get("urls")),
  process: (args) => {
    const action = saidAt(args, ["action"], "manage");
    return withSaid(args, "session_id", (session) => `process ${action}: ${session}`, `process ${action}`);
  },
  delegate_task: (args) => delegateTitle(args),
  session_search: (args) => withSaid(args, "query", (query) => `session search: ${query}`, "recent sessions"),
  memory: (args) => `memory ${saidAt(args, ["action"], "manage")}: ${saidAt(args, ["target"], "memory")}`,
  execute_code: (args) => codeTitle(saidAt(args, ["code"])),
  skill_view: (args) => `skill view (${skillPath(args)})`,
  skills_list: (args) => withSaid(args, "category", (category) => `skills list (${category})`, "skills list"),
  skill_manage: (args) => `skill ${saidAt(args, ["action"], "manage")}: ${shortened(skillPath(args), 64)}`,
  browser_navigate: (args) => `navigate: ${printedAt(args, "url", UNKNOWN)}`,
  browser_snapshot: () => "browser snapshot",
  browser_get_images: () => "browser images",
  browser_vision: (args) => `browser vision: ${firstOf(printedAt(args, "question", UNKNOWN), 50)}`,
  vision_analyze: (args) => `analyze image: ${firstOf(printedAt(args, "question", UNKNOWN), 50)}`,
  image_generate: (args) => {
    const prompt = saidAt(args, ["prompt", "description"]);
    return prompt === "" ? "generate image" : `generate image: ${firstOf(prompt, 50)}`;
  },
  cronjob: (args) => {
    const title = `cron ${saidAt(args, ["action"], "manage")}`;
    const job = saidAt(args, ["job_id", "id"]);
    return job === "" ? title : `${title}: ${job}`;
  },
};

function todoTitle(items: PythonValue | undefined): string {
  return isList(items) ? `todo (${items.length} item${items.length === 1 ? "" : "s"})` : "todo";
}

/** Models also give a single result of a search, or a bare address, where a list is asked for. */
function extractTitle(urls: PythonValue | undefined): string {
  if (!isTrue(urls)) return "web extract";
  const address = addressIn(isList(urls) ? (urls[0] ?? null) : urls);
  const more = isList(urls) ? urls.length - 1 : 0;
  return `extract: ${address}${more > 0 ? ` (+${more})` : ""}`;
}

function addressIn(item: PythonValue): string {
  if (isDict(item)) return saidAt(item, ["url", "href"], UNKNOWN);
  return typeof item === "string" ? item : UNKNOWN;
}

function delegateTitle(args: PythonDict): string {
  const tasks = args.get("tasks");
  if (isList(tasks) && tasks.length > 0) return `delegate batch (${tasks.length} tasks)`;
  const goal = printedAt(args, "goal", "");
  return goal === "" ? "delegate task" : `delegate: ${shortened(goal, 60)}`;
}

function codeTitle(code: string): string {
  const line = code
    .split(/\r\n|[\n\r]/)
    .map((row) => row.trim())
    .find((row) => row !== "");
  return line === undefined ? "python code" : `python: ${shortened(line, 70)}`;
}

function skillPath(args: PythonDict): string {
  const name = saidAt(args, ["name"], UNKNOWN);
  return withSaid(args, "file_path", (file) => `${name}/${file}`, name);
}

function firstOf(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}
