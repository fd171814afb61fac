import { doubtsOf } from "../../core/grounding/doubts.js";
import { ok } from "../../core/result.js";
import { nounOf } from "../../core/session/client/current-list.js";
import { DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN, digestOf } from "../../core/session/digest-text.js";
import { unfinishedPlan } from "../../core/session/session-plan.js";
import { counted } from "../../core/text/length.js";
import { terminalLines } from "../../core/text/terminal-text.js";
import { tokenBound } from "../../core/text/token-budget.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import { DIALECTS, findDialect } from "../../dialects/registry.js";
import { defineCommand } from "../command-definition.js";
import { choice, number, text } from "../fields.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { ownerText } from "../terminal/todo-rows.js";
import { ownerOf } from "../todo/list-place.js";
import { listNow, openList } from "../todo/person-edit.js";
import { judgeOpened } from "../todo/todo-work.js";

const FORMATS = DIALECTS.flatMap(({ name, digest: own }) => (own === undefined ? [] : [name]));

export const digest = defineCommand({
  details: `What a model needs to continue after a compaction: the open todos, the current one first, with its notes,
and the approved plan that is not finished. Hooks add it to the context on their own; this command prints it. A session
without our hooks is read from its transcript. Without open todos and such a plan, nothing is printed.`,
  examples: ["milepost digest", "milepost digest --session acc5a7 --tokens 800"],
  input: {
    session: text("SESSION", "session id, or a prefix of it (default: the newest in this project)"),
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
    const { digestTokens } = readSettings(context.environment);
    const opened = await openList(context, { session: asked, agent }, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const owner = ownerOf(opened.value.place);
    const own = findDialect(format)?.digest;
    const noun = nounOf({ keeper: owner.keeper });
    const heading = `Milepost: the open ${noun}s of this session.`;
    // Only the store knows of approvals: a transcript may say anything.
    const plan = unfinishedPlan(await opened.value.store.view(SESSIONS, opened.value.place.stream));
    const judge = own ? undefined : await judgeOpened(opened.value.store, list, opened.value.place);
    const above = { goal: owner.goal, plan, doubts: judge && doubtsOf(list, judge) };
    const made = own ? foreign(own(list), list) : digestOf(list, heading, tokens ?? digestTokens, above);
    // The text is for a model: what a person needs to know stands beside it.
    const open = made?.shown ? counted(made.shown, `open ${noun}`) : `no open ${noun}s`;
    await context.remark(`${ownerText(owner)}: ${open}${plan && !own ? `, approved plan ${plan.plan}` : ""}`);
    const { keeper: _, goal: __, writable: ___, ...about } = owner;
    return ok({ ...about, ...(made ?? { text: "", shown: 0, omitted: 0, tokens: 0 }) });
  },
  // Ours is safe as it is. An agent's own is exact, but a terminal would obey it.
  show: ({ text }, { isTerminal }) => text && `${isTerminal ? terminalLines(text).join("\n") : text}\n`,
});

function foreign(text: string | undefined, list: TodoList) {
  if (text === undefined) return undefined;
  return { text, shown: todosOf(list).filter(isOpen).length, omitted: 0, tokens: tokenBound(text) };
}
