import * as z from "zod";
import { ok } from "../../core/result.js";
import type { Page } from "../../store/event-store.js";
import { defineCommand } from "../command.js";
import { jsonLine } from "../json-lines.js";

export const events = defineCommand({
  details: `One event a line: {"cursor","stream","version","type","at","data"}, with "id" and "actor" where there are any. "at" is in
milliseconds. Each "cursor" can be given to --after later, to this store only. When events after that cursor are no longer
kept, a line {"type":"log.pruned","upTo":CURSOR} comes first.

Example:
  milepost events --follow | jq -r '[.stream, .type] | @tsv'`,
  input: z.object({
    after: z.string().default("0").describe("begin behind this cursor"),
    stream: z.string().optional().describe("only one stream, such as session:ID"),
    follow: z.boolean().default(false).describe("wait for what comes; Ctrl+C ends"),
  }),
  async run({ open, output, interrupted }, { after, stream, follow }) {
    const { store } = await open("read");
    const options = { after, ...(stream === undefined ? undefined : { stream }) };
    const pages = follow ? await store.follow({ ...options, signal: interrupted() }) : await store.read(options);
    if (!pages.ok) return pages;
    for await (const page of pages.value) await output.write(pageLines(page));
    return ok(undefined);
  },
});

function pageLines({ events, prunedUpTo }: Page): string {
  const gap = prunedUpTo === undefined ? [] : [{ type: "log.pruned", upTo: prunedUpTo }];
  return [...gap, ...events].map((record) => `${jsonLine(record)}\n`).join("");
}
