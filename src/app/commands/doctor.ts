import { fail, ok, type Result } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { SAVE_REST } from "../../store/trouble.js";
import { acceptStoreLoss, type Examination, examineStore, LOSSES } from "../../store/upkeep/examine.js";
import type { Finding } from "../../store/upkeep/integrity-check.js";
import { DAY, READINGS_KEPT, RETENTION } from "../../store/upkeep/retention.js";
import { defineCommand, type Given, type Output } from "../command-definition.js";
import { text, toggle } from "../fields.js";
import { type LoggedTrouble, recentTrouble } from "../log-file.js";
import { type SalvageReport, salvageStore, showSalvage } from "../salvage-store.js";
import { worldOf } from "../setup/agents/wired-agents.js";
import { checkPlugins } from "../setup/plugin/plugin-check.js";
import { checkWiring, type WiringCheck } from "../setup/wiring-check.js";
import { type SpoolReport, spoolLines, spoolReport } from "../spool/spool-report.js";
import { type RedactedStore, redactedText, redactStored } from "../stored-secrets.js";
import { withStore } from "../terminal/next-step.js";
import { paint } from "../terminal/paint.js";
import { PROJECTIONS } from "../views.js";

interface Report extends Examination {
  /** Agents that have something of ours in their files. */
  readonly wiring: readonly WiringCheck[];
  /** What a hook met in the last 24 hours; it never says so itself. */
  readonly trouble: LoggedTrouble | undefined;
  /** What hooks could not record yet. */
  readonly spool: SpoolReport | undefined;
  readonly isHealthy: boolean;
  readonly retention: string;
  /** What is lost for good, and where the old head went. */
  readonly accepted: { readonly losses: readonly string[]; readonly keptHead: string } | undefined;
  /** What --redact found and redacted. */
  readonly redacted: RedactedStore | undefined;
}

export const doctor = defineCommand({
  details: `Checks the whole store: its pages, the checksum of every event, the end of every stream, every view against
its events, the head file, schema versions, permissions and the folder. Without flags it changes nothing; it never
deletes a file. For each agent that milepost setup has configured, it starts the MCP server, the hooks and the status
line. What looks like a secret is redacted before it is stored; --redact finds and redacts what older versions stored,
which cannot be undone. Exit code: 3 if the store is damaged, 1 if only an agent's setup is broken, 0 if there are only
warnings. --salvage FILE reads a damaged store event by event, whatever its pages, indexes or journal look like, and
writes a new one; the old files are only read. It exits with 0 and lists what was left out ("leftOut" with --json), with
1 if FILE exists, and with 3 if nothing could be read. It does no other checks.`,
  examples: ["milepost doctor", "milepost doctor --salvage salvaged.db"],
  input: {
    rebuild: toggle("rebuild views that differ from their events"),
    acceptLoss: toggle("continue with the remaining events after a loss; keeps the old head file"),
    salvage: text("FILE", "write everything that can be read to a new store in this file"),
    redact: toggle("redact secrets that older versions stored or logged"),
    dryRun: toggle("with --redact: only say how many events hold one"),
    yes: toggle("with --redact: do not ask for confirmation"),
  },
  async run(context, { rebuild, acceptLoss, salvage, redact, dryRun, yes }): Promise<Result<Report | SalvageReport>> {
    const { store, progress } = context;
    if (salvage !== undefined) return salvageStore(context, salvage, rebuild || acceptLoss || redact);
    const examine = () =>
      examineStore(store.url, {
        projections: PROJECTIONS,
        isOwnFolder: store.isOwnFolder,
        rebuild,
        progress: (events) => progress(`Checked ${events} events`),
      });
    const first = await examine();
    const losses = first.findings.filter(({ code }) => LOSSES.includes(code));
    const keptHead = acceptLoss && losses.length > 0 ? await acceptStoreLoss(store.url) : undefined;
    const isSound = first.findings.every(({ level }) => level !== "damage");
    if (redact && !isSound && keptHead === undefined)
      return fail("store-damaged", "Nothing was redacted: the store is damaged. To see all damage: milepost doctor");
    const redacting =
      redact && !dryRun ? await redactStored(context, { yes, hasStore: first.totals !== undefined }) : ok(undefined);
    if (!redacting.ok) return redacting;
    const redacted = redacting.value;
    const examination = keptHead === undefined && redacted === undefined ? first : await examine();
    const world = worldOf(context);
    const wiring = [...(await checkWiring(world, progress)), ...(await checkPlugins(world, progress))];
    const isHealthy =
      examination.findings.every(({ level }) => level !== "damage") &&
      wiring.every(({ findings }) => findings.length === 0);
    const trouble = recentTrouble(context.environment, Date.now());
    const accepted = keptHead === undefined ? undefined : { losses: losses.map(({ message }) => message), keptHead };
    const spool = spoolReport(context.environment, store.url);
    const own = { wiring, isHealthy, retention: RETENTION_TEXT, trouble, spool, accepted, redacted };
    return ok<Report>({ ...examination, ...own });
  },
  show(value, output, given) {
    if ("salvaged" in value) return showSalvage(value, output);
    return `${[...rows(value, output, given), ...wiringRows(value, output)].join("\n")}\n`;
  },
  verdict(value) {
    if ("salvaged" in value || value.isHealthy) return undefined;
    const damage = value.findings.filter(({ level }) => level === "damage");
    if (damage.length === 0) return { code: "wiring-broken", message: "The setup of an agent is broken; see above." };
    const message = `The store is damaged (${counted(damage.length, "finding")}); see above. Nothing was deleted.`;
    return { code: "store-damaged", message: `${message}${nextAfter(damage)}` };
  },
});

