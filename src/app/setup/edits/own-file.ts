import { type JsonObject, objectAt, parseJson } from "../../../core/json.js";
import { fail, ok } from "../../../core/result.js";
import type { FileEdit, ServerEntry, Wired, Wish } from "../agents/agent.js";

/** A file that is ours alone, in an agent's folder: an extension, or a file of hooks. */
interface OwnFile {
  readonly file: string;
  /** By its look, also after a formatter or another system's line ends: any other file is somebody else's. */
  readonly isOurs: (text: string) => boolean;
  /** Undefined: it is not wanted. */
  readonly text: (wish: Wish) => string | undefined;
}

/** Written as a whole, and removed as a whole. What somebody has changed in it is lost: it says so itself. */
export function ownFileEdit({ file, isOurs, text }: OwnFile): FileEdit {
  return {
    file,
    isOwnFile: true,
    wire(found, wish) {
      if (found !== undefined && !isOurs(found))
        return fail({
          code: "foreign-file",
          message: `Nothing was changed: ${file} is there, and setup did not write it. Move it away first.`,
        });
      return ok({ text: text(wish), notes: [] });
    },
    unwire: (found) => ok({ text: isOurs(found) ? undefined : found, notes: [] }),
  };
}

export const OWN_MARK = "Written by milepost setup, which replaces it; milepost unsetup removes it.";
/** The first line of a file of ours; JavaScript, and JSON with comments. */
export const OWN_FILE = `// ${OWN_MARK}\n`;
/** In how many rows it is looked for: a person or a tool may put a line above it. */
const FIRST_ROWS = 10;
const LAUNCH = "const MILEPOST_LAUNCH = ";

/** An extension with the command that it starts: our MCP server. */
export function extensionEdit(file: string, text: string, launch: (wish: Wish) => ServerLaunch): FileEdit {
  return ownFileEdit({
    file,
    isOurs: isMarked,
    text: (wish) => `${OWN_FILE}${LAUNCH}${JSON.stringify(launch(wish))};\n${text}`,
  });
}

/**
 * `hasTools`: false where the extension tells hooks only, because the agent keeps its own list. `tools`: what a model
 * is offered, where the agent asks for that before the server could answer.
 */
type ServerLaunch = Pick<ServerEntry, "command" | "args"> & {
  readonly hasTools?: boolean;
  readonly tools?: readonly object[];
};

/** What an extension of ours starts; undefined for a file that is none. */
function launchInExtension(text: string | undefined): ServerEntry | undefined {
  const { command, args } = launchIn(text);
  return typeof command === "string" && Array.isArray(args) ? { command, args, env: {} } : undefined;
}

function launchIn(text = ""): JsonObject {
  const line = rowsBehindMark(text).find((row) => row.startsWith(LAUNCH));
  return objectAt(parseJson(line?.slice(LAUNCH.length).replace(/;\s*$/, "") ?? ""));
}

/** The first line of ours is in it. */
export function isMarked(text: string): boolean {
  return rowsBehindMark(text).length > 0;
}

function rowsBehindMark(text: string): readonly string[] {
  const rows = text.split("\n", FIRST_ROWS);
  const at = rows.findIndex((row) => row.trim() === OWN_FILE.trim());
  return at < 0 ? [] : [...rows.slice(at + 1), ""];
}

/** What of ours an agent has whose extension does all: server, hooks through it. `now`: its text in this version. */
export function wiredExtension(text: string | undefined, hookCount: number, now?: string): Wired {
  const server = launchInExtension(text);
  if (!server) return { server, hooks: [], missing: [], outdated: [], toolHooks: [], hookCount: 0 };
  const isHooksOnly = launchIn(text).hasTools === false;
  return {
    server,
    ...(isHooksOnly && { isHooksOnly }),
    hooks: [],
    missing: [],
    outdated: now === undefined || text?.endsWith(`\n${now}`) ? [] : ["extension"],
    toolHooks: ["extension"],
    hookCount,
  };
}
