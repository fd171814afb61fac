import { checkId } from "../../core/id.js";
import { ok } from "../../core/result.js";
import { nounOf } from "../../core/session/client/current-list.js";
import { DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN, digestOf } from "../../core/session/digest-text.js";
import { terminalLines } from "../../core/text/terminal-text.js";
import { tokenBound } from "../../core/text/token-budget.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import { DIALECTS, findDialect } from "../../dialects/registry.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { choice, number, text } from "../fields.js";
import { findListed, findSession } from "../session/find-session.js";
import { readSettings } from "../settings.js";
import { attachedList } from "../transcripts/attached-list.js";
import { attachedKnown, knownList } from "../transcripts/known-list.js";

const FORMATS = DIALECTS.flatMap(({ name, digest: own }) => (own === undefined ? [] : [name]));

export const digest = defineCommand({
  details: `What a model needs to continue after a compaction: the open todos, the current one first, with its notes.
Hooks add it to the context on their own; this command prints it. A session without our hooks is read from its
transcript. Without open todos, nothing is printed.`,
  examples: ["milepost digest --session 0199-ab12 --tokens 800"],
  input: {
    session: text("SESSION", "session id (default: the newest in this project)"),
    agent: text("AGENT", "id of a sub-agent in it"),
    tokens: number("N", "maximum size in tokens, 500 to 5000 (default: 2000)", {
      least: DIGEST_TOKENS_MIN,
      most: DIGEST_TOKENS_MAX,
    }),
    format: choice(
      ["milepost", ...FORMATS],
      "our text, or the text of that agent after a compaction (of any length)",
      "milepost",
    ),
  },
  async run(context, { session: asked, agent, tokens, format }) {
    const refused = agent === undefined ? undefined : checkId("agent", agent);
    if (refused) return refused;
    const { subAgents, digestTokens } = readSettings(context.environment);
    const found = await listOf(context, asked, subAgents === "shared" ? undefined : agent);
    if (!found.ok) return found;
    const { session, list, goal } = found.value;
    const budget = tokens ?? digestTokens;
    const own = findDialect(format)?.digest;
    const heading = `Milepost: the open ${nounOf(found.value)}s of this session.`;
    const made = own ? foreign(own(list), list) : digestOf(list, heading, budget, goal);
    return ok({ session, ...(made ?? { text: "", shown: 0, omitted: 0, tokens: 0 }) });
  },
  // Ours is safe as it is. An agent's own is exact, but a terminal would obey it.
  show: ({ text }, { isTerminal }) => text && `${isTerminal ? terminalLines(text).join("\n") : text}\n`,
});

function foreign(text: string | undefined, list: TodoList) {
  if (text === undefined) return undefined;
  return { text, shown: todosOf(list).filter(isOpen).length, omitted: 0, tokens: tokenBound(text) };
}

/** The store first, then transcripts; lists of no project come last. */
async function listOf(context: CommandContext, asked: string | undefined, agent: string | undefined) {
  const { store } = await context.open("read");
  const placed = await findSession(store, asked, context.folder);
  if (!placed.ok && placed.error.code !== "no-session") return placed;
  const looked = placed.ok ? await knownList(context, placed.value, agent) : undefined;
  if (looked && (looked.known.from !== "nowhere" || looked.isSeen)) return ok(looked.known);
  const { found, troubles } = await attachedList(context, asked, agent);
  if (found) return ok(attachedKnown(found));
  // What was asked for may be in there.
  for (const trouble of troubles) await context.notice(trouble);
  const loose = await findListed(store, asked, context.folder);
  return loose.ok ? ok((await knownList(context, loose.value, agent)).known) : loose;
}
