import type { Engine } from "../engine.js";
import { Recall } from "../log/recall.js";
import { MIGRATIONS } from "../migrations.js";
import { openStore } from "../open.js";
import type { Projection } from "../projection.js";
import type { SetAside } from "../sqlite/set-aside.js";
import { createStore, type Totals } from "../store.js";
import { StoreTrouble } from "../trouble.js";
import { parseStoreUrl } from "../url.js";
import { checkLog, damage, type Finding, type LogCheck, warning } from "./integrity-check.js";

export interface Examination {
  /** Where the store is, without a password. */
  readonly store: string;
  readonly findings: readonly Finding[];
  /** None when the log could not be read at all, or when there is no store yet. */
  readonly log?: LogCheck;
  readonly totals?: Totals;
  readonly walSize?: number;
}

export interface ExamineOptions {
  readonly projections: readonly Projection[];
  readonly isOwnFolder: boolean;
  readonly rebuild: boolean;
  readonly progress?: (events: number) => void;
}

/** Looks at all of a store. Changes nothing, unless views are to be folded again from their events. */
export async function examineStore(url: string, options: ExamineOptions): Promise<Examination> {
  const place = parseStoreUrl(url);
  if (place.type !== "file") return { store: place.name, ...(await examineOpen(url, options)) };
  const { examineFile } = await import("../sqlite/examine-file.js");
  const { engine, findings, walSize } = await examineFile(place.path);
  const base = { store: place.name, walSize };
  if (!engine) return { ...base, findings };
  const isDamaged = findings.some(({ level }) => level === "damage");
  const looked = await lookAndClose(engine, options);
  const all = [...findings, ...looked.findings];
  if (!options.rebuild || isDamaged) return { ...base, ...looked, findings: all };
  const rebuilt = await examineOpen(url, options);
  return { ...base, ...rebuilt, findings: [...findings, ...rebuilt.findings] };
}

type Looked = Pick<Examination, "findings" | "log" | "totals">;

async function examineOpen(url: string, options: ExamineOptions): Promise<Looked> {
  const store = await openStore(url, options);
  try {
    const log = await store.check(options);
    const totals = await store.totals();
    return { log, totals, findings: [...log.findings, ...versionFindings(totals)] };
  } finally {
    await store.close();
  }
}

async function lookAndClose(engine: Engine, { projections, progress }: ExamineOptions): Promise<Looked> {
  const schema = MIGRATIONS.at(-1)?.version ?? 0;
  const workshop = { queries: engine.queries, projections, schema, recall: new Recall() };
  try {
    const totals = await createStore(engine, workshop).totals();
    const log = await checkLog(engine, workshop, { rebuild: false, ...(progress ? { progress } : undefined) });
    return { log, totals, findings: [...log.findings, ...versionFindings(totals)] };
  } catch (error) {
    // The pages under the log are damaged; that has been said, or is said here.
    const message = error instanceof Error ? error.message : String(error);
    return { findings: [damage("unreadable-log", `The log cannot be read to its end: ${message}`)] };
  } finally {
    await engine.close();
  }
}

function versionFindings({ schema, oldestWriter }: Totals): readonly Finding[] {
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (schema <= known) return [];
  const what = `A newer Milepost has written to it: the store has schema ${schema}, this version ${known}.`;
  const advice =
    oldestWriter <= known ? "This version can still write to it." : "This version can only read it: update Milepost.";
  return [warning("newer-store", `${what} ${advice}`)];
}

/** After a loss that a person accepts: the store as it is now is the truth. Says where the old head is kept. */
export async function acceptStoreLoss(url: string): Promise<string | undefined> {
  const place = parseStoreUrl(url);
  if (place.type !== "file")
    throw new StoreTrouble("bad-store", `The store ${place.name} has no head file: there is nothing to accept.`);
  const { acceptLoss } = await import("../sqlite/examine-file.js");
  return acceptLoss(place.path);
}

/** Where another store can take the place of this one; refuses what is none of ours. */
export async function findReplaceableStore(path: string): Promise<string> {
  const { findReplaceable } = await import("../sqlite/set-aside.js");
  return findReplaceable(path);
}

/** Gives the store another name, so that another one can take its place. */
export async function setStoreAside(path: string): Promise<SetAside> {
  const { setFileAside } = await import("../sqlite/set-aside.js");
  return setFileAside(path);
}

/** Codes of findings that a person can accept as a loss. */
export const LOSSES: readonly string[] = ["lost-file", "emptied-file", "replaced-file", "lost-tail"];

/** Is this file the store, or one of those that belong to it? Nothing else may be written there. */
export async function isPartOfStore(url: string, file: string): Promise<boolean> {
  const place = parseStoreUrl(url);
  if (place.type !== "file") return false;
  const { realPath } = await import("../sqlite/real-path.js");
  const { filesOf, stat } = await import("../sqlite/store-files.js");
  const found = stat(file);
  return filesOf(realPath(place.path)).some((part) => {
    const own = stat(part);
    return part === realPath(file) || (found && own && own.dev === found.dev && own.ino === found.ino);
  });
}
