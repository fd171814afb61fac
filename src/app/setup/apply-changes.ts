import { basename, dirname } from "node:path";
import { backUp, type ConfigFile, removeConfig, writeConfig } from "./config-file.js";
import { WIRING } from "./launch.js";
import type { AgentPlan, Change } from "./planned-changes.js";
import { type SetupRecord, writeRecord } from "./setup-record.js";
import { isShellFile } from "./shell/shell-file.js";

interface ChangedFile {
  readonly file: string;
  readonly backup?: string;
}

export interface AgentReport {
  readonly agent: string;
  readonly changed: readonly ChangedFile[];
  readonly notes: readonly string[];
}

interface Place {
  readonly home: string;
  readonly time: Date;
  readonly record: SetupRecord;
}

interface Applying extends Place {
  record: SetupRecord;
  readonly done: Change[];
}

/** Writes each file in one step. When one cannot be written, those before it get their old text back. */
export function applyPlans(plans: readonly AgentPlan[], place: Place): readonly AgentReport[] {
  const applying: Applying = { ...place, done: [] };
  try {
    // What lines start is there before them.
    const first = plans.flatMap(({ changes }) => changes).filter(isNeededFirst);
    const done = new Map(first.map((change) => [change, applyChange(change, applying)]));
    return plans.map(({ agent, changes, notes }) => ({
      agent: agent.name,
      changed: changes.map((change) => done.get(change) ?? applyChange(change, applying)),
      notes,
    }));
  } catch (error) {
    for (const { config } of applying.done.toReversed()) putBack(config);
    writeRecord(place.home, place.record);
    throw error;
  }
}

function isNeededFirst({ config, after }: Change): boolean {
  return isShellFile(config.file) && after !== undefined;
}

function applyChange(change: Change, applying: Applying): ChangedFile {
  const { config, after, isOurs } = change;
  const { file } = config;
  const backup = config.text === undefined || isOurs ? undefined : backUp(config, applying.time);
  const { [file]: old, ...others } = applying.record;
  const madeFolder = after === undefined ? undefined : (writeConfig(config, after) ?? old?.madeFolder);
  if (after === undefined) removeConfig(config, old?.madeFolder ?? wiringFolder(file));
  applying.done.push(change);
  applying.record = change.record ? { ...others, [file]: { ...change.record, madeFolder } } : others;
  // After each file: a crash between two of them leaves a record that is true.
  writeRecord(applying.home, applying.record);
  return backup === undefined ? { file } : { file, backup };
}

/** What we put into Milepost's own folder is not in the record. */
function wiringFolder(file: string): string | undefined {
  const isOurs = basename(dirname(file)) === WIRING && /^milepost\b.*\.(?:cjs|sh)$/.test(basename(file));
  return isOurs ? dirname(file) : undefined;
}

function putBack(config: ConfigFile): void {
  if (config.text === undefined) removeConfig(config, undefined);
  else writeConfig(config, config.text);
}
