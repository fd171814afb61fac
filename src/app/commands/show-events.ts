import { defined } from "../../core/json.js";
import { ok } from "../../core/result.js";
import type { Page } from "../../store/event-store.js";
import { defineCommand } from "../command-definition.js";
import { text, toggle } from "../fields.js";
import { jsonLines } from "../json-lines.js";
import { printedEvent } from "./transfer/transfer-lines.js";

export const events = defineCommand({
  details: `One event per line: {"cursor","stream","version","type","at","data"}, some with "id" and "actor". "data" is
as it was stored, with times in milliseconds. A "cursor" can be passed to --after later, for this store only. If events
after that cursor have been pruned, a line {"type":"log.pruned","upTo":CURSOR} comes first.`,
  examples: ["milepost events --follow", "milepost events | jq -r '[.stream, .type] | @tsv'"],
  input: {
    after: text("CURSOR", "start after this cursor", { standard: "0" }),
    stream: text("STREAM", "only events of this stream, such as session:ID"),
    follow: toggle("wait for new events until Ctrl+C"),
  },
  async run({ open, output, interrupted }, { after, stream, follow }) {
    const { store } = await open("read");
    const options = defined({ after, stream });
    const pages = follow ? await store.follow({ ...options, signal: interrupted() }) : await store.read(options);
    if (!pages.ok) return pages;
    for await (const page of pages.value) for (const piece of jsonLines(recordsOf(page))) await output.write(piece);
    return ok(undefined);
  },
});

function recordsOf({ events, prunedUpTo }: Page): readonly object[] {
  const gap = prunedUpTo === undefined ? [] : [{ type: "log.pruned", upTo: prunedUpTo }];
  return [...gap, ...events.map(printedEvent)];
}
