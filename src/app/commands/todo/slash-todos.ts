import { fail } from "../../../core/result.js";
import { terminalLines } from "../../../core/text/terminal-text.js";
import { defineCommand } from "../../command-definition.js";
import { many, text, toggle } from "../../fields.js";
import { taskRows } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { openList, ownedByClient, reportOn } from "../../todo/person-edit.js";
import { runSlash } from "../../todo/slash-run.js";
import { LISTS } from "../../views.js";

/** The language of oh-my-pi's users, to the letter; our own verbs are not made of it. */
export const slashTodos = defineCommand({
  details: `What oh-my-pi's own /todo does, with its words and its answers: at a terminal those of its screen, else
those it gives to programs. In this language done, drop and rm alone mean everything.`,
  examples: ["milepost todo --slash help", "milepost todo --slash 'append Auth \"Port the store\"'"],
  words: ["text"],
  input: {
    text: many(text("TEXT", "what is typed behind /todo, in quotes", { mayBeEmpty: true })),
    force: toggle("export over a file that is no list"),
    ...WHOSE,
  },
  async run(context, { text = [], force, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    if (opened.value.place.shown) return fail(ownedByClient(opened.value));
    const { store, place } = opened.value;
    const mode = context.copyText ? "tui" : "text";
    const before = await store.view(LISTS, place.stream);
    const ran = await runSlash({ ...context, ...place, store, mode, name: "/todo", args: text.join(" "), force });
    if (!ran.ok) return ran;
    const { said, list, isChanged: changed = false } = ran.value;
    if (said.isRefused) return refusal(said.text);
    return reportOn(opened.value, { said: said.text, changed, list }, before);
  },
  show: (report, _, given) => `${[...terminalLines(report.said), ...taskRows(report, given)].join("\n")}\n`,
});

/** An error is one line: the rest is in the help. */
function refusal(text: string) {
  const [first = "", ...rest] = text.split("\n");
  const isUsage = first.startsWith("Usage:") || first.startsWith("Unknown /todo subcommand");
  if (isUsage) return fail("bad-usage", `${first.replace(/\.?$/, ".")} See milepost todo --slash help`);
  return fail("refused", [first, ...rest].map((line) => line.trim()).join(" "));
}
