import type { CheckKind } from "../call-facts.js";
import type { Judge, Words } from "./judges.js";
import { programTable } from "./program-table.js";
import { checkByFile } from "./script-name.js";
import { programName } from "./wrapped-command.js";

/** What a command checks, by its literal words. Whether its exit code can be seen is another question. */
export function checkOfProgram(words: Words): CheckKind | undefined {
  const [first = "", ...rest] = words;
  if (first === "" || isOnlyAsked(rest)) return undefined;
  const name = programName(first);
  known ??= programTable();
  if (Object.hasOwn(known, name)) {
    const judge = known[name];
    return typeof judge === "function" ? judge(rest, checkOfProgram) : judge;
  }
  return first.includes("/") || /\.\w{1,4}$/.test(first) ? checkByFile(first) : undefined;
}

let known: Readonly<Record<string, Judge>> | undefined;

/** It prints something about itself, or lists what it would do; or it never ends. */
const ASKED =
  /^(?:--?help|-h|--?version|--collect-only|--co|--?list(?:-?[tT]ests|Files(?:Only)?|-targets|-checks)?|--dry-run|--just-print|--show-?[cC]onfig|--print-config|--init|--clean|--clearCache|--cache-clear|--fixtures|--markers|--watch(?:All)?|--ui|--env-info)$/;

function isOnlyAsked(words: Words): boolean {
  return words.some((word) => word.startsWith("-") && ASKED.test(word));
}
