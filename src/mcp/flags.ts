import { findNamedDialect, hasOptionalTools, type NamedDialect, unknownDialect } from "../app/calls/dialect-names.js";
import { type Fault, type Problem, readFields, splitFlag } from "../app/field-reader.js";
import { flagName, text, toggle } from "../app/fields.js";
import { typedLine } from "../app/terminal/next-step.js";
import { checkId } from "../core/id.js";
import { type Failure, fail, ok, type Result } from "../core/result.js";
import { nearest } from "../core/text/nearest.js";

/** What the person who wired the server has decided. */
export interface Flags {
  readonly dialect: NamedDialect;
  /** Instead of what each call says about itself. */
  readonly session?: string | undefined;
  /** One list of tasks for every call. */
  readonly list?: string | undefined;
  readonly store?: string | undefined;
}

/** Ids that are empty are refused with all others that cannot be. */
const ID = { mayBeEmpty: true };

/** The command table has the same for help. */
const FLAGS = {
  dialect: text("DIALECT", "whose tools to offer", { standard: "milepost" }),
  session: text("SESSION", "todo list for every call", ID),
  list: text("LIST", "task list for every call", ID),
  store: text("URL", "a file, postgres://... or memory:", ID),
  tasks: toggle("offer the task tool beside todo"),
  plans: toggle("offer the plan tool beside todo"),
};

export function readFlags(args: readonly string[]): Result<Flags> {
  const read = readFields(args, FLAGS, []);
  if (read.type !== "values") return fail(misread(args, read));
  const { dialect: name, session, list, store, tasks, plans } = read.values;
  const dialect = findNamedDialect(name, { withTasks: tasks, withPlans: plans });
  if (!dialect) return fail(unknownDialect(name));
  if ((tasks || plans) && !hasOptionalTools(name)) {
    const flag = tasks ? "--tasks" : "--plans";
    return fail(
      "bad-usage",
      `${flag} is for the dialect milepost; ${name} always has its tools. See milepost mcp --help.`,
    );
  }
  const refused =
    (session === undefined ? undefined : checkId("session", session)) ??
    (list === undefined ? undefined : checkId("list", list));
  return refused ?? ok({ dialect, session, list, store });
}

const HELP = "See milepost mcp --help";

function misread(args: readonly string[], read: Problem | { readonly type: "help" }): Failure {
  const code = "bad-usage";
  if (read.type === "help") return { code, message: HELP };
  const [fault] = read.faults;
  const meant = fault && mended(args, fault);
  const next = meant && readFlags(meant).ok ? `Did you mean: ${typedLine(["mcp", ...meant])}` : HELP;
  return { code, message: `${read.text} ${next}` };
}

/** What else people call the task tool. */
const OTHER_WORDS = [{ word: "tools", meant: "tasks" }];

function mended(args: readonly string[], fault: Fault): readonly string[] | undefined {
  if (!("at" in fault)) return undefined;
  const word = args[fault.at] ?? "";
  const { flag } = splitFlag(word);
  const put = (...words: readonly string[]) => [...args.slice(0, fault.at), ...words, ...args.slice(fault.at + 1)];
  if (fault.type === "extra-word") return put();
  if (fault.type === "takes-no-value") return put(flag);
  if (fault.type !== "unknown-flag") return undefined;
  const near = nearest(flag.replace(/^-+/, ""), [...Object.keys(FLAGS), ...OTHER_WORDS]);
  return near === undefined ? undefined : put(flagName(near) + word.slice(flag.length));
}
