import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "../core/result.js";
import { openStore } from "../store/open.js";
import { SAVE_REST, StoreTrouble } from "../store/trouble.js";
import {
  acceptStoreLoss,
  examineStore,
  findReplaceableStore,
  isPartOfStore,
  setStoreAside,
} from "../store/upkeep/examine.js";
import { parseStoreUrl } from "../store/url.js";
import type { CommandContext } from "./command-definition.js";
import { placeFile, temporaryBeside } from "./safe-files.js";
import { givenStore, nextStep } from "./terminal/next-step.js";
import { PROJECTIONS } from "./views.js";

/** What `backup --restore` says. */
export interface PutBack {
  readonly file: string;
  readonly store: string;
  readonly events: number;
  /** The store as it was before, under another name; null when there was none. */
  readonly kept: string | null;
}

/** Puts a backup in the place of the store. The old one is kept, so that this can be taken back in the same way. */
export async function putBack(context: CommandContext, file: string, isSure: boolean): Promise<Result<PutBack>> {
  const place = parseStoreUrl(context.store.url);
  if (place.type !== "file") return fail("bad-usage", notAFile(context, file, place.name));
  if (!existsSync(file)) return fail("no-file", `There is no file ${file}.`);
  if (await isPartOfStore(context.store.url, file))
    return fail("bad-usage", `${file} is the store itself: there is nothing to restore.`);
  const store = await findReplaceableStore(place.path);
  const temporary = temporaryBeside(store);
  try {
    const copied = await copyChecked(context, file, temporary.path);
    if (!copied.ok) return copied;
    const agreed = isSure ? ok(undefined) : await agree(context, file, copied.value, store);
    if (!agreed.ok) return agreed;
    const aside = await setStoreAside(store);
    const placed = placeFile(temporary.path, store, false);
    if (!placed.ok) {
      aside.undo();
      return placed;
    }
    // The head of the old store is not this one's, and nothing was lost: the old store is kept.
    const head = await acceptStoreLoss(store);
    if (head !== undefined) rmSync(head);
    return ok({ file, store, events: copied.value, kept: aside.kept ?? null });
  } finally {
    temporary.remove();
  }
}

function notAFile(context: CommandContext, file: string, store: string): string {
  const read = nextStep("export copy.jsonl", { store: resolve(file) }, ["store"]);
  const add = nextStep("import copy.jsonl", { store: givenStore(context) }, ["store"]);
  return `The store ${store} is not a file, so no file takes its place. To add what is in ${file}: ${read} && ${add}`;
}

/** How many events the copy has. The backup itself is only read, also where its journal lies beside it. */
async function copyChecked({ progress }: CommandContext, file: string, to: string): Promise<Result<number>> {
  try {
    progress("Copying");
    await copyTo(to, file);
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    // What helps a damaged store would be said of the wrong one.
    const why = error.message.replace(SAVE_REST, "").trim();
    return fail(error.code, `${file} cannot be restored, so nothing was changed: ${why}`);
  }
  const examined = await examineStore(to, {
    projections: PROJECTIONS,
    isOwnFolder: false,
    rebuild: false,
    progress: (events) => progress(`Checked ${events} events`),
  });
  const damage = examined.findings.find(({ level }) => level === "damage");
  if (damage) return fail("store-damaged", `${file} is damaged, so nothing was changed: ${damage.message}`);
  return ok(examined.log?.events ?? 0);
}

/** Read-only: nothing is written beside the backup. */
async function copyTo(to: string, file: string): Promise<void> {
  const backup = await openStore(resolve(file), { projections: PROJECTIONS, mustExist: true, isReadOnly: true });
  try {
    await backup.backup(to);
  } finally {
    await backup.close();
  }
}

async function agree(
  { confirm }: CommandContext,
  file: string,
  events: number,
  store: string,
): Promise<Result<undefined>> {
  const isSure = await confirm(`Put ${file} (${events} events) in the place of ${store}? The old store is kept.`);
  if (isSure === undefined) return fail("needs-yes", "Nothing was changed: confirmation needs a terminal, or --yes.");
  return isSure ? ok(undefined) : fail("not-confirmed", "Nothing was changed.");
}
