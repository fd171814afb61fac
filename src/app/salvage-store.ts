import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "../core/result.js";
import { counted } from "../core/text/length.js";
import { terminalText } from "../core/text/terminal-text.js";
import { readDamaged } from "../store/salvage/read-damaged.js";
import type { Amend, HurtStream, LeftOut, Salvage } from "../store/salvage/salvage.js";
import { type WrittenStore, writeSalvaged } from "../store/salvage/write-salvaged.js";
import { acceptStoreLoss, examineStore, isPartOfStore } from "../store/upkeep/examine.js";
import { parseStoreUrl } from "../store/url.js";
import type { CommandContext, Output } from "./command-definition.js";
import { placeFile, temporaryBeside } from "./safe-files.js";
import { numbersGiven, numbersStream } from "./tasks/task-views.js";
import { nextStep } from "./terminal/next-step.js";
import { paint } from "./terminal/paint.js";
import { PROJECTIONS } from "./views.js";

/** What `doctor --salvage` says. */
export interface SalvageReport extends WrittenStore {
  /** The new store. */
  readonly salvaged: string;
  readonly leftOut: readonly LeftOut[];
  readonly hurt: readonly HurtStream[];
  /** Pages, or places of a server's tables, of which not everything could be read. */
  readonly unreadablePages: number;
}

type Context = Pick<CommandContext, "store" | "progress">;

/** Everything that can be read goes into a new store. The old files are only read, and nothing is overwritten. */
export async function salvageStore(
  context: Context,
  file: string,
  isChanging: boolean,
): Promise<Result<SalvageReport>> {
  const { store, progress } = context;
  if (isChanging) return fail("bad-usage", "--salvage changes nothing in the old store: leave out the other flags.");
  const place = parseStoreUrl(file);
  if (place.type !== "file") return fail("bad-usage", `--salvage needs a new file, not ${place.name}.`);
  const { path } = place;
  // A link that leads nowhere is there, too.
  if (lstatSync(path, { throwIfNoEntry: false }) || (await isPartOfStore(store.url, path)))
    return fail("file-exists", `${path} already exists. Nothing was overwritten.`);
  const salvage = await openDamaged(context);
  const temporary = temporaryBeside(path);
  try {
    const written = await writeSalvaged(temporary.path, salvage, PROJECTIONS, (events) =>
      progress(`Wrote ${events} events`),
    );
    // Counts of open blockers need both ends of an edge: where one was lost they are counted anew.
    const { findings } = await examineStore(temporary.path, {
      projections: PROJECTIONS,
      isOwnFolder: false,
      rebuild: true,
      progress: (events) => progress(`Checked ${events} events`),
    });
    const damage = findings.find(({ level }) => level === "damage");
    if (damage)
      return fail("salvage-failed", `The new store would not be sound, so it was not kept: ${damage.message}`);
    const placed = placeFile(temporary.path, path, false);
    if (!placed.ok) return placed;
    // The head of an earlier file of that name is not this one's.
    await acceptStoreLoss(resolve(path));
    const { leftOut, hurt, unreadablePages } = salvage;
    return ok({ salvaged: path, ...written, leftOut, hurt, unreadablePages });
  } finally {
    salvage.found.close();
    temporary.remove();
  }
}

export function openDamaged({ store, progress }: Context): Promise<Salvage> {
  return readDamaged(store.url, { projections: PROJECTIONS, amend: keepNumbers, progress });
}

/** A number of a task is never given twice, also where the stream that counts them was hurt. */
const keepNumbers: Amend = (streams, isHurt) => {
  const last = new Map<string, number>();
  for (const stream of streams) {
    const [, list, number] = /^task:(.+)\/(\d{1,15})$/.exec(stream) ?? [];
    if (list !== undefined) last.set(list, Math.max(last.get(list) ?? 0, Number(number)));
  }
  return [...last]
    .map(([list, number]) => ({ stream: numbersStream(list), event: numbersGiven(number) }))
    .filter(({ stream }) => isHurt(stream));
};

/** Each thing that was left out, in one line. */
export function leftOutText(loss: LeftOut): string {
  switch (loss.kind) {
    case "event": {
      const { stream, from, to, types } = loss;
      const which = from === to ? `event ${from}` : `events ${from} to ${to}`;
      return `${which} of ${stream}${types.length > 0 ? ` (${types.join(", ")})` : ""}`;
    }
    case "view":
      return `the ${loss.name ?? "view"} of ${loss.stream}, saved when its history was pruned`;
    case "answer":
      return `the stored answer for the key ${loss.key} of ${loss.stream}`;
    case "reading":
      return `the cached reading of ${loss.path}; the transcript is read again`;
    case "position":
      return loss.from === loss.to
        ? `an event of an unknown stream, at position ${loss.from}`
        : `events of unknown streams, at positions ${loss.from} to ${loss.to}`;
  }
}

function hurtText({ stream, refolded }: HurtStream): string {
  if (refolded.length === 0) return `${stream} lost events, but not what they did: a copy of its views was kept.`;
  return `Look over ${stream}: folded from the events that are left: ${refolded.join(", ")}.`;
}

export function showSalvage(report: SalvageReport, output: Output): string {
  const { salvaged, streams, events, leftOut, hurt } = report;
  const rows = [
    `Wrote ${counted(events, "event")} of ${counted(streams, "stream")} to ${salvaged}, and checked them.`,
    leftOut.length === 0 ? "Nothing was left out." : `Left out (${leftOut.length}):`,
    ...leftOut.map((loss) => `  ${leftOutText(loss)}`),
    ...hurt.map(hurtText),
    `To look at it: ${nextStep("doctor", { store: salvaged }, ["store"])}`,
  ];
  const [first = "", ...rest] = rows.map(terminalText);
  return `${[paint(output, "bold", first), ...rest].join("\n")}\n`;
}
