import * as z from "zod";
import { fail, ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isPartOfStore } from "../../store/upkeep/examine.js";
import { defineCommand } from "../command-definition.js";
import { writeFileWhole } from "../safe-files.js";
import { exportLines } from "./transfer-lines.js";

export const exportCommand = defineCommand({
  details: `Without FILE the lines go to standard output. The first line has the format, the last one the number of
events, and every line between is one event: {"stream","version","type","at","data"}. milepost import reads them.`,
  words: ["file"],
  input: z.object({
    file: z.string().min(1).optional().describe("output file"),
    force: z.boolean().default(false).describe("overwrite FILE if it exists"),
  }),
  async run(context, { file, force }) {
    const { store } = await context.open("read");
    if (file !== undefined && (await isPartOfStore(context.store.url, file)))
      return fail("file-exists", `${file} belongs to the store itself. Choose another name.`);
    let exported = 0;
    const lines = exportLines(store, (events) => {
      exported = events;
      context.progress(`Exported ${events} events`);
    });
    if (file === undefined) {
      for await (const part of lines) await context.output.write(part);
      return ok(undefined);
    }
    const written = await writeFileWhole(file, force, lines);
    return written.ok ? ok({ file, events: exported }) : written;
  },
  show: (value) => (value ? `Wrote ${value.events} events to ${terminalText(value.file)}.\n` : ""),
});
