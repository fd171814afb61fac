/**
 * A contract with scripts: 0 ok, 1 refused, 2 usage, 3 trouble with the store, a file or us. Only this file knows the
 * numbers. Every code that a command can fail with is here: a test reads the sources for others.
 */
export const EXIT_OK = 0;
export const EXIT_USAGE = 2;
const EXIT_REFUSED = 1;
const EXIT_TROUBLE = 3;

/** The line is wrong, whatever is stored: an unknown word, or a value that can never be. */
const USAGE = `bad-usage unknown-command unknown-session unknown-agent unknown-dialect unknown-setting unknown-plan
bad-id bad-cursor bad-actor bad-key bad-setting bad-text empty-text old-node`;

/** The line may be right, but what is there does not allow it. */
const REFUSED = `no-session no-task no-todo no-agent no-reader no-editor no-plugin no-shared-store
ambiguous-todo another-in-progress duplicate-todo already-linked bad-parent text-too-long too-deep too-many
too-many-notes too-many-todos task-held task-closed task-blocked task-waiting task-backing-off task-not-held
cancel-pending not-waiting stale-fence fence-needed self-edge cyclic-edge key-reused version-conflict changed
client-owned only-read unknown-phase no-calls several-places
no-plan plan-decided plan-superseded plan-changed plan-too-large empty-plan no-steps other-session already-used
agent-shell not-for-projects no-project no-choice
choices-unseen not-on-screen not-taken
unknown-cursor nothing-to-undo needs-yes not-confirmed refused file-exists bad-config bad-record missing-events
other-history not-all-imported unknown-format several-formats foreign-server foreign-file wiring-broken
too-many-servers demo-failed`;

/** The line is right, and something around us is not. */
const TROUBLE = `no-file not-a-file io-error internal-error salvage-failed store-busy store-damaged store-failed
store-full store-lost store-newer store-not-yours store-read-only store-unreachable store-unsure no-home no-store
not-a-store bad-store no-sqlite too-large`;

/** Also printed in docs/cli.md. */
export const EXIT_CODES: Readonly<Record<string, number>> = Object.fromEntries([
  ...codesIn(USAGE).map((code) => [code, EXIT_USAGE]),
  ...codesIn(REFUSED).map((code) => [code, EXIT_REFUSED]),
  ...codesIn(TROUBLE).map((code) => [code, EXIT_TROUBLE]),
]);

function codesIn(text: string): readonly string[] {
  return text.split(/\s+/);
}

export function exitCode(failureCode: string): number {
  return EXIT_CODES[failureCode] ?? EXIT_REFUSED;
}

/** Where several rooms have a code of their own for the same mistake, a script sees one. */
const SAME: Readonly<Record<string, string>> = {
  "unknown-todo": "no-todo",
  "unknown-edge": "no-task",
  "no-such-file": "no-file",
  "no-transcript": "no-file",
};

export function shownCode(failureCode: string): string {
  return SAME[failureCode] ?? failureCode;
}
