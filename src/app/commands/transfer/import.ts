import { fail, ok, type Result } from "../../../core/result.js";
import { counted } from "../../../core/text/length.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { giveWay, StepSize } from "../../../store/upkeep/give-way.js";
import type { Imported, SeenInFile, Travelling } from "../../../store/upkeep/transfer.js";
import { defineCommand } from "../../command-definition.js";
import { needed, text, toggle } from "../../fields.js";
import { readLines } from "../../json-lines.js";
import { type OpenedFile, openPlainFile } from "../../safe-files.js";
import { readImportLine } from "./transfer-lines.js";

/** Longer than any line that an export writes of what can be stored: a character of it takes at most six. */
const LONGEST_RECORD = 64 * 1024 * 1024;

/** Records in one transaction, and characters of their lines in memory. */
const BATCH = { first: 50, least: 10, most: 500 };
const BATCH_LENGTH = 1024 * 1024;

export const importCommand = defineCommand({
  details: `The whole file is checked first: if a line is invalid, or conflicts with the store's history, nothing is
imported. Events that the store already has are skipped, so it can be run again.`,
  examples: ["milepost import all.jsonl --dry-run"],
  words: ["file"],
  input: {
    file: needed(text("FILE", "a file that export wrote")),
    dryRun: toggle("dry run: only check the file against the store"),
  },
  async run({ open, progress }, { file, dryRun }) {
    const opened = openPlainFile(file);
    if (!opened.ok) return opened;
    try {
      const { store } = await open(dryRun ? "read" : "write");
      const seen: SeenInFile = { reached: new Map(), ids: new Set() };
      const checked = await eachBatch(
        opened.value,
        (batch) => store.compare(batch, seen),
        (records) => progress(`Checked ${records} records`),
      );
      if (!checked.ok || dryRun) return checked.ok ? ok({ file, ...checked.value, dryRun }) : checked;
      const taken = await eachBatch(
        opened.value,
        async (batch) => {
          await giveWay();
          return store.take(batch);
        },
        (records) => progress(`Imported ${records} records`),
      );
      return taken.ok ? ok({ file, ...taken.value, dryRun }) : taken;
    } finally {
      opened.value.close();
    }
  },
  show: ({ file, events, known, cut, dryRun }) => {
    const left =
      cut === 0 ? "" : ` In ${counted(cut, "record")}, what is too deep or too large was left out and marked.`;
    const done = dryRun ? "Would import" : "Imported";
    return `${done} ${events} events from ${terminalText(file)}; ${known} already existed.${left}\n`;
  },
});

type Take = (batch: readonly Travelling[]) => Promise<Result<Imported>>;

async function eachBatch(file: OpenedFile, take: Take, progress: (records: number) => void): Promise<Result<Imported>> {
  const counts = { events: 0, known: 0, cut: 0 };
  const step = new StepSize(BATCH);
  let batch: Travelling[] = [];
  let length = 0;
  const flush = async () => {
    const taken = await step.time(() => take(batch));
    if (taken.ok) {
      counts.events += taken.value.events;
      counts.known += taken.value.known;
      counts.cut += taken.value.cut;
      progress(counts.events + counts.known);
    }
    batch = [];
    length = 0;
    return taken;
  };
  for await (const record of readRecords(file)) {
    if (!record.ok) return record;
    batch.push(record.value.record);
    length += record.value.length;
    if (batch.length < step.size && length < BATCH_LENGTH) continue;
    const flushed = await flush();
    if (!flushed.ok) return flushed;
  }
  const flushed = batch.length > 0 ? await flush() : ok(counts);
  return flushed.ok ? ok(counts) : flushed;
}

/** The records between the first line and the last, which has their number: a file that was cut off is refused. */
async function* readRecords(file: OpenedFile): AsyncGenerator<Result<{ record: Travelling; length: number }>> {
  let events = 0;
  let state: "before" | "inside" | "behind" = "before";
  for await (const line of readLines(file.read(), LONGEST_RECORD)) {
    if (line.text?.trim() === "") continue;
    const read = readImportLine(line);
    if (!read.ok) return yield read;
    const { type } = read.value;
    if ((type === "start") !== (state === "before") || state === "behind") return yield outOfOrder(line.number);
    state = type === "end" ? "behind" : "inside";
    if (read.value.type === "end" && read.value.events !== events) return yield outOfOrder(line.number);
    if (read.value.type !== "record") continue;
    if (!("base" in read.value.record)) events += 1;
    yield ok({ record: read.value.record, length: line.text?.length ?? 0 });
  }
  if (state !== "behind") yield refused("The file is incomplete");
}

function outOfOrder(line: number) {
  return refused(`Line ${line} is out of order, or lines before it are missing`);
}

function refused(why: string) {
  return fail("bad-record", `${why}. Nothing was imported; export the file again.`);
}
