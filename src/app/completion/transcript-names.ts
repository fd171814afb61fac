import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isId } from "../../core/id.js";
import { type Root, transcriptRoots } from "../transcripts/agents/agent-roots.js";
import { namesIn } from "../transcripts/file-peek.js";
import type { Surroundings } from "./completion-store.js";

// Sessions that only a transcript knows, by the names of files alone: to read them would take too long for a key press.

export interface SeenName {
  readonly id: string;
  readonly agent: string;
  /** What the folder of its file says of the project; empty where it says nothing. */
  readonly project: string;
  readonly isHere: boolean;
  /** When its file last grew. */
  readonly at: number;
}

/** Bounds for a machine with years of transcripts: folders that are looked into, and files that are looked at. */
const MOST_FOLDERS = 12;
const MOST_FILES = 300;

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Claude Code: ID.jsonl. Codex: rollout-TIME-ID.jsonl. oh-my-pi and pi: TIME_ID.jsonl. Hermes: session_ID.json. */
const NAMES: Readonly<Record<string, RegExp>> = {
  "claude-code": new RegExp(`^(${UUID})\\.jsonl$`),
  codex: new RegExp(`^rollout-.{19}-(${UUID})(?:_${UUID})?\\.jsonl$`),
  "oh-my-pi": /^\d{4}-\d\d-\d\dT[\dZ-]+_([\w-]+)\.jsonl$/,
  pi: /^\d{4}-\d\d-\d\dT[\dZ-]+_([\w-]+)\.jsonl$/,
  hermes: /^(?:session_)?([\w-]+)\.jsonl?$/,
};

/** Those that begin with `prefix`, the newest first. */
export function sessionNames(around: Surroundings, prefix: string): readonly SeenName[] {
  const own = projectFolders(around.folder);
  const isHere = (name: string) => own.includes(folderName(name));
  const found = transcriptRoots(around.environment, around.userFolder).flatMap((root) =>
    namesBelow(root, isHere, prefix),
  );
  return found.sort((a, b) => b.at - a.at);
}

/** Sub-agents of a session of Claude Code: SESSION/subagents/agent-ID.jsonl. */
export function subAgentNames({ environment, userFolder }: Surroundings, session: string): readonly string[] {
  const claude = transcriptRoots(environment, userFolder).filter(({ agent }) => agent === "claude-code");
  return claude
    .flatMap(({ folder }) => newestFolders(folder, () => false).map((name) => join(folder, name, session, "subagents")))
    .flatMap((folder) => namesIn(folder))
    .flatMap((name) => /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1] ?? []);
}

function projectFolders(folder: string): readonly string[] {
  const root = repositoryOf(folder);
  return [folder, ...(root === undefined ? [] : [root])].map(folderName);
}

/** Agents name a folder of transcripts after the project's, with other signs in place of slashes and dots. */
function folderName(path: string): string {
  return path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function namesBelow({ agent, folder }: Root, isHere: (name: string) => boolean, prefix: string): SeenName[] {
  const pattern = NAMES[agent];
  if (!pattern) return [];
  const folders =
    agent === "codex"
      ? newestDays(folder)
      : [folder, ...newestFolders(folder, isHere).map((name) => join(folder, name))];
  const files = folders.flatMap((path) => namesIn(path).map((name) => ({ path, name })));
  const named = files.flatMap(({ path, name }) => {
    const id = pattern.exec(name)?.[1];
    return isId(id) && id.startsWith(prefix) ? [{ id, path, name }] : [];
  });
  return named.slice(0, MOST_FILES).flatMap(({ id, path, name }) => {
    const at = changedAt(join(path, name));
    const project = agent === "codex" || path === folder ? "" : folderName(basename(path));
    return at === undefined ? [] : [{ id, agent, project, isHere: isHere(project), at }];
  });
}

/** This project's, then those in which a session began last. */
function newestFolders(folder: string, isHere: (name: string) => boolean): readonly string[] {
  const names = namesIn(folder).filter((name) => !name.includes("."));
  const [here, others] = [names.filter(isHere), names.filter((name) => !isHere(name))];
  const dated = others.map((name) => ({ name, at: changedAt(join(folder, name)) ?? 0 }));
  const newest = dated.sort((a, b) => b.at - a.at).map(({ name }) => name);
  return [...here, ...newest].slice(0, MOST_FOLDERS);
}

/** Codex has a folder for each day: YYYY/MM/DD; what was archived lies in one folder. */
function newestDays(folder: string): readonly string[] {
  let folders = [folder];
  for (let depth = 0; depth < 3; depth += 1) {
    const below = folders.flatMap((path) => numbersIn(path).map((name) => join(path, name)));
    if (below.length === 0) return depth === 0 ? [folder] : [];
    folders = below.slice(0, MOST_FOLDERS);
  }
  return folders;
}

function numbersIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .reverse();
}

function changedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
