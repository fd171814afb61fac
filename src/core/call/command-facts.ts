import type { CallStart } from "./call-facts.js";
import { type CommandCheck, checkInCommand } from "./check/check-in-command.js";
import { programName, wrappedCommand } from "./check/wrapped-command.js";
import { changesOf } from "./command-changes.js";
import { isLooking } from "./looking-command.js";
import { readShell, type ShellCommand, type ShellList } from "./shell/shell-reader.js";
import { isAmong } from "./word-list.js";

/** What a command line tells. `isLost`: the exit code is not that of the check. */
export interface CommandFacts extends Pick<CallStart, "isPoll" | "isChange" | "isLook"> {
  readonly check?: CommandCheck | undefined;
  /** Those that it names and changes. */
  readonly files: readonly string[];
}

const MOST_KNOWN = 200;
const KNOWN_MAX = 300;
const known = new Map<string, CommandFacts>();

/** `extra`: commands that a person has called checks. The same line is read when it starts, when it ends, and again. */
export function commandFacts(text: string, extra?: readonly string[]): CommandFacts {
  if ((extra && extra.length > 0) || text.length > KNOWN_MAX) return factsOfLine(text, extra);
  const before = known.get(text);
  if (before) return before;
  const facts = factsOfLine(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, facts);
  return facts;
}

function factsOfLine(text: string, extra?: readonly string[]): CommandFacts {
  const list = readShell(text);
  const check = checkInCommand(list, extra);
  const commands = simpleCommands(list);
  const { files, isLast } = changesOf(commands, check !== undefined);
  return {
    check,
    files,
    // Changed and then checked: the check has seen it.
    ...(isLast && { isChange: true }),
    ...(!isLast && files.length === 0 && isLooking(commands) && { isLook: true }),
    ...(isPolling(commands, hasLoop(list)) && { isPoll: true }),
  };
}

/** One command, its words without what only wraps it. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly outputs: readonly string[];
}

/** All of them, in order, also those in loops and conditions. */
function simpleCommands(list: ShellList): readonly SimpleCommand[] {
  return list.flatMap(({ commands }) => commands.flatMap(simpleOf));
}

function simpleOf(command: ShellCommand): readonly SimpleCommand[] {
  if (command.type === "group") return simpleCommands(command.list);
  if (command.type === "block") return command.commands.flatMap(simpleOf);
  const words = wrappedCommand(command.words).map(({ text }) => text);
  const outputs = command.outputs.filter(({ file }) => file.isPlain).map(({ file }) => file.text);
  const [first = ""] = words;
  // Inside a condition or a loop the shell's own word stands first.
  return [{ words: INTRODUCING.includes(first) ? words.slice(1) : words, outputs }];
}

const INTRODUCING = ["do", "then", "else", "elif"];

function hasLoop(list: ShellList): boolean {
  return list.some(({ commands }) =>
    commands.some((one) => (one.type === "block" && one.isLoop) || (one.type === "group" && hasLoop(one.list))),
  );
}

/** They say nothing by themselves. */
const NEUTRAL =
  " cd echo printf date true : set test [ [[ export wc head tail grep egrep rg sed awk sort uniq cut tr jq tee cat less break exit done seq column ";
/** They look, and change nothing. */
const LOOKING =
  " ls curl wget http ps pgrep lsof netstat ss stat du df nc find docker kubectl gh systemctl git pm2 squeue sacct aws gcloud az ";

/** It looks whether something else is over: by what it asks, or because it waits before it looks. */
function isPolling(commands: readonly SimpleCommand[], isLoop: boolean): boolean {
  let isWaiting = false;
  let isAsking = false;
  for (const { words } of commands) {
    const [first = "", ...rest] = words;
    const name = programName(first);
    if (name === "sleep" || name === "wait" || name === "Start-Sleep") isWaiting = true;
    else if (asksForState(name, rest)) isAsking = true;
    else if (name !== "" && !isAmong(NEUTRAL, name) && !isAmong(LOOKING, name) && !isLoop) return false;
  }
  return isWaiting || isAsking;
}

function asksForState(name: string, rest: readonly string[]): boolean {
  const [verb = "", noun = ""] = rest.filter((word) => !word.startsWith("-"));
  switch (name) {
    case "gh":
      return (verb === "run" && /^(?:watch|view|list)$/.test(noun)) || (verb === "pr" && noun === "checks");
    case "kubectl":
      return /^(?:get|wait|top)$/.test(verb) || (verb === "rollout" && noun === "status");
    case "docker":
      return verb === "ps" || (verb === "compose" && noun === "ps") || (verb === "inspect" && noun !== "");
    case "docker-compose":
      return verb === "ps";
    case "tail":
    case "journalctl":
      return rest.some((word) => /^(?:-[a-zA-Z]*[fF]|--follow(?:=\w+)?)$/.test(word));
    case "systemctl":
      return verb === "status" || verb === "is-active";
    default:
      return isAmong(" watch pgrep jobs squeue ", name) || (name === "pm2" && verb === "status");
  }
}
