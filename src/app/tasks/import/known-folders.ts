import { lstatSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskFormat } from "../../../task-files/task-format.js";

/** Where other tools keep their tasks in a project, or in their own folder in it. */
const PLACES: readonly { readonly format: string; readonly paths: readonly string[] }[] = [
  { format: "beads", paths: [".beads/issues.jsonl", "issues.jsonl", ".beads/beads.jsonl", "beads.jsonl"] },
  { format: "task-master", paths: [".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"] },
  { format: "backlog", paths: ["backlog", ".backlog"] },
];

export interface KnownPlace {
  readonly format: string;
  readonly path: string;
}

/**
 * What such a tool left in a folder. Undefined where there is nothing; more than one is for a person to choose from.
 */
export function knownPlace(folder: string, asked: TaskFormat | undefined): Result<KnownPlace | undefined> {
  const found = PLACES.filter(({ format }) => asked === undefined || asked.name === format).flatMap((place) => {
    const path = place.paths.map((name) => join(folder, name)).find((one) => isKind(one, place.format));
    return path === undefined ? [] : [{ format: place.format, path }];
  });
  if (found.length < 2) return ok(found[0]);
  const names = found.map(({ path }) => path).join(", ");
  return fail({ code: "several-formats", message: `${folder} has tasks of several tools. Pass one of ${names}.` });
}

/** A link might lead anywhere. */
function isKind(path: string, format: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return format === "backlog" ? found?.isDirectory() === true : found?.isFile() === true;
}
