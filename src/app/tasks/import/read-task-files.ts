import { type Dirent, lstatSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import { isoTime } from "../../../core/text/time-text.js";
import type { Problem, TaskFile, TaskFormat } from "../../../task-files/task-format.js";
import { TASK_FORMATS } from "../../../task-files/task-formats.js";
import { readPlain } from "../../read-plain.js";
import { notPlain } from "../../safe-files.js";

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 100_000;
const DEEPEST = 8;

export interface FoundFiles {
  readonly files: readonly TaskFile[];
  readonly problems: readonly Problem[];
  readonly kind: "file" | "folder";
}

/** The file, or the files of any format in the folder. A file that cannot be read is a problem, not a failure. */
export function readTaskFiles(path: string, format: TaskFormat | undefined): Result<FoundFiles> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return fail({ code: "no-such-file", message: `There is no file or folder ${path}.` });
  const problems: Problem[] = [];
  if (found.isFile()) return ok({ files: read([path], dirname(path), problems), problems, kind: "file" });
  if (!found.isDirectory())
    return fail({ code: "no-file", message: `${path} is neither a file nor a folder. Pass one of these.` });
  const isPart = (name: string) =>
    format ? (format.isPart?.(name) ?? false) : TASK_FORMATS.some((one) => one.isPart?.(name) ?? false);
  const tell = (folder: string, error: Error) => {
    const where = slashed(relative(path, folder)) || ".";
    problems.push({ where, message: `Cannot be read: ${error.message}` });
  };
  const names = [...namesIn({ root: path, isPart, tell }, path, 0)];
  return ok({ files: read(names, path, problems), problems, kind: "folder" });
}

interface Scan {
  readonly root: string;
  readonly isPart: (name: string) => boolean;
  readonly tell: (folder: string, error: Error) => void;
}

/** Links are not followed: they may lead out of the folder. */
function* namesIn(scan: Scan, folder: string, depth: number): Generator<string> {
  for (const entry of entriesOf(scan, folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < DEEPEST && entry.name !== "node_modules" && entry.name !== ".git")
      yield* namesIn(scan, path, depth + 1);
    else if (entry.isFile() && scan.isPart(slashed(relative(scan.root, path)))) yield path;
  }
}

/** A folder may vanish meanwhile, or be unreadable. */
function entriesOf({ tell }: Scan, folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    tell(folder, error as Error);
    return [];
  }
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}

function read(paths: readonly string[], root: string, problems: Problem[]): readonly TaskFile[] {
  const files: TaskFile[] = [];
  let bytes = 0;
  for (const path of [...paths].sort()) {
    const name = slashed(relative(root, path)) || basename(path);
    try {
      bytes += statSync(path).size;
      if (bytes > MOST_BYTES || files.length >= MOST_FILES) {
        problems.push({ where: name, message: "More than 512 MB or 100,000 files: the rest was not read." });
        break;
      }
      files.push({ path: name, text: readPlain(path) });
    } catch (error) {
      problems.push({ where: name, message: `Cannot be read: ${(error as Error).message}` });
    }
  }
  return files;
}

/** Existing files are kept: refused, or renamed with `isForced`. Returns the new names. */
export function writeTaskFiles(
  place: string,
  files: readonly TaskFile[],
  { kind, isForced, now }: { readonly kind: "file" | "folder"; readonly isForced: boolean; readonly now: number },
): Result<readonly string[]> {
  const pathOf = (file: TaskFile) => (kind === "file" ? resolve(place) : resolve(place, file.path));
  const kindOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  const there = files.map(pathOf).filter(kindOf);
  // Not even with `isForced`: a device or a pipe that is renamed is gone for everybody.
  const odd = there.find((path) => !kindOf(path)?.isFile());
  if (odd !== undefined) return fail(notPlain(odd));
  const [first] = there;
  if (first !== undefined && !isForced) return fail(isThere(first, there.length));
  const kept: string[] = [];
  try {
    for (const path of there) {
      const beside = `${path}.before-${isoTime(now).replace(/[:.]/g, "-")}`;
      renameSync(path, beside);
      kept.push(beside);
    }
    for (const file of files) {
      mkdirSync(dirname(pathOf(file)), { recursive: true });
      writeFileSync(pathOf(file), file.text, { flag: "wx" });
    }
  } catch (error) {
    return fail({
      code: "no-file",
      message: `${place} cannot be written: ${(error as Error).message}. Choose another path.`,
    });
  }
  return ok(kept);
}

function isThere(path: string, count: number): Failure {
  const there = count > 1 ? `${path} and ${count - 1} more already exist.` : `${path} already exists.`;
  return {
    code: "file-exists",
    message: `${there} Nothing was written.`,
  };
}
