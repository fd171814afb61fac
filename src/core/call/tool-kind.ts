import { isOurServer } from "./call-event.js";
import type { CallKind } from "./call-facts.js";

/** A tool's name without its server's, as far as the name itself tells it. */
export interface ToolName {
  readonly tool: string;
  readonly server?: string | undefined;
}

const MCP_TOOL = /^mcp__(.+?)__(.+)$/s;

export function splitName({ tool, server }: ToolName): ToolName {
  if (server !== undefined) return { tool, server };
  const [, found, name] = (tool.startsWith("mcp__") ? MCP_TOOL.exec(tool) : undefined) ?? [];
  return found === undefined || name === undefined ? { tool } : { tool: name, server: found };
}

const MOST_NAMES = 200;

/** A session calls the same few tools thousands of times: what their names say is found once. */
function remembered<Value>(find: (tool: string) => Value): (tool: string) => Value {
  const known = new Map<string, Value>();
  return (tool) => {
    const before = known.get(tool);
    if (before !== undefined) return before;
    const found = find(tool);
    if (known.size >= MOST_NAMES) known.clear();
    if (tool.length <= MOST_NAMES) known.set(tool, found);
    return found;
  };
}

/** Lower case and nothing but letters and figures: `apply_patch`, `applyPatch` and `ApplyPatch` are one. */
const plainName = remembered((tool) =>
  tool
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, ""),
);

/** Names that agents of several makers use; a name that is not here is told by its words. */
const KINDS: Readonly<Record<Exclude<CallKind, "other">, string>> = {
  read: " read readfile readmanyfiles readtextfile view viewimage viewfile notebookread cat open openfile readbash bashoutput taskoutput readagent ",
  search:
    " grep glob ls search find list listdir listdirectory listfiles searchfiles searchfilecontent grepsearch filesearch codebasesearch toolsearch astgrep findfiles searchtext listbash ripgrep lsp ",
  edit: " edit multiedit write writefile create createfile notebookedit applypatch strreplaceeditor strreplacebasededittool strreplace replace editfile insert patch searchreplace fileedit filewrite editnotebook inserteditintofile replacestringinfile deletefile movefile astedit multireplacestringinfile writetofile replaceinfile ",
  execute:
    " bash shell exec execcommand localshell localshellcall runshellcommand runcommand runterminalcommand runterminalcmd runinterminal terminal executecommand process writestdin killshell killbash stopbash powershell python ipython executecode codeexecution eval repl unifiedexec shellcommand runtests executebash wait sleep taskstop monitor ",
  fetch:
    " webfetch websearch fetch webextract urlfetch fetchurl fetchwebpage googlewebsearch internetsearch httprequest ",
  agent:
    " task agent spawnagent subagent delegatetask delegate sessionsspawn sessionssend waitagent sendinput closeagent resumeagent sendmessage runagent runsubagent team teammate hub ",
};

export function kindOf(name: ToolName): CallKind {
  const { tool, server } = splitName(name);
  return server === undefined ? kindByName(tool) : kindByWords(tool);
}

const kindByName = remembered((tool): CallKind => {
  const plain = ` ${plainName(tool)} `;
  for (const kind in KINDS) if (KINDS[kind as keyof typeof KINDS].includes(plain)) return kind as CallKind;
  return kindByWords(tool);
});

const WORDS: readonly (readonly [CallKind, RegExp])[] = [
  ["edit", /^(?:edit|write|replace|patch|insert|rename|move|delete|append|overwrite|save)$/],
  ["execute", /^(?:exec|execute|run|shell|bash|command|terminal|eval|evaluate|script)$/],
  ["search", /^(?:search|find|grep|glob|list|query|lookup)$/],
  ["fetch", /^(?:fetch|http|url|web|browse|browser|crawl|scrape|navigate|download|request)$/],
  ["agent", /^(?:agent|agents|subagent|delegate)$/],
  ["read", /^(?:read|get|view|show|open|cat|describe|inspect|load)$/],
];

const kindByWords = remembered((tool): CallKind => {
  const words = nameWords(tool);
  // The verb stands first in nearly all names.
  for (const word of words) for (const [kind, pattern] of WORDS) if (pattern.test(word)) return kind;
  return "other";
});

const nameWords = remembered((tool): readonly string[] =>
  tool
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== ""),
);

const LISTS =
  " todowrite todoread todo todos writetodos todolist updateplan progresscard managetodolist updatetodo updatetodolist taskcreate taskupdate tasklist taskget exitplanmode enterplanmode creategoal updategoal getgoal plan ";
/** Clients put the server before the tool in their own ways: `milepost_todo`, `milepost-task`, `mcp_milepost_plan`. */
const OURS = /^(?:mcp_+)?(?:plugin_milepost_)?milepost[_.-]+(?:todo|task|plan)$/;

/** It keeps a list, tasks, a plan or a goal: that is not the work itself. */
export function isListName(name: ToolName): boolean {
  const { tool, server } = splitName(name);
  if (isOurServer(server) || (tool.includes("milepost") && OURS.test(tool))) return true;
  return server === undefined && isListTool(tool);
}

const isListTool = remembered((tool) => LISTS.includes(` ${plainName(tool)} `));

const POLLS =
  " bashoutput taskoutput agentoutputtool readbash listbash wait waitagent readagent listagents getterminaloutput listprocesses checkbackgroundcommand await poll sleep monitor jobs listshells sessionslist sessionshistory sessionstatus ";

/** It looks whether something else is over. */
export function isPollCall(name: ToolName, input: { readonly [field: string]: unknown }): boolean {
  const { tool, server } = splitName(name);
  const plain = plainName(tool);
  if (server !== undefined) return nameWords(tool).some((word) => /^(?:poll|status|wait|progress)$/.test(word));
  if (plain === "writestdin") return (input.chars ?? "") === "";
  if (plain === "process") return /^(?:poll|log|list|wait|status)$/.test(String(input.action ?? ""));
  return isPollTool(tool);
}

const isPollTool = remembered((tool) => POLLS.includes(` ${plainName(tool)} `));

/** Tools of browsers, and of computers that a model uses. */
export function isScreenshot({ tool }: ToolName, input: { readonly [field: string]: unknown }): boolean {
  const words = nameWords(tool);
  if (words.includes("screenshot") || words.join("").includes("screenshot")) return !words.includes("list");
  return words.includes("computer") && input.action === "screenshot";
}
