import { fail, ok } from "../../core/result.js";
import { stateOf } from "../../core/session/session-state.js";
import { resumedList } from "../../core/todo/carried-list.js";
import type { BadLine } from "../../readers/transcript.js";
import { FORMATS, findFormat } from "../../readers/transcript-formats.js";
import { KNOWN_TITLES } from "../agent-aliases.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { choice, many, needed, text, toggle } from "../fields.js";
import { readSettings } from "../settings.js";
import { givenStore, nextStep, shellWord } from "../terminal/next-step.js";
import { showSessions } from "../terminal/sessions/session-detail.js";
import { beginningOf } from "../transcripts/file-peek.js";
import { seenIn } from "../transcripts/known-session.js";
import { withoutDetectors } from "../transcripts/report/alert-report.js";
import { withChildren } from "../transcripts/report/child-reports.js";
import { sharedFileAlerts } from "../transcripts/report/shared-file-alerts.js";
import { type Looked, silentChildren } from "../transcripts/report/silent-children.js";
import { checkFiles, restore as restoreFiles } from "../transcripts/restore-sessions.js";
import { planOf } from "../transcripts/session-board.js";
import { reportOf, type SessionReport } from "../transcripts/session-report.js";

export const restore = defineCommand({
  details: `Reads transcripts, and prints their lists, plans, tasks, calls and turns: of
${KNOWN_TITLES}. Nothing is written. Transcripts of a session's sub-agents are read too. Closed todos stay in the list;
a list of Claude Code, Codex or Hermes without open todos is cleared. The list that was finished last is shown where
nothing is open, and is "finished" with --json.

Formats: ${FORMATS.map(({ name }) => name).join(", ")}.`,
  examples: ["milepost restore session.jsonl"],
  words: ["files"],
  input: {
    files: needed(many(text("FILE", "transcripts (a backup: milepost backup FILE --restore)"))),
    format: choice(["auto", ...FORMATS.map(({ name }) => name)], "transcript format", "auto"),
    resumed: toggle("lists as a resumed session starts with: open todos only"),
  },
  async run(context, { files, format, resumed: isResumed }) {
    const checked = checkFiles(files);
    if (!checked.ok) return checked;
    const { detectors } = readSettings(context.environment);
    const hasOpenclaw = detectors.isOn && detectors.openclaw;
    const restored = await restoreFiles(files, { format: findFormat(format), hasOpenclaw });
    if (!restored.ok) return restored;
    const { sessions, unread } = restored.value;
    const strangers = restored.value.strangers.map((path) => strangerText(path, unread.get(path)));
    if (sessions.length === 0)
      return fail("no-session", databaseHint(context, files) ?? `No session was found in ${strangers.join(", ")}.`);
    for (const stranger of strangers) await context.notice(`No session was found in ${stranger}.`);
    const now = Date.now();
    const looked = sessions.map(async (seen): Promise<Looked> => {
      const { grewAt, path: transcript } = seen;
      const told = isResumed ? { ...seen.view, list: resumedList(seen.view.list) } : seen.view;
      const view = detectors.isOn ? told : withoutDetectors(told);
      const status = stateOf({ seen: seenIn(view), now, heardAt: grewAt });
      const plan = await planOf(view);
      // A file that ends with a turn may be of any day: how long ago that is tells nothing of its agent.
      const heardAt = status.state === "idle" ? now : grewAt;
      const beside = { ...seen, status, plan, now, updatedAt: view.at || grewAt, heardAt, transcript };
      return { view, heardAt: grewAt, report: reportOf(view, beside) };
    });
    const all = await Promise.all(looked);
    return ok({
      sessions: withChildren(detectors.isOn ? reportsTogether(all, now) : all.map(({ report }) => report), now),
    });
  },
  show: ({ sessions }, output) => showSessions(sessions, output),
});

/** With what no transcript tells alone. */
function reportsTogether(looked: readonly Looked[], now: number): readonly SessionReport[] {
  const shared = sharedFileAlerts(looked, now);
  return looked.map((one) => {
    const more = [...silentChildren(one, looked, now), ...(shared.get(one.report.id) ?? [])];
    return more.length === 0 ? one.report : { ...one.report, alerts: [...one.report.alerts, ...more] };
  });
}

/** `restore` is also what people type for a backup. */
function databaseHint(context: CommandContext, [file = ""]: readonly string[]): string | undefined {
  if (beginningOf(file, SQLITE.length) !== SQLITE) return undefined;
  const back = nextStep(`backup ${shellWord(file)} --restore`, { store: givenStore(context) });
  return `${file} is a database, and no transcript. To restore a backup: ${back}`;
}

const SQLITE = "SQLite format 3";

function strangerText(path: string, bad: BadLine | undefined): string {
  return bad ? `${path} (the line at byte ${bad.offset}: ${bad.why})` : path;
}
