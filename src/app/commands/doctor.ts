import * as z from "zod";
import { ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { acceptStoreLoss, type Examination, examineStore } from "../../store/examine.js";
import { defineCommand, type Output } from "../command.js";
import { PROJECTIONS } from "../lists.js";
import { RETENTION_TEXT } from "../retention-text.js";
import { paint } from "../row.js";

interface Report extends Examination {
  readonly isHealthy: boolean;
  /** Where the old head went, after a loss was accepted. */
  readonly keptHead?: string;
}

export const doctor = defineCommand({
  details: `Reads the whole store: its pages, every event's checksum, the end of every stream, every view against its events, the
head file, versions, rights, the folder. Changes nothing unless you ask for it, and never deletes a damaged file.
Exit code 3 when something is damaged; warnings alone leave it at 0.`,
  input: z.object({
    rebuild: z.boolean().default(false).describe("fold views again from their events where they differ"),
    acceptLoss: z
      .boolean()
      .default(false)
      .describe("go on with what is left after a loss; the old head file is kept aside"),
  }),
  async run({ store, progress }, { rebuild, acceptLoss }) {
    const keptHead = acceptLoss ? await acceptStoreLoss(store.url) : undefined;
    const examination = await examineStore(store.url, {
      projections: PROJECTIONS,
      isOwnFolder: store.isOwnFolder,
      rebuild,
      progress: (events) => progress(`Checked ${events} events`),
    });
    const isHealthy = examination.findings.every(({ level }) => level !== "damage");
    return ok<Report>({ ...examination, isHealthy, ...(keptHead === undefined ? undefined : { keptHead }) });
  },
  show: (report, output) => `${rows(report, output).join("\n")}\n`,
  verdict({ findings, isHealthy }) {
    if (isHealthy) return undefined;
    const count = findings.filter(({ level }) => level === "damage").length;
    const what = count === 1 ? "One thing is" : `${count} things are`;
    return { code: "store-damaged", message: `${what} damaged; see above. Nothing was deleted.` };
  },
});

function rows(report: Report, output: Output): readonly string[] {
  const { store, log, totals, findings, walSize, keptHead } = report;
  const good = (text: string) => `${paint(output, "green", "ok")}       ${text}`;
  return [
    paint(output, "bold", `Store ${terminalText(store)}`),
    ...(totals
      ? [
          good(
            `${totals.streams} streams, ${totals.events} events, ${size(totals.size)} of event data; schema ${totals.schema}`,
          ),
          good(
            `history kept: ${RETENTION_TEXT}${totals.prunedUpTo ? `; pruned up to cursor ${totals.prunedUpTo}` : ""}`,
          ),
        ]
      : []),
    ...(walSize === undefined ? [] : [good(`journal ${size(walSize)}`)]),
    ...(log && log.findings.length === 0 ? [good("every event, stream and view is sound")] : []),
    ...(log && log.rebuilt > 0 ? [good(`${log.rebuilt} views folded again from their events`)] : []),
    ...(keptHead === undefined
      ? []
      : [good(`the loss is accepted; the old head is kept in ${terminalText(keptHead)}`)]),
    ...findings.map(({ level, code, message }) =>
      level === "damage"
        ? `${paint(output, "red", "DAMAGE")}   ${terminalText(message)} [${code}]`
        : `${paint(output, "yellow", "warning")}  ${terminalText(message)} [${code}]`,
    ),
    ...(!totals && findings.length === 0 ? ["No store is here yet; it is made when it is first used."] : []),
  ];
}

function size(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}
