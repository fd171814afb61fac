import { complete, completionText, type IdSources } from "../app/completion/candidates.js";
import { completionTable } from "../app/completion/command-words.js";
import type { Surroundings } from "../app/completion/completion-store.js";
import { splitLine } from "../app/completion/line-words.js";
import { sessionIds, subAgentIds } from "../app/completion/session-ids.js";
import { todoIds } from "../app/completion/todo-ids.js";

export interface CompleteWorld extends Surroundings {
  /** What follows `milepost complete`: `-- WORDS...`, or from bash `--line BREAKS LINE`. */
  readonly arguments: readonly string[];
}

/** What a shell shows after TAB: one candidate in each line, its description behind a tab. Never throws. */
export async function runComplete(world: CompleteWorld): Promise<string> {
  try {
    const { words, kept } = readArguments(world.arguments);
    return completionText(await complete(await completionTable(), sourcesOf(world), words), kept);
  } catch {
    // A person is in the middle of a line: an error would be written into it.
    return "";
  }
}

function readArguments([first, ...rest]: readonly string[]) {
  if (first !== "--line") return { words: first === "--" ? rest : [], kept: "" };
  const [breaks = "", line = ""] = rest;
  const { words, kept } = splitLine(line, breaks);
  return { words: words.slice(1), kept };
}

function sourcesOf(around: Surroundings): IdSources {
  return {
    sessions: (line) => sessionIds(around, line),
    subAgents: (line) => subAgentIds(around, line),
    todos: (line) => todoIds(around, line),
    // Tasks have rules of their own, which nothing else needs.
    tasks: async (line) => (await import("../app/completion/task-ids.js")).taskIds(around, line),
    taskLists: async (line) => (await import("../app/completion/task-ids.js")).listIds(around, line),
    plans: async (line) => (await import("../app/completion/plan-ids.js")).planIds(around, line),
  };
}
