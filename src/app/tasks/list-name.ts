import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { checkId } from "../../core/id.js";
import { ok, type Result } from "../../core/result.js";
import { commonFolder, readText, realFolder } from "../session/git-folder.js";
import type { Environment } from "../store-place.js";

/**
 * The list that was named, else the one of the repository, so that all its worktrees share it; else that of the folder.
 */
export function listName(asked: string | undefined, environment: Environment, folder: string): Result<string> {
  const name = asked ?? (environment.MILEPOST_LIST || undefined);
  if (name !== undefined) return checkId("list", name) ?? ok(name);
  return ok(placeName(repositoryOf(folder) ?? realFolder(folder)));
}

/** Where its origin is, so that a team on several machines has one list; else its own folder. */
function repositoryOf(folder: string): string | undefined {
  const common = commonFolder(folder);
  return common && (originOf(common) ?? common.replace(/[\\/]\.git$/, ""));
}

const ORIGIN = /^\s*\[remote "origin"\]\s*$(?:\n(?!\s*\[).*)*?\n\s*url\s*=\s*(.+)$/m;

/** Without what differs between people: how they get there, and as whom. Undefined where it is only a folder. */
function originOf(common: string): string | undefined {
  const url = ORIGIN.exec(readText(join(common, "config")))?.[1]
    ?.trim()
    .replace(/^"|"$/g, "");
  const [, host, path] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/\s]+@)?([\w.-]+\.\w+)(?::\d+)?[:/]+(.+?)(?:\.git)?\/*$/i.exec(url ?? "") ?? [];
  return host === undefined || path === undefined ? undefined : `${host.toLowerCase()}/${path}`;
}

const LONGEST_NAME = 64;

/** An id that a person can still read: the last part of a place, and what tells it from others called the same. */
export function placeName(place: string): string {
  const name = basename(place)
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, LONGEST_NAME);
  return `${name || "folder"}-${createHash("sha256").update(place).digest("hex").slice(0, 8)}`;
}
