import { programName } from "./check/wrapped-command.js";
import type { SimpleCommand } from "./command-facts.js";
import { areAnyAmong, isAmong } from "./word-list.js";

/** Programs that read and print. What one of them writes all the same is found by `changesOf`. */
const LOOKING =
  " cd pwd echo printf true test [ cat bat head tail nl less more wc sort uniq cut tr column sed awk jq yq grep egrep fgrep rg ag ls tree stat file which type du df diff cmp basename dirname realpath readlink xxd strings fd ";

const LOOKING_AT_GIT = " status log diff show blame grep ls-files ls-tree rev-parse describe shortlog cat-file ";

const FINDING_AND_DOING = " -delete -exec -execdir -ok -okdir -fprint -fprintf -fls ";

/** Every command of the line only looks: nothing is as it was not before. */
export function isLooking(commands: readonly SimpleCommand[]): boolean {
  return commands.length > 0 && commands.every(({ words: [first = "", ...rest] }) => looks(programName(first), rest));
}

function looks(name: string, rest: readonly string[]): boolean {
  if (name === "git") return isAmong(LOOKING_AT_GIT, gitVerb(rest));
  if (name === "find") return !areAnyAmong(FINDING_AND_DOING, rest);
  return isAmong(LOOKING, name);
}

/** `git -C folder --no-pager log`: the options before the verb, and the folder, are not it. */
function gitVerb(rest: readonly string[]): string {
  return rest.find((word, at) => !word.startsWith("-") && rest[at - 1] !== "-C" && rest[at - 1] !== "-c") ?? "";
}
