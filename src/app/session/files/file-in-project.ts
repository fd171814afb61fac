import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { placeName } from "../../tasks/list-name.js";
import { realFolder, worktreeOf } from "../git-folder.js";

/** A file as every session sees it that works on the same project, in whichever worktree. */
export interface ProjectFile {
  /** An id: of the repository, of which all worktrees are one; else of the file's folder. */
  readonly project: string;
  /** Below the root of its worktree; absolute outside of a repository. With `/` on every system. */
  readonly path: string;
}

const LONGEST = 300;

/** `folder`: where the session works. Undefined for what cannot be named. */
export function projectFile(folder: string, file: string): ProjectFile | undefined {
  if (file === "" || (folder === "" && !isAbsolute(file))) return undefined;
  const named = resolve(folder, file);
  // The file itself may be a link that was replaced.
  const within = realFolder(dirname(named));
  const whole = join(within, basename(named));
  const tree = worktreeOf(within);
  const path = (tree ? relative(tree.root, whole) : whole).split(sep).join("/").toWellFormed();
  if (path.length > LONGEST) return undefined;
  return { project: placeName(tree ? tree.common.replace(/[\\/]\.git$/, "") : within), path };
}
