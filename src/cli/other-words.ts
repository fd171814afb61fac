// What people type who know other programs: words for our commands, verbs, flags and values. A table, read where a word
// is not ours. Our own words always come first, so a row never changes what one of them means.

/** Words on the left, separated by blanks; what they mean, the likeliest first, where a group has it. */
type Row = readonly [words: string, meant: string];

/** These mean just one thing and destroy nothing, so they simply work. Help and docs/cli.md list them. */
export const COMMAND_ALIASES: readonly Row[] = [
  ["ls list ps status session show", "sessions"],
  ["top live monitor", "watch"],
  ["todos", "todo"],
  ["tasks", "task"],
  ["plans", "plan"],
  ["settings", "config"],
  ["completions", "completion"],
];

export const VERB_ALIASES: readonly Row[] = [
  ["ls show", "list"],
  ["view print get info", "show list"],
  ["append new create insert", "add"],
  ["begin take", "start claim"],
  ["start", "claim"],
  ["finish complete close check tick", "done"],
  ["comment annotate", "note"],
  ["reword retitle", "rename"],
  ["sort reorder", "order"],
  ["revert", "undo"],
];

/** These are only suggested: they may mean something else, or what they mean takes something away. */
export const COMMAND_GUESSES: readonly Row[] = [
  ["install init wire connect enable login", "setup"],
  ["uninstall unwire unconnect disconnect disable logout", "unsetup"],
  ["step steps checklist", "todo"],
  ["issue issues ticket tickets queue", "task"],
  ["log logs history journal", "events"],
  ["send say message msg ask answer reply", "tell"],
  ["check health diagnose verify test", "doctor"],
  ["set get configure option options preferences", "config"],
  ["dump", "export"],
  ["save", "backup"],
  ["load", "import"],
  ["resume open attach agents", "sessions"],
  ["summary recap", "digest"],
  ["serve dashboard ui gui web tui", "watch"],
  ["tour example try", "demo"],
  ["recover", "restore"],
  ["server", "mcp"],
  ["hooks", "doctor"],
];

export const VERB_GUESSES: readonly Row[] = [
  ["remove delete del clear erase", "rm"],
  ["cancel abandon skip", "drop"],
  ["drop abandon skip stop", "cancel"],
  ["update modify change set", "rename edit"],
  ["doing resume", "start claim"],
  ["next", "ready start"],
  ["move mv up top first", "order"],
  ["save write", "export"],
  ["load read", "import"],
  ["heartbeat extend keep", "renew"],
  ["unclaim return", "release"],
  ["depend depends dependency after", "block"],
  ["log", "history"],
  ["tree children subtasks", "graph"],
  ["reopen uncheck undone untick unfinish", "reopen start"],
  ["wake-up", "wake"],
  ["undo redo", "reopen"],
  ["accept ok yes agree lgtm confirm allow", "approve"],
  ["deny decline refuse no disapprove veto withdraw revoke", "reject"],
  ["compare changes", "diff"],
  ["submit suggest", "propose"],
];

/** These are guessed only behind the name of their group: alone they mean another one's verb. */
export const OWN_VERB_GUESSES: readonly Row[] = [
  ["add append new create insert write load import", "propose"],
  ["rm remove delete drop cancel", "reject"],
  ["done start begin", "approve"],
  ["rename revise", "edit"],
];

/** Flags, without their dashes; of those that mean several, the first that the command has. */
export const FLAG_GUESSES: readonly Row[] = [
  ["y force assume-yes no-confirm", "yes force"],
  ["n dry what-if preview simulate", "dry-run limit"],
  ["j output-json", "json"],
  ["a everything", "all"],
  ["s id sid", "session"],
  ["f tail", "follow force"],
  ["w live", "watch wait follow"],
  ["db database url", "store"],
  ["l count max top head", "limit"],
  ["prio p", "priority"],
  ["tag tags labels", "label"],
  ["depends-on blocked-by needs deps", "after"],
  ["user who actor author by me", "as owner"],
  ["message msg m text comment", "note reason"],
  ["why because", "reason"],
  ["lease duration for time", "ttl for"],
  ["client", "agent"],
  ["state", "status"],
  ["status", "state"],
  ["type as output o", "format"],
  ["body desc d", "description"],
  ["assign owner holder", "assignee as"],
  ["assignee", "owner as"],
  ["section group", "phase"],
];

/** Flags of other programs that look like one of ours (`--store`), and mean something that we do not have. */
export const OTHER_FLAGS = "sort short";

/** Flags that other programs want before a text; here it stands alone. So does any flag of one letter. */
export const TEXT_FLAGS = "message msg text title subject name body comment content";

/** Values of flags, by the names other programs have for them. */
export const VALUE_GUESSES: readonly Row[] = [
  ["done complete finished closed", "completed"],
  ["doing active started running wip", "in_progress"],
  ["todo open new", "pending"],
  ["canceled dropped", "cancelled"],
  ["open new waiting pending undecided", "proposed"],
  ["accepted agreed", "approved"],
  ["denied declined refused", "rejected"],
  ["replaced", "superseded"],
  ["urgent blocker highest", "critical"],
  ["normal", "medium"],
  ["minor", "low"],
  ["md", "markdown"],
  ["taskmaster", "task-master"],
  ["text ascii", "tree"],
  ["our mine milepost", "ours"],
  ["theirs native own", "client"],
];

/** Words that people put behind a command as they would in other programs, and that say nothing here. */
export const FILLERS: Readonly<Record<string, string>> = {
  config: "get set list ls show",
  sessions: "list ls show",
};

/** The rows whose meaning is among `names`, word by word. */
export function wordsFor(rows: readonly Row[], names: readonly string[]) {
  return rows.flatMap(([words, meanings]) => {
    const meant = meanings.split(" ").find((name) => names.includes(name));
    return meant === undefined ? [] : words.split(" ").map((word) => ({ word, meant }));
  });
}

/** Words that simply work, by what they mean: `ls, show = list`. */
export function aliasTexts(rows: readonly Row[], names: readonly string[]): readonly string[] {
  const words = wordsFor(rows, names).filter(({ word }) => !names.includes(word));
  const meanings = [...new Set(words.map(({ meant }) => meant))];
  return meanings.map((meant) => {
    const same = words.filter((one) => one.meant === meant).map(({ word }) => word);
    return `${same.join(", ")} = ${meant}`;
  });
}
