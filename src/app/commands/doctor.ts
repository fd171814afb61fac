import { fail, ok, type Result } from "../../core/result.js";
import { counted, inWords } from "../../core/text/length.js";
import { SAVE_REST } from "../../store/trouble.js";
import { acceptStoreLoss, examineStore, LOSSES } from "../../store/upkeep/examine.js";
import type { Finding } from "../../store/upkeep/integrity-check.js";
import { DAY, READINGS_KEPT, RETENTION } from "../../store/upkeep/retention.js";
import { defineCommand } from "../command-definition.js";
import { text, toggle } from "../fields.js";
import { recentTrouble } from "../log-file.js";
import { type SalvageReport, salvageStore, showSalvage } from "../salvage-store.js";
import { checkSettings } from "../settings/settings-check.js";
import { type AgentState, checkAgents } from "../setup/agent-states.js";
import { worldOf } from "../setup/agents/wired-agents.js";
import { spoolReport } from "../spool/spool-report.js";
import { redactStored } from "../stored-secrets.js";
import { type DoctorReport, doctorText } from "../terminal/doctor-text.js";
import { PROJECTIONS } from "../views.js";

export const doctor = defineCommand({
  details: `Says for each agent on this machine whether it is wired, and the command that wires or mends it. Of what
is wired it starts the MCP server, the hooks and the status line, as the agent would.

Checks the whole store: its pages, the checksum of every event, the end of every stream, every view against its events,
the head file, schema versions, permissions and the folder; and the settings. Without flags it changes nothing; it never
deletes a file. What looks like a secret is redacted before it is stored; --redact finds and redacts what older versions
stored, which cannot be undone.

Exit code: 3 if the store is damaged, 1 if only an agent's wiring is broken, 0 if there are only warnings.

--salvage FILE reads a damaged store event by event, whatever its pages, indexes or journal look like, and writes a new
one; the old files are only read. It exits with 0 and lists what was left out ("leftOut" with --json), with 1 if FILE
exists, and with 3 if nothing could be read. It does no other checks.`,
  examples: ["milepost doctor", "milepost doctor --salvage salvaged.db"],
  input: {
    rebuild: toggle("rebuild views that differ from their events"),
    acceptLoss: toggle("continue with the remaining events after a loss; keeps the old head file"),
    salvage: text("FILE", "write everything that can be read to a new store in this file"),
    redact: toggle("redact secrets that older versions stored or logged"),
    dryRun: toggle("with --redact: only say how many events hold one"),
    yes: toggle("with --redact: do not ask for confirmation"),
  },
  async run(
    context,
    { rebuild, acceptLoss, salvage, redact, dryRun, yes },
  ): Promise<Result<DoctorReport | SalvageReport>> {
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
    const wiring = await checkAgents(world, progress);
    const isHealthy =
      examination.findings.every(({ level }) => level !== "damage") &&
      wiring.every(({ findings }) => findings.length === 0);
    const trouble = recentTrouble(context.environment, Date.now());
    const accepted = keptHead === undefined ? undefined : { losses: losses.map(({ message }) => message), keptHead };
    const spool = spoolReport(context.environment, store.url);
    const { values: _, ...settings } = checkSettings(context.environment, context.folder);
    const own = { wiring, settings, isHealthy, retention: RETENTION_TEXT, trouble, spool, accepted, redacted };
    return ok<DoctorReport>({ ...examination, ...own });
  },
  show(value, output, given) {
    if ("salvaged" in value) return showSalvage(value, output);
    return doctorText(value, output, given);
  },
  verdict(value) {
    if ("salvaged" in value || value.isHealthy) return undefined;
    const damage = value.findings.filter(({ level }) => level === "damage");
    if (damage.length === 0) return { code: "wiring-broken", message: brokenText(value.wiring) };
    const message = `The store is damaged (${counted(damage.length, "finding")}); see above. Nothing was deleted.`;
    return { code: "store-damaged", message: `${message}${nextAfter(damage)}` };
  },
});

function brokenText(agents: readonly AgentState[]): string {
  const broken = agents.filter(({ state }) => state === "broken");
  const titles = inWords([...new Set(broken.map(({ title }) => title))]);
  const commands = new Set(broken.flatMap(({ command }) => command ?? []));
  const command = commands.size > 1 ? "milepost setup" : [...commands][0];
  return `The wiring of ${titles} is broken; see above.${command === undefined ? "" : ` To mend it: ${command}`}`;
}

/** Where a view can be rebuilt, or there is nothing to read from, the findings themselves say what to do. */
function nextAfter(damage: readonly Finding[]): string {
  const isSaid = ({ code }: Finding) => ["wrong-view", "lost-file", "emptied-file", "not-a-file"].includes(code);
  return damage.every(isSaid) ? "" : ` ${SAVE_REST}`;
}

const HISTORY = RETENTION.map(({ kind, maxAge, maxSize, onlyClosed }) => {
  const limit = maxSize === undefined ? "" : ` and ${Math.round(maxSize / 1024 / 1024)} MB`;
  return `${kind} ${maxAge / DAY} days${limit}${onlyClosed ? " after its last event, unless something is open" : ""}`;
}).join(", ");

/** The rules in words, so that nobody has to find out by missing something. */
export const RETENTION_TEXT = `${HISTORY}; cached transcripts ${READINGS_KEPT / DAY} days after their last change`;
