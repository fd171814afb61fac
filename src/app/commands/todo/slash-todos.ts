import * as z from "zod";
import { fail } from "../../../core/result.js";
import { terminalLines } from "../../../core/text/terminal-text.js";
import { planSlash } from "../../../dialects/oh-my-pi/slash.js";
import { defineCommand } from "../../command.js";
import { offerTasks } from "../../tasks/links/offer-tasks.js";
import { taskRows } from "../../terminal/todo-rows.js";
import { whyNotOver } from "../../todo/list-file.js";
import { WHOSE } from "../../todo/list-place.js";
import { openList, reportOn } from "../../todo/opened-list.js";
import { onRealList, shownList } from "../../todo/shown-list.js";
import { runSlash } from "../../todo/slash-run.js";
import { LISTS } from "../../views.js";

const NAME = "/todo";

/** The language of oh-my-pi's users, to the letter; our own verbs are not made of it. */
export const slashTodos = defineCommand({
  details: `What oh-my-pi's own /todo does, with its words and its answers: at a terminal those of its screen, else
those it gives to programs. In this language done, drop and rm alone mean everything.

Examples:
  milepost todo --slash help
  milepost todo --slash 'append Auth "Port the store"'`,
  words: ["text"],
  input: z.object({
    text: z.array(z.string()).optional().describe("what is typed behind /todo, in quotes"),
    force: z.boolean().default(false).describe("export over a file that is no list"),
    ...WHOSE,
  }),
  async run(context, { text = [], force, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    const { store, place } = opened.value;
    const { editText, copyText } = context;
    const mode = copyText ? "tui" : "text";
    const before = await store.view(LISTS, place.stream);
    const ran = await runSlash({
      ...place,
      store,
      folder: context.folder,
      mode,
      name: NAME,
      plan: (list) => planSlash(text.join(" "), shownList(list), { mode, name: NAME }),
      change: (step, list) => ({ ...step, command: onRealList(step.command, list) }),
      ...(editText ? { edit: (markdown: string) => editText("TODO.md", markdown) } : undefined),
      copy: async (markdown) => (await copyText?.(markdown)) === true,
      guard: (path) => whyNotOver(path, force),
    });
    if (!ran.ok) return ran;
    const { said, list, isChanged: changed = false } = ran.value;
    if (said.isRefused) return fail(refusal(said.text));
    const offer = { before, after: list, by: place.by };
    const tasks = changed ? await offerTasks(context, store, place.stream, offer) : [];
    return reportOn(opened.value, { said: said.text, changed, list, ...(tasks.length > 0 ? { tasks } : undefined) });
  },
  show: (report, _, given) => `${[...terminalLines(report.said), ...taskRows(report, given)].join("\n")}\n`,
});

/** An error is one line: the rest is in the help. */
function refusal(text: string) {
  const [first = "", ...rest] = text.split("\n");
  if (first.startsWith("Usage:")) return { code: "bad-usage", message: `${first}. See milepost todo --slash help` };
  return { code: "refused", message: [first, ...rest].map((line) => line.trim()).join(" ") };
}