/** Where a view can be rebuilt, or there is nothing to read from, the findings themselves say what to do. */
function nextAfter(damage: readonly Finding[]): string {
  const isSaid = ({ code }: Finding) => ["wrong-view", "lost-file", "emptied-file", "not-a-file"].includes(code);
  return damage.every(isSaid) ? "" : ` ${SAVE_REST}`;
}

function rows(report: Report, output: Output, given: Given): readonly string[] {
  const { store, totals, findings } = report;
  const row = rowsFor(output);
  return [
    paint(output, "bold", `Store ${terminalText(store)}`),
    ...goodNews(report).map(row.good),
    ...findings.map(({ level, code, message }) => {
      const text = `${withStore(message, given)} [${code}]`;
      return level === "damage" ? row.bad("DAMAGE", text) : row.warning(text);
    }),
    ...spoolLines(report.spool).map(row.warning),
    ...(!totals && findings.length === 0 ? ["No store yet; it is created on first use."] : []),
  ];
}

function goodNews({ log, totals, walSize, accepted, redacted, retention }: Report): readonly string[] {
  const news: string[] = [];
  if (totals) {
    const { streams, events, schema, prunedUpTo } = totals;
    const amount = `${counted(streams, "stream")}, ${counted(events, "event")}, ${size(totals.size)} of event data`;
    news.push(`${amount}; schema ${schema}`);
    news.push(`history kept: ${retention}${prunedUpTo ? `; pruned up to cursor ${prunedUpTo}` : ""}`);
  }
  if (walSize !== undefined) news.push(`journal ${size(walSize)}`);
  if (log?.findings.every(({ level }) => level !== "damage")) news.push("every event, stream and view is intact");
  if (log && log.rebuilt > 0) news.push(`${log.rebuilt} views rebuilt from their events`);
  if (accepted) news.push(...accepted.losses, `Loss accepted; the old head file is ${accepted.keptHead}`);
  if (redacted) news.push(redactedText(redacted));
  return news;
}

function wiringRows({ wiring, trouble }: Report, output: Output): readonly string[] {
  const row = rowsFor(output);
  return [
    ...wiring.flatMap(({ agent, works, findings, notes }) => [
      paint(output, "bold", `Agent ${agent}`),
      ...works.map(row.good),
      ...notes.map(row.warning),
      ...findings.map(({ code, message }) => row.bad("BROKEN", `${message} [${code}]`)),
    ]),
    ...(trouble ? [row.warning(`${trouble.file} ends with: ${trouble.last} [logged-trouble]`)] : []),
  ];
}

function rowsFor(output: Output) {
  const row = (colour: "green" | "yellow" | "red", word: string, text: string) =>
    `${paint(output, colour, word)}${" ".repeat(9 - word.length)}${terminalText(text)}`;
  return {
    good: (text: string) => row("green", "ok", text),
    warning: (text: string) => row("yellow", "warning", text),
    bad: (word: string, text: string) => row("red", word, text),
  };
}

function size(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

const HISTORY = RETENTION.map(({ kind, maxAge, maxSize, onlyClosed }) => {
  const limit = maxSize === undefined ? "" : ` and ${Math.round(maxSize / 1024 / 1024)} MB`;
  return `${kind} ${maxAge / DAY} days${limit}${onlyClosed ? " after its last event, unless something is open" : ""}`;
}).join(", ");

/** The rules in words, so that nobody has to find out by missing something. */
export const RETENTION_TEXT = `${HISTORY}; cached transcripts ${READINGS_KEPT / DAY} days after their last change`;
