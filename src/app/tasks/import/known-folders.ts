import { lstatSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskFormat } from "../../../task-files/task-format.js";

/** Where other tools keep their tasks, seen from the project or from their own folder. */
const PLACES: readonly { readonly format: string; readonly paths: readonly string[] }[] = [
  { format: "beads", paths: [".beads/issues.jsonl", "issues.jsonl", ".beads/beads.jsonl", "beads.jsonl"] },
  { format: "task-master", paths: [".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"] },
  { format: "backlog", paths: ["backlog", ".backlog"] },
];

type KnownPlace = { readonly format: string; readonly path: string };

/** The tasks of another tool in a folder, if any; refused if there are several. */
export function knownPlace(folder: string, asked: TaskFormat | undefined): Result<KnownPlace | undefined> {
  const found = PLACES.filter(({ format }) => asked === undefined || asked.name === format).flatMap((place) => {
    const path = place.paths.map((name) => join(folder, name)).find((one) => isKind(one, place.format));
    return path === undefined ? [] : [{ format: place.format, path }];
  });
  if (found.length < 2) return ok(found[0]);
  const names = found.map(({ path }) => path).join(", ");
  return fail({ code: "several-formats", message: `${folder} has tasks of several tools. Pass one of ${names}.` });
}

/** Symbolic links are not followed. */
function isKind(path: string, format: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return format === "backlog" ? found?.isDirectory() === true : found?.isFile() === true;
}
