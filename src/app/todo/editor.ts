import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import type { EditedText } from "../command-definition.js";
import type { Program } from "../host.js";
import type { Environment } from "../store-place.js";

type World = Pick<Program, "temporaryFolder" | "platform"> & { readonly environment: Environment };

/** Opens a text in the person's editor and waits until that has ended. Undefined: it ended with an error. */
export function editText(world: World, name: string, text: string): Result<EditedText | undefined> {
  const { VISUAL, EDITOR } = world.environment;
  const editor = VISUAL || EDITOR || (world.platform === "win32" ? "notepad" : "vi");
  const folder = mkdtempSync(join(world.temporaryFolder, "milepost-"));
  const path = join(folder, name);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(path, text);
  const { error, status } = startEditor(editor, path, world);
  // A shell that cannot find the editor ends with 127.
  if (error || status === 127) {
    discard();
    return fail("no-editor", `The editor ${editor} cannot be started. Set VISUAL or EDITOR.`);
  }
  if (status === 0) return ok({ text: readFileSync(path, "utf8"), path, discard });
  discard();
  return ok(undefined);
}

/** Through a shell, because people write `code --wait` into these variables. */
function startEditor(editor: string, path: string, { platform, environment }: World) {
  const options = { stdio: "inherit", env: { ...environment } } as const;
  if (platform === "win32") return spawnSync(`${editor} "${path}"`, { ...options, shell: true });
  return spawnSync("sh", ["-c", `${editor} "$1"`, "milepost", path], options);
}
