import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import { number, text, toggle } from "../fields.js";
import { isSameProject } from "../session/find-session.js";
import { showSessions } from "../terminal/session-detail.js";
import { tableRows } from "../terminal/session-table.js";
import { openBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import type { SessionReport } from "../transcripts/session-report.js";

export const sessions = defineCommand({
  details: `Every session of Claude Code, Codex, oh-my-pi, pi and Hermes on this machine, newest first. No setup is
needed: their transcripts are read, never changed, and never copied. Each session is followed by the command that
resumes it. With an id, or the prefix of an id: that session, with its list.`,
  examples: ["milepost sessions --here --json | jq -r '.sessions[] | [.state, .title] | @tsv'"],
  words: ["session"],
  input: {
    session: text("SESSION", "session id, or a prefix of it"),
    limit: number("N", "maximum number of sessions", { least: 1, standard: 20 }),
    all: toggle("all sessions"),
    here: toggle("only sessions of this project"),
    agent: text("CLIENT", "only sessions of one agent: claude-code, codex, oh-my-pi, pi or hermes"),
  },
  async run(context, { session, limit, all: isAll, here, agent }) {
    const { attachment, stored, keep } = await openBoard(context);
    const most = isAll || session !== undefined ? Number.MAX_SAFE_INTEGER : limit;
    const isPicky = here || agent !== undefined;
    // A sub-agent is asked for as SESSION/AGENT.
    const names = session?.split("/").filter((name) => name !== "") ?? [];
    const [root] = names;
    if (isAll) attachment.widen();
    await attachment.readNewest(isPicky ? Number.MAX_SAFE_INTEGER : most, {
      isWanted: root === undefined ? undefined : (path) => names.some((name) => path.includes(name)),
      progress: (done) => context.progress(`Read ${done} of ${attachment.count} transcripts`),
    });
    const isWanted = (report: SessionReport) =>
      (!here || isSameProject(report.folder ?? "", context.folder)) && (agent === undefined || report.agent === agent);
    const filter = isPicky ? { isWanted } : undefined;
    const look = () => boardOf(attachment, stored, { limit: most, now: Date.now(), asked: session, ...filter });
    let found = await look();
    if (root !== undefined && found.length === 0) {
      await attachment.readAsked(root);
      found = await look();
    }
    await keep();
    for (const trouble of attachment.troubles) await context.notice(trouble);
    if (session !== undefined && found.length === 0)
      return fail("no-session", `No session id starts with ${session}. All sessions: milepost sessions --all`);
    return ok({ sessions: found, session });
  },
  show({ session, sessions: found }, output) {
    if (session !== undefined) return showSessions(found, output);
    if (found.length === 0)
      return "No sessions yet. Start an agent (Claude Code, Codex, oh-my-pi, pi, Hermes), then run this again.\n";
    return `${tableRows(found, output, Date.now()).join("\n")}\n`;
  },
});
