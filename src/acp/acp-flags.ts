import { readFields } from "../app/field-reader.js";
import { text, toggle } from "../app/fields.js";
import { checkId } from "../core/id.js";
import { fail, ok, type Result } from "../core/result.js";

/** What was typed: flags of ours, and the command of the agent. */
export interface AcpLine {
  readonly command: readonly [string, ...string[]];
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly showsList: boolean;
}

/** The command table has the same for help. */
const FLAGS = {
  store: text("URL", "a file, postgres://... or memory:", { mayBeEmpty: true }),
  agent: text("AGENT", "what the agent is called, where it does not say so"),
  showList: toggle("show the list that is kept with our tool in the editor, as a plan"),
};

const HELP = "See milepost acp --help";

/** Everything behind `--` is the agent's command; without it, everything from the first word that is no flag. */
export function readLine(words: readonly string[]): Result<AcpLine> {
  const split = words.indexOf("--");
  const end = split >= 0 ? split : commandStart(words);
  const [program, ...rest] = words.slice(split >= 0 ? end + 1 : end);
  const read = readFields(words.slice(0, end), FLAGS, []);
  if (read.type !== "values") return fail("bad-usage", read.type === "help" ? HELP : `${read.text} ${HELP}`);
  if (program === undefined || program === "")
    return fail("bad-usage", `Which agent? For example: milepost acp -- codex-acp. ${HELP}`);
  const { store, agent, showList: showsList = false } = read.values;
  const refused = agent === undefined ? undefined : checkId("agent", agent);
  return refused ?? ok({ command: [program, ...rest], store, agent, showsList });
}

const WITH_VALUE = ["--store", "--agent"];

function commandStart(words: readonly string[]): number {
  let at = 0;
  while (at < words.length && words[at]?.startsWith("-")) at += WITH_VALUE.includes(words[at] ?? "") ? 2 : 1;
  return Math.min(at, words.length);
}
