import { resolve } from "node:path";
import { fail, ok } from "../../../core/result.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { isPartOfStore } from "../../../store/upkeep/examine.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { text, toggle } from "../../fields.js";
import { writeFileWhole } from "../../safe-files.js";
import { leftOutText, openDamaged } from "../../salvage-store.js";
import { exportLines, recordLines } from "./transfer-lines.js";

async function* salvagedLines(context: CommandContext, progress: (events: number) => void): AsyncGenerator<string> {
  const salvage = await openDamaged(context);
  try {
    yield* recordLines(salvage.records(), progress);
    for (const loss of salvage.leftOut) await context.notice(`Left out: ${leftOutText(loss)}`);
  } finally {
    salvage.found.close();
  }
}

export const exportCommand = defineCommand({
  details: `Without FILE the lines go to standard output. The first line has the format, the last one the number of
events, and every line between is one event: {"stream","version","type","at","data"}. milepost import reads them.
--skip-damaged is for a damaged store: it writes what can be read and names on standard error what was left out. Where a
stream lost events, the later ones are numbered anew, and an event stream.salvaged says what was there.`,
  examples: ["milepost export all.jsonl"],
  words: ["file"],
  input: {
    file: text("FILE", "output file"),
    force: toggle("overwrite FILE if it exists"),
    skipDamaged: toggle("leave out what is damaged, and name it"),
  },
  async run(context, { file, force, skipDamaged }) {
    if (file !== undefined && (await isPartOfStore(context.store.url, resolve(context.folder, file))))
      return fail("file-exists", `${file} belongs to the store itself. Choose another name.`);
    let exported = 0;
    const progress = (events: number) => {
      exported = events;
      context.progress(`Exported ${events} events`);
    };
    const lines = skipDamaged
      ? salvagedLines(context, progress)
      : exportLines((await context.open("read")).store, progress);
    if (file === undefined) {
      for await (const part of lines) await context.output.write(part);
      return ok(undefined);
    }
    const written = await writeFileWhole(resolve(context.folder, file), force, lines);
    return written.ok ? ok({ file, events: exported }) : written;
  },
  show: (value) => (value ? `Wrote ${value.events} events to ${terminalText(value.file)}.\n` : ""),
});
