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

const BEGINNING = "// Written by milepost setup, which replaces it; milepost unsetup removes it.\n";
const LAUNCH = "const MILEPOST_LAUNCH = ";

/** An extension with the command that it starts, our MCP server, and which list the model keeps. */
export function extensionEdit(file: string, text: string, launch: (wish: Wish) => ServerLaunch): FileEdit {
  return ownFileEdit({
    file,
    beginning: BEGINNING,
    text: (wish) => `${BEGINNING}${LAUNCH}${JSON.stringify({ ...launch(wish), todo: wish.offer.todo })};\n${text}`,
  });
}

type ServerLaunch = Pick<ServerEntry, "command" | "args">;

interface Written {
  readonly server: ServerEntry;
  readonly isHooksOnly: boolean;
  readonly text: string;
}

/** What an extension of ours starts; undefined for a file that is none. */
function readExtension(found: string | undefined): Written | undefined {
  if (found === undefined || !found.startsWith(BEGINNING)) return undefined;
  const [line = "", ...rest] = found.slice(BEGINNING.length).split("\n");
  if (!line.startsWith(LAUNCH)) return undefined;
  try {
    const { command, args, todo } = JSON.parse(line.slice(LAUNCH.length, -1));
    if (typeof command !== "string" || !Array.isArray(args)) return undefined;
    return { server: { command, args, env: {} }, isHooksOnly: todo === "client", text: rest.join("\n") };
  } catch {
    return undefined;
  }
}

/** What of ours an agent has whose extension does all: the server, and hooks through it. `text`: as it is now. */
export function wiredExtension(
  found: string | undefined,
  { hookCount, text }: { readonly hookCount: number; readonly text: string },
): Wired {
  const written = readExtension(found);
  if (!written) return { server: undefined, hooks: [], toolHooks: [], hookCount: 0, missing: [], outdated: [] };
  const { server, isHooksOnly } = written;
  const outdated = written.text === text ? [] : ["the extension"];
  return { server, isHooksOnly, hooks: [], toolHooks: ["extension"], hookCount, missing: [], outdated };
}
