import { resolve } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isPartOfStore } from "../../store/upkeep/examine.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { text, toggle } from "../fields.js";
import { collectReport, type ReportAsked } from "../report/collect-report.js";
import type { WorkReport } from "../report/work-report.js";
import { openPlainFile, writeFileWhole } from "../safe-files.js";
import { reportText } from "../terminal/report-text.js";
import { parseSince } from "../transcripts/session-filter.js";

interface WrittenPage {
  readonly file: string;
  readonly sessions: number;
}

const USUAL = "24h";

export const report = defineCommand({
  details: `What was done: todos with their verdicts and the time each one took, checks, loops caught, tokens per agent,
files changed, tasks closed. Without --session: every session that was active since then, from the store and from
transcripts; with it: all of that session.

--html writes the same as one page that needs no network and runs no script: it can be sent to anybody. It has the
timeline of each session: todos as bars, calls as ticks, checks, alerts and compactions. Secrets are taken out of its
texts, but commands and file names are in it. A report is replaced by a newer one; any other file only with --yes.`,
  examples: [
    "milepost report",
    "milepost report --since 7d --html report.html",
    "milepost report --session acc5a7",
    "milepost report --since 2w --json | jq .sum.verdicts",
  ],
  input: {
    session: text("SESSION", "one session: its id, or a prefix of it"),
    since: text("SINCE", `all sessions active since then: 30m, 12h, 7d, 2w, 2026-11-16 (default: ${USUAL})`, {
      check: checkSince,
    }),
    html: text("FILE", "write an HTML page to FILE, or - for standard output"),
    yes: toggle("with --html: overwrite FILE, whatever it is"),
  },
  async run(context, { session, since, html, yes }): Promise<Result<WorkReport | WrittenPage | undefined>> {
    if (session !== undefined && since !== undefined)
      return fail(
        "bad-usage",
        `--session is all of a session: leave out --since, or run milepost report --since ${since}`,
      );
    const now = Date.now();
    const asked: ReportAsked = session === undefined ? { since: parseSince(since ?? USUAL, now) ?? 0 } : { session };
    const place = html === undefined || html === "-" ? ok(false) : await placeFor(context, html, yes);
    if (!place.ok) return place;
    const collected = await collectReport(context, asked, now);
    if (!collected.ok || html === undefined) return collected;
    const { drawPage } = await import("../report/page/draw-page.js");
    const page = drawPage(collected.value);
    if (html === "-") {
      await context.output.write(page);
      return ok(undefined);
    }
    const written = await writeFileWhole(resolve(context.folder, html), place.value, [page]);
    return written.ok ? ok({ file: html, sessions: collected.value.sessions.length }) : written;
  },
  show(value, output) {
    if (value === undefined) return "";
    if ("file" in value) return `Wrote ${counted(value.sessions, "session")} to ${terminalText(value.file)}.\n`;
    return reportText(value, output);
  },
});

function checkSince(typed: string): string | undefined {
  return parseSince(typed, 0) === undefined ? "use a duration such as 7d, or a date such as 2026-11-16" : undefined;
}

/** Before the work: whether the page may take the place of what is there. True: it replaces something. */
async function placeFor(context: CommandContext, file: string, isSure: boolean): Promise<Result<boolean>> {
  const path = resolve(context.folder, file);
  if (await isPartOfStore(context.store.url, path))
    return fail("file-exists", `${file} belongs to the store itself. Choose another name.`);
  if (isSure) return ok(true);
  const opened = openPlainFile(path);
  if (!opened.ok) return opened.error.code === "no-file" ? ok(false) : opened;
  try {
    if (await isOurs(opened.value.read())) return ok(true);
  } finally {
    opened.value.close();
  }
  return fail("file-exists", `${file} exists, and is no report. Nothing was overwritten; --yes does it.`);
}

const BEGINNING = 1000;

async function isOurs(parts: AsyncIterable<Uint8Array>): Promise<boolean> {
  const { PAGE_MARK } = await import("../report/page/draw-page.js");
  for await (const part of parts) return Buffer.from(part.subarray(0, BEGINNING)).includes(PAGE_MARK);
  return false;
}
