import { fail, ok, type Result } from "../../core/result.js";
import type { Agent, FileEdit, Wish, World } from "./agents/agent.js";
import { launchFlaw } from "./command-line.js";
import { type ConfigFile, readConfig, refuseFile } from "./config-file.js";
import { madePlace } from "./edits/json-hooks.js";
import { checksum, type FileRecord, type SetupRecord, spliceBetween, textBefore } from "./setup-record.js";

// All changes are worked out before the first one is written: what cannot be done leaves everything as it was.

export interface Change {
  readonly config: ConfigFile;
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** What to remember; undefined: nothing any more. */
  readonly record: FileRecord | undefined;
  /** What holds nothing of anybody else needs no backup. */
  readonly isOurs: boolean;
  /** Written and removed as a whole: nobody reads it to see what becomes of their own settings. */
  readonly isOwnFile: boolean;
}

export interface AgentPlan {
  /** Also Milepost itself, for its own settings. */
  readonly agent: Pick<Agent, "title"> & { readonly name: string };
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** What the agent has of ours afterwards, in a few words. */
  readonly comesTo?: string;
  /** What the person has to do once, after a change. */
  readonly afterwards?: readonly string[];
}

/** An agent with its wish, and the file of our own that it may be started by. */
export interface Task {
  readonly agent: Agent;
  readonly wish: Wish;
  readonly launcher: FileEdit;
  /** What the person should know, whatever the files say. */
  readonly notes?: readonly string[];
}

type Planned = { readonly change?: Change; readonly notes: readonly string[] };

export function planSetup(world: World, tasks: readonly Task[], records: SetupRecord): Result<readonly AgentPlan[]> {
  for (const task of tasks) {
    const flaw = launchFlaw(task.wish.launch, task.agent);
    if (flaw !== undefined) return fail("bad-config", `Nothing was changed: ${flaw}`);
  }
  return planAll(tasks, ({ agent, wish, launcher }) => [
    planWire(launcher, wish, { records, use: "ours", agent }),
    ...agent.edits(world).map((edit) => planWire(edit, wish, { records, use: "theirs", agent })),
  ]);
}

interface OwnEdits {
  /** One file holds the settings for all agents. */
  readonly settings: readonly FileEdit<undefined>[];
  /** What agents start. */
  readonly shellFiles: readonly FileEdit<undefined>[];
}

/** Our own files serve all agents: their edits know the wish themselves. */
export function planOwn({ settings, shellFiles }: OwnEdits, records: SetupRecord): Result<AgentPlan> {
  const changes: Change[] = [];
  for (const edit of [...settings, ...shellFiles]) {
    const use = settings.includes(edit) ? "settings" : "ours";
    const planned = planWire(edit, undefined, { records, use, agent: SETTINGS_OWNER });
    if (!planned.ok) return planned;
    if (planned.value.change) changes.push(planned.value.change);
  }
  return ok({ agent: SETTINGS_OWNER, changes, notes: [] });
}

export const SETTINGS_OWNER = { name: "milepost", title: "Milepost" };

export function planUnsetup(
  world: World,
  tasks: readonly Omit<Task, "wish">[],
  records: SetupRecord,
): Result<readonly AgentPlan[]> {
  // From the last to the first: the folder was made with the first one, and goes when it is empty.
  return planAll(tasks, ({ agent, launcher }) => [
    ...agent
      .edits(world)
      .toReversed()
      .map((edit) => planUnwire(edit, records, false)),
    planUnwire(launcher, records, true),
  ]);
}

interface About {
  readonly records: SetupRecord;
  /** `ours`: nothing of anybody else is in it. `settings`: needs no backup, and goes back to what it was. */
  readonly use: "ours" | "settings" | "theirs";
  readonly agent: AgentPlan["agent"];
}

function planAll<T extends { readonly agent: Agent; readonly notes?: readonly string[] }>(
  tasks: readonly T[],
  plan: (task: T) => readonly Result<Planned>[],
): Result<readonly AgentPlan[]> {
  const plans: AgentPlan[] = [];
  for (const task of tasks) {
    const planned: Planned[] = [];
    for (const result of plan(task)) {
      if (!result.ok) return result;
      planned.push(result.value);
    }
    const changes = planned.flatMap(({ change }) => (change ? [change] : []));
    const notes = [...(task.notes ?? []), ...planned.flatMap((one) => one.notes)];
    plans.push({ agent: task.agent, changes, notes });
  }
  return ok(plans);
}

