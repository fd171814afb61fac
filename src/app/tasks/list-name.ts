import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { checkId } from "../../core/id.js";
import { ok, type Result } from "../../core/result.js";
import { commonFolder, readText, realFolder } from "../session/git-folder.js";
import type { Environment } from "../store-place.js";

/** The named list; else the one that all worktrees of the repository share; else that of the folder. */
export function listName(asked: string | undefined, environment: Environment, folder: string): Result<string> {
  const name = asked ?? (environment.MILEPOST_LIST || undefined);
  if (name !== undefined) return checkId("list", name) ?? ok(name);
  return ok(placeName(repositoryOf(folder) ?? realFolder(folder)));
}

/** Its origin, so that a team on several machines shares one list; else its folder. */
function repositoryOf(folder: string): string | undefined {
  const common = commonFolder(folder);
  return common && (originOf(common) ?? common.replace(/[\\/]\.git$/, ""));
}

const ORIGIN = /^\s*\[remote "origin"\]\s*$(?:\n(?!\s*\[).*)*?\n\s*url\s*=\s*(.+)$/m;

/** Host and path, without protocol and user, which differ between people. Undefined for a local path. */
function originOf(common: string): string | undefined {
  const url = ORIGIN.exec(readText(join(common, "config")))?.[1]
    ?.trim()
    .replace(/^"|"$/g, "");
  const [, host, path] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/\s]+@)?([\w.-]+\.\w+)(?::\d+)?[:/]+(.+?)(?:\.git)?\/*$/i.exec(url ?? "") ?? [];
  return host === undefined || path === undefined ? undefined : `${host.toLowerCase()}/${path}`;
}

const LONGEST_NAME = 64;

/** A readable id: the last part of the place, and a hash that makes it unique. */
export function placeName(place: string): string {
  const name = basename(place)
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, LONGEST_NAME);
  return `${name || "folder"}-${createHash("sha256").update(place).digest("hex").slice(0, 8)}`;
}
