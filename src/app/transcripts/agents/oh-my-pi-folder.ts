import { basename, dirname, join } from "node:path";
import { piSessionIn } from "../../../readers/oh-my-pi/call-entries.js";
import { namesIn } from "../file-peek.js";
import { isTranscriptName, markAt } from "../transcript-files.js";

/** Files of sub-agents that belong to a session's file of oh-my-pi's. Plain files only: nobody has named them. */
export function piAgentFiles(path: string): readonly string[] {
  const name = basename(path, ".jsonl");
  if (piSessionIn(name) === undefined) return [];
  const folder = join(dirname(path), name);
  return namesIn(folder)
    .filter(isTranscriptName)
    .map((file) => join(folder, file))
    .filter((file) => markAt(file) !== undefined)
    .sort();
}

/** The session of oh-my-pi's or pi's that a file belongs to, by its own name or that of its folder. */
export function piSessionOf(path: string): string | undefined {
  return piSessionIn(basename(path, ".jsonl")) ?? piSessionIn(basename(dirname(path)));
}