function planWire<W>(edit: FileEdit<W>, wish: W, { records, use, agent }: About): Result<Planned> {
  const read = readConfig(edit.file);
  if (!read.ok) return read;
  const config = read.value;
  const flaw = edit.flaw?.(config.text ?? "");
  if (flaw !== undefined) return refuseFile(edit.file, flaw);
  const old = records[edit.file];
  const before = withoutUs(edit, config.text, old);
  if (!before.ok) return before;
  const found = before.value;
  const fresh = edit.wire(found, wish);
  if (!fresh.ok) return fresh;
  // Where nothing of ours is wanted any more, the file is what it was before us.
  const isDone = fresh.value.text === found;
  const isUntouched = found === config.text && old === undefined;
  const wired = isDone || isUntouched ? fresh : edit.wire(config.text, wish, old?.made);
  if (!wired.ok) return wired;
  const { text: after, notes } = wired.value;
  if (after === config.text) return ok({ notes });
  if (config.locked !== undefined) return refuseFile(edit.file, config.locked);
  const isLeft = isDone || after === undefined || use === "ours";
  const record = isLeft ? undefined : { agent: agent.name, ...remember(edit, config, { found, after, old }) };
  const isOurs = use !== "theirs" || after === undefined || isAsLeft(config, old);
  return ok({ notes, change: { config, after, record, isOurs, isOwnFile: use === "ours" || edit.isOwnFile === true } });
}

/** Setup made the file, and nobody has written in it since. */
function isAsLeft({ text }: ConfigFile, old: FileRecord | undefined): boolean {
  return text !== undefined && old?.isNew === true && old.left === checksum(text);
}

interface Step {
  readonly found: string | undefined;
  readonly after: string;
  readonly old: FileRecord | undefined;
}

type Undoable = Pick<FileEdit, "unwire" | "made">;

function remember(edit: Undoable, { text }: ConfigFile, { found, after, old }: Step): Omit<FileRecord, "agent"> {
  const made = [...(old?.made ?? []), ...(edit.made?.(text, after) ?? [])];
  // What has gone again is nobody's: should the person write it, it is theirs.
  const present = edit.made?.(undefined, after) ?? [];
  return {
    left: checksum(after),
    isNew: found === undefined,
    undo: spliceBetween(after, found ?? ""),
    made: [...new Set(made)].filter((place) => present.includes(madePlace(place))),
    madeFolder: old?.madeFolder,
  };
}

/** What the file was before us: to the byte when nobody has touched it since, else without our entries. */
function withoutUs(edit: Undoable, text: string | undefined, old: FileRecord | undefined): Result<string | undefined> {
  if (text === undefined) return ok(undefined);
  const before = textBefore(text, old);
  if (before) return ok(before.text);
  const unwired = edit.unwire(text, old?.made);
  if (!unwired.ok) return unwired;
  const rest = unwired.value.text;
  // The file was ours, and nothing of anybody else is in it.
  const isLeftOver = old?.isNew === true && rest !== text && /^\s*(?:\{\s*\})?\s*$/.test(rest ?? "");
  return ok(isLeftOver ? undefined : rest);
}

function planUnwire(edit: FileEdit, records: SetupRecord, isOurs: boolean): Result<Planned> {
  const old = records[edit.file];
  const read = readConfig(edit.file);
  if (!read.ok) return old ? read : ok({ notes: [] });
  const config = read.value;
  const rest = withoutUs(edit, config.text, old);
  // It cannot be parsed; without our name nothing of ours can be in it, and the other agents need not wait for it.
  if (!rest.ok) return old || config.text?.includes(OUR_NAME) ? rest : ok({ notes: [] });
  const after = rest.value;
  if (after === config.text) return ok({ notes: [] });
  if (config.locked !== undefined) return refuseFile(edit.file, config.locked);
  // A file that goes held nothing but our entries: there is nothing in it to keep.
  const isOwnFile = isOurs || edit.isOwnFile === true;
  const change = { config, after, record: undefined, isOurs: isOurs || after === undefined, isOwnFile };
  return ok({ notes: [], change });
}

/** In each entry of ours, whichever version wrote it. */
const OUR_NAME = "milepost";
