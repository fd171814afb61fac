import { lstatSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { isoTime } from "../../core/text/time-text.js";
import { readPlainOr } from "../read-plain.js";
import { realFolder, worktreeOf } from "../session/git-folder.js";
import type { Environment } from "../store-place.js";
import type { RunShort, ShortRun } from "../watching/short-program.js";
import { filterNames, type GitCall, runGit } from "./run-git.js";

export interface DiffAsked {
  /** As calls named them: absolute, or from the folder. */
  readonly files: readonly string[];
  /** Milliseconds: commits since then are shown where nothing is uncommitted. */
  readonly since?: number;
  readonly environment: Environment;
  readonly start?: RunShort;
}

const MOST_BYTES = 2_000_000;
const MOST_FILES = 500;

/**
 * What has changed in these files: the working tree against HEAD, else the commits since a time. The text is as it
 * stands in the files: whoever shows it makes it safe. Files outside of the folder's worktree are named, not shown.
 */
export async function diffOf(folder: string, asked: DiffAsked): Promise<Result<string>> {
  if (!isAbsolute(folder) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return fail("no-folder", `There is no folder ${folder} on this machine.`);
  const root = worktreeOf(folder)?.root;
  if (root === undefined) return fail("no-repository", `${folder} is in no Git repository, so there is no diff.`);
  const { inside, outside } = sorted(root, folder, asked.files.slice(0, MOST_FILES));
  const { environment, start } = asked;
  const call = { folder: root, environment, mostBytes: MOST_BYTES, ...(start && { start }) };
  const shown = inside.length === 0 ? ok("") : await changesIn(call, inside, asked.since);
  if (!shown.ok) return shown;
  const left = outside.length === 0 ? "" : `Not shown, outside of ${root}: ${outside.join(", ")}\n`;
  return ok(`${left}${shown.value}`);
}

type Call = Omit<GitCall, "words" | "filters">;

const DIFF = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];

async function changesIn(call: Call, files: readonly string[], since: number | undefined): Promise<Result<string>> {
  const filters = await filterNames(call);
  if (!filters) return fail(NO_GIT);
  const git = async (...words: readonly string[]) =>
    textOf(await runGit({ ...call, filters, words: [...words, "--", ...files] }));
  const others = await git("ls-files", "-z", "--others", "--exclude-standard");
  if (!others.ok) return others;
  const isFirst = await hasNoCommit(call);
  // Without a commit there is nothing to compare with: every file is new.
  const diff = isFirst ? ok("") : await git("diff", ...DIFF, "HEAD");
  if (!diff.ok) return diff;
  const fresh = isFirst ? files : others.value.split("\0").filter((file) => file !== "");
  const open = withNewFiles(diff.value, call.folder, fresh);
  if (open !== "" || since === undefined || isFirst) return ok(cut(open));
  const log = await git("log", "-p", ...DIFF, "--no-show-signature", "--no-notes", `--since=${isoTime(since)}`);
  return log.ok ? ok(cut(log.value)) : log;
}

async function hasNoCommit(call: Call): Promise<boolean> {
  const run = await runGit({ ...call, words: ["rev-parse", "--verify", "--quiet", "HEAD"] });
  return run.how === "ended" && run.code === 1;
}

const NO_GIT = { code: "no-diff", message: "Git gave no answer here. Try it yourself: git diff HEAD" };

function textOf(run: ShortRun): Result<string> {
  return run.how === "ended" && (run.code === 0 || run.isCut) ? ok(run.said) : fail(NO_GIT);
}

function cut(text: string): string {
  return text.length < MOST_BYTES ? text : `${text.slice(0, MOST_BYTES)}\n(cut here: the diff is larger)\n`;
}

/** Paths below the root, each once. A folder on the way may be a link that leads elsewhere. */
function sorted(root: string, folder: string, files: readonly string[]) {
  const inside = new Set<string>();
  const outside = new Set<string>();
  for (const file of files) {
    const named = resolve(realFolder(folder), file);
    const path = relative(root, join(realFolder(dirname(named)), basename(named)));
    const isInside = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    if (isInside && !file.includes("\0")) inside.add(path);
    else outside.add(file);
  }
  return { inside: [...inside], outside: [...outside] };
}

function withNewFiles(diff: string, root: string, files: readonly string[]): string {
  let text = diff;
  for (const file of files) if (text.length < MOST_BYTES) text += newFile(root, file);
  return text;
}

const NEW_FILE_MAX = 200_000;

/** A file that Git does not know yet, in the words of a diff. */
function newFile(root: string, file: string): string {
  const path = join(root, file);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return "";
  const head = `diff --git a/${file} b/${file}\nnew file\n`;
  if (found.size > NEW_FILE_MAX) return `${head}(${counted(found.size, "byte")}, not shown)\n`;
  const text = readPlainOr(path, "");
  if (text.includes("\0")) return `${head}Binary files /dev/null and b/${file} differ\n`;
  const lines = text.replace(/\n$/, "").split("\n");
  if (text === "") return head;
  const range = `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,${lines.length} @@\n`;
  return `${head}${range}${lines.map((line) => `+${line}\n`).join("")}`;
}
