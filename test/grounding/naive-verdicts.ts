import { readFileSync } from "node:fs";

// What a transcript says of its completed todos, told from its lines alone: no reader, no view and no verdict of ours.
// It knows two formats, and only whether something ran: none of these files has a check with a result.

type Json = { readonly [field: string]: unknown };
type Item = { readonly text: string; readonly status: string };

interface Told {
  readonly list?: readonly Item[];
  readonly ran?: true;
}

const NO_WORK = /^(?:TodoWrite|update_plan|Task(?:Create|Update|List|Get)|ExitPlanMode|AskUserQuestion)$/;

function claude(line: Json): readonly Told[] {
  const content = (line.message as Json | undefined)?.content;
  if (line.type !== "assistant" || !Array.isArray(content)) return [];
  return content.flatMap(({ type, name, input }): readonly Told[] => {
    if (type !== "tool_use") return [];
    if (name === "TodoWrite" && line.isSidechain !== true)
      return [{ list: input.todos.map((todo: Json) => ({ text: todo.content, status: todo.status })) }];
    return NO_WORK.test(name) || String(name).startsWith("mcp__milepost") ? [] : [{ ran: true }];
  });
}

function codex(line: Json): readonly Told[] {
  const item = (line.payload ?? {}) as Json;
  if (line.type !== "response_item" || !/^(?:function_call|custom_tool_call|local_shell_call)$/.test(String(item.type)))
    return [];
  if (item.name !== "update_plan") return [{ ran: true }];
  const { plan = [] } = JSON.parse(String(item.arguments)) as { plan?: { step: string; status: string }[] };
  return [{ list: plan.map(({ step, status }) => ({ text: step, status })) }];
}

/** Texts of all todos that the last list calls completed, and whether something ran for them. */
export function naiveVerdicts(path: string): Readonly<Record<string, "worked" | "unbacked">> {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);
  const tell = path.includes("/codex/") ? codex : claude;
  const ran = new Set<string>();
  let [list, isLoose]: [readonly Item[], boolean] = [[], false];
  for (const { list: next, ran: hasRun } of lines.flatMap(tell)) {
    const isOpen = ({ status }: Item) => status === "in_progress" || status === "pending";
    const focus = list.find(({ status }) => status === "in_progress") ?? list.find(isOpen);
    if (hasRun && focus) ran.add(focus.text);
    else if (hasRun) isLoose = true;
    if (!next) continue;
    for (const { text, status } of isLoose ? next : [])
      if (status === "completed" && !list.some((item) => item.text === text)) ran.add(text);
    [list, isLoose] = [next, false];
  }
  const done = list.filter(({ status }) => status === "completed");
  return Object.fromEntries(done.map(({ text }) => [text, ran.has(text) ? "worked" : "unbacked"]));
}
