import { fail, ok } from "../../../core/result.js";
import type { FileEdit, ServerEntry, Wired, Wish } from "../agents/agent.js";

/** A file that is ours alone, in an agent's folder: an extension, or a file of hooks. */
interface OwnFile {
  readonly file: string;
  /** How our files begin: one that begins otherwise is somebody else's. */
  readonly beginning: string;
  /** Undefined: it is not wanted. */
  readonly text: (wish: Wish) => string | undefined;
}

/** Written as a whole, and removed as a whole. What somebody has changed in it is lost: it says so itself. */
export function ownFileEdit({ file, beginning, text }: OwnFile): FileEdit {
  const isOurs = (found: string) => found.startsWith(beginning);
  return {
    file,
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

/** The first line of a file of ours; JavaScript, and JSON with comments. */
export const OWN_FILE = "// Written by milepost setup, which replaces it; milepost unsetup removes it.\n";
const LAUNCH = "const MILEPOST_LAUNCH = ";

/** An extension with the command that it starts: our MCP server. */
export function extensionEdit(file: string, text: string, launch: (wish: Wish) => ServerLaunch): FileEdit {
  return ownFileEdit({
    file,
    beginning: OWN_FILE,
    text: (wish) => `${OWN_FILE}${LAUNCH}${JSON.stringify(launch(wish))};\n${text}`,
  });
}

/** `tools`: what a model is offered, where the agent asks for that before the server could answer. */
type ServerLaunch = Pick<ServerEntry, "command" | "args"> & { readonly tools?: readonly object[] };

/** What an extension of ours starts; undefined for a file that is none. */
export function launchInExtension(text: string | undefined): ServerEntry | undefined {
  if (text === undefined || !text.startsWith(OWN_FILE)) return undefined;
  const [, line = ""] = text.split("\n", 2);
  if (!line.startsWith(LAUNCH)) return undefined;
  try {
    const { command, args } = JSON.parse(line.slice(LAUNCH.length, -1));
    return typeof command === "string" && Array.isArray(args) ? { command, args, env: {} } : undefined;
  } catch {
    return undefined;
  }
}

/** What of ours an agent has whose extension does all: the server, and hooks through it. */
export function wiredExtension(text: string | undefined, hookCount: number): Wired {
  const server = launchInExtension(text);
  const none = { hooks: [], missing: [], outdated: [] };
  return { server, ...none, toolHooks: server ? ["extension"] : [], hookCount: server ? hookCount : 0 };
}
