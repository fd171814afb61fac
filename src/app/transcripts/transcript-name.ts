import { basename, dirname } from "node:path";
import { piSessionIn } from "../../readers/oh-my-pi/call-entries.js";

// What the path of a transcript tells of the session in it. Some say nothing, or not all: only reading them does.

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Codex names its files after a time and the thread, and one that goes on from an earlier place after itself, too. */
const ROLLOUT = new RegExp(`^rollout-.{19}-(${UUID})`);
/** Gemini CLI names a file after the time and the first part of the id, and its sub-agents' folder after all of it. */
const GEMINI = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-([0-9a-f]{8})$/;
/** Copilot CLI has a folder for each session. */
const COPILOT = "events.jsonl";
const GEMINI_FOLDER = new RegExp(`^${UUID}$`);

/** The id that a file is called after. */
export function idInName(path: string): string {
  if (basename(path) === COPILOT) return basename(dirname(path));
  const name = basename(path).replace(/\.jsonl?$/, "");
  return (
    ROLLOUT.exec(name)?.[1] ?? piSessionIn(name) ?? GEMINI.exec(name)?.[1] ?? name.replace(/^(?:agent-|session_)/, "")
  );
}

/** A sub-agent's file, by its name or its folder. A thread that another one of Codex's started is not told so. */
export function isSubAgentName(path: string): boolean {
  const folder = basename(dirname(path));
  const isOfGemini = GEMINI_FOLDER.test(folder) && basename(dirname(dirname(path))) === "chats";
  return (
    isOfGemini || basename(path).startsWith("agent-") || folder === "subagents" || piSessionIn(folder) !== undefined
  );
}

/** Whether a file is called after a session or sub-agent whose id is so, or lies in the folder of one. */
export function isCalled(path: string, isSo: (id: string) => boolean): boolean {
  const folder = basename(dirname(path));
  const above = [folder, piSessionIn(folder) ?? folder, basename(dirname(dirname(path)))];
  return isSo(idInName(path)) || above.some(isSo);
}
