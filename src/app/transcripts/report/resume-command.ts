import type { SessionView } from "../../../core/session/session-facts.js";
import { placeName } from "../../tasks/list-name.js";

/** The words before the id; after `=` there is no blank. */
const RESUME: Readonly<Record<string, string>> = {
  "claude-code": "claude --resume",
  codex: "codex resume",
  "oh-my-pi": "omp --resume",
  pi: "pi --session",
  gemini: "gemini --resume",
  qwen: "qwen --resume",
  copilot: "copilot --resume=",
  hermes: "hermes --resume",
  openclaw: "openclaw agent --message continue --session-id",
  opencode: "opencode -s",
};

/** Agents whose transcripts are read. */
export const RESUMED_AGENTS: readonly string[] = Object.keys(RESUME);

type Resumed = Pick<SessionView, "id" | "agent" | "parent"> & Partial<Pick<SessionView, "folder">>;

/** Ids are checked where they are read, so this is safe to paste. */
export function resumeCommand({ id, agent, parent, folder = "" }: Resumed): string | null {
  const command = Object.hasOwn(RESUME, agent) ? RESUME[agent] : undefined;
  if (command === undefined || parent !== null || id.includes("/") || isOfFolder(id, folder)) return null;
  return command.endsWith("=") ? `${command}${id}` : `${command} ${id}`;
}

/** A hash of the folder at the end, or a number behind that. */
const FOLDER_NAME = /^(.*-[0-9a-f]{8})(?:-\d+)?$/;

/** Our server has named it by its folder, or the second one there: the agent did not say which session calls. */
function isOfFolder(id: string, folder: string): boolean {
  // Looked at first, because a board of a thousand sessions asks this at every look, and the hash is dear.
  const name = FOLDER_NAME.exec(id)?.[1];
  return name !== undefined && name === placeName(folder);
}
