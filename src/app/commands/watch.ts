import { ok } from "../../core/result.js";
import { ENDED_AFTER } from "../../core/session/session-state.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isoTime, momentText } from "../../core/text/time-text.js";
import { KNOWN_TITLES } from "../agent-aliases.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { JSON_FLAG, number, toggle } from "../fields.js";
import { jsonLine } from "../json-lines.js";
import { tableRows } from "../terminal/sessions/session-table.js";
import { followChanges, type TimedLine } from "../transcripts/follow/follow-changes.js";
import { type MoreSessions, moreThan, type OpenBoard, openBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { storeToRead } from "../transcripts/store-to-read.js";

const FOLLOW_MS = 5000;
const KEEP_MS = 5000;

export const watch = defineCommand({
  details: `The live view of every session on this machine, of
${KNOWN_TITLES}: who needs you first, with keys that approve, tick off, add
and tell. ? shows all keys, q leaves. milepost alone is the same. Into a pipe, with TERM=dumb or with --limit: a
table, once. With --follow: one line for each change, until Ctrl+C; with --json each line is {"at","session",
"subAgent","agent","project","folder","branch","text"}. Every change is a line where the session reports to Milepost;
of one that only its transcript knows, two looks are compared.

States: running; waiting (for an answer or a permission); idle (the turn is over); stalled (silent in
mid-turn); ended.`,
  examples: ["milepost watch --follow"],
  input: {
    follow: toggle("print changes, one per line"),
    limit: number("N", "print a table of so many sessions, once (default in a pipe: 20)", { least: 1 }),
    json: JSON_FLAG,
  },
  async run(context, { follow: isFollowing, limit, json }) {
    const board = await openBoard(context);
    const most = limit ?? DEFAULT_SESSIONS;
    await board.attachment.readNewest(most, {
      atLeastSince: Date.now() - ENDED_AFTER,
      progress: (done) => context.progress(`Read ${counted(done, "transcript")}`),
    });
    context.progress("");
    const look = () => boardOf(board.attachment, board.stored, { limit: most, now: Date.now() });
    if (isFollowing) await printChanges(context, board, look, json);
    else await printOnce(context, board, await look(), json);
    await board.keep();
    return ok(undefined);
  },
});

const DEFAULT_SESSIONS = 20;

type Look = () => Promise<readonly SessionReport[]>;

async function printOnce(
  { output }: CommandContext,
  board: OpenBoard,
  sessions: readonly SessionReport[],
  json: boolean,
): Promise<void> {
  if (json) await output.write(`${jsonLine({ sessions })}\n`);
  else {
    const summary = summaryOf(sessions, await moreThan(board, sessions));
    await output.write(`${[...tableRows(sessions, output, Date.now()), summary].join("\n")}\n`);
  }
}

function summaryOf(sessions: readonly SessionReport[], { more, isMoreEstimated }: MoreSessions): string {
  const roots = sessions.filter(({ parent }) => parent === null);
  if (roots.length === 0)
    return "No sessions yet. Start an agent (Claude Code, Codex and many more), or see milepost --help.";
  const states = ["running", "waiting", "stalled"] as const;
  const counts = states.map((state) => [state, roots.filter((one) => one.state === state).length] as const);
  return [
    counted(roots.length, "session"),
    ...counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`),
    ...(more === 0 ? [] : [`${isMoreEstimated ? "about " : ""}${more} more: milepost sessions --all`]),
  ].join(", ");
}

/** Every few seconds: stores what was read, so that a killed process loses little, and wakes waiting tasks. */
function keeper({ keep, tick }: OpenBoard): () => Promise<void> {
  let keptAt = Date.now();
  return async () => {
    if (Date.now() - keptAt < KEEP_MS) return;
    await keep();
    await tick();
    keptAt = Date.now();
  };
}

async function printChanges(context: CommandContext, board: OpenBoard, look: Look, json: boolean): Promise<void> {
  const { output, interrupted } = context;
  await followChanges({
    board,
    look,
    store: await storeToRead(context),
    signal: interrupted(),
    everyMs: FOLLOW_MS,
    looked: keeper(board),
    tell: (lines) => output.write(lines.map((line) => `${json ? jsonChange(line) : textChange(line)}\n`).join("")),
  });
}

function jsonChange({ at, ...change }: TimedLine): string {
  return jsonLine({ at: isoTime(at), ...change });
}

function textChange({ at, agent, project, session, text }: TimedLine): string {
  // Of no project there may be several.
  return `${momentText(at)}  ${agent || "-"}  ${terminalText(project ?? session)}  ${text}`;
}
