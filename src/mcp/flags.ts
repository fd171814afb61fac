import { parseArgs } from "node:util";
import { findNamedDialect, hasOptionalTasks, type NamedDialect, unknownDialect } from "../app/calls/dialect-names.js";
import { checkId } from "../core/id.js";
import { fail, ok, type Result } from "../core/result.js";

/** What the person who wired the server has decided. */
export interface Flags {
  readonly dialect: NamedDialect;
  /** Instead of what each call says about itself. */
  readonly session?: string | undefined;
  /** One list of tasks for every call. */
  readonly list?: string | undefined;
  readonly store?: string | undefined;
}

const FLAGS = {
  dialect: { type: "string", default: "milepost" },
  session: { type: "string" },
  list: { type: "string" },
  store: { type: "string" },
  tasks: { type: "boolean", default: false },
} as const;

export function readFlags(args: readonly string[]): Result<Flags> {
  const words = readWords(args);
  if (!words.ok) return words;
  const { dialect: name, session, list, store, tasks } = words.value;
  const dialect = findNamedDialect(name, { withTasks: tasks });
  if (!dialect) return fail(unknownDialect(name));
  if (tasks && !hasOptionalTasks(name))
    return fail(
      "bad-usage",
      `--tasks is for the dialect milepost; ${name} always has its tools. See milepost mcp --help.`,
    );
  const refused =
    (session === undefined ? undefined : checkId("session", session)) ??
    (list === undefined ? undefined : checkId("list", list));
  return refused ?? ok({ dialect, session, list, store });
}

function readWords(args: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...args], options: FLAGS }).values);
  } catch (error) {
    // Only the first sentence: the rest is advice about "--" that leads nowhere here.
    const [problem] = (error as Error).message.split(/\.\s|\.?\n|\.$/);
    return fail({ code: "bad-usage", message: `${problem}. See milepost mcp --help.` });
  }
}
