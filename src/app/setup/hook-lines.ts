import { type Launch, quoteForPosix, SHELL } from "./command-line.js";

// Lines for hooks beside a server that hears them. They are run at every tool call: a shell that ends costs a tenth of
// a Node. No brace behind a dollar sign (Claude Code would take it for a variable of its own), no backslash (fish).

/** Milepost's own folder, as whoever is started by the agent finds it. */
export interface OwnFolder {
  readonly folder: string;
  /** The launcher names it; else the environment does. */
  readonly isFixed: boolean;
}

/** The folder that the environment means, as `homeFolder` finds it. */
const FIND = [
  'h=$MILEPOST_HOME; [ "$h" ] || {',
  'h=$XDG_STATE_HOME; [ "$h" ] || h=$LOCALAPPDATA; [ "$h" ] || h=$HOME/.local/state; h=$h/milepost; };',
].join(" ");

/** Whether that is the folder that was wired. */
const IS_HERE = `${FIND} [ "$h" = "$3" ] &&`;

/** For a plugin, whose lines are written before anybody knows the machine. */
const TAKE_FOUND = `${FIND} set -- "$1" "$2" "$h";`;

/** Becomes Node: no process more, and our parent is the client. Without our file, or any Node, nothing. */
const BECOME_NODE = [
  '[ -f "$1" ] && { [ -x "$0" ] && exec "$0" "$1" "$2";',
  'command -v node >/dev/null && exec node "$1" "$2"; }',
].join(" ");

/** In a line that keeps quiet while a server is there. */
export const LOOKS_FOR_SERVER = "/servers/";

/** The client's servers by their marks, `CLIENT-SERVER`: one at least, and all of them alive. */
const IS_HEARD = [
  `for f in "$3"${LOOKS_FOR_SERVER}"$PPID"-*; do set -f; IFS=-; for p in $f; do :; done;`,
  'if kill -0 "$p" 2>/dev/null; then a=1; else a=; break; fi; done;',
].join(" ");

/** A hook that the client's server hears, too: does nothing, unless the server is gone. Without `own` it finds that. */
export function guardCommand(launch: Launch, own?: OwnFolder): string {
  return hookLine(launch, own, `a=; ${here(own)} ${IS_HEARD} [ "$a" ] && exit 0; ${BECOME_NODE}; exit 0`);
}

const KEEP = [
  'umask 077; t=$3/starts/.$PPID-$$; { [ -d "$3/starts" ] || { [ -d "$3" ] && mkdir "$3/starts"; }; } &&',
  `printf %s "$l" >"$t" && mv -f "$t" "$3/starts/$PPID-$$.json" && exit 0; rm -f "$t";`,
].join(" ");

/** The start of a session: keeps what it was told for whoever hears the next hook. What must be answered is Node's. */
export function startCommand(launch: Launch, own?: OwnFolder): string {
  const read = `l= x=; while IFS= read -r x || [ "$x" ]; do l=$l$x' '; x=; done;`;
  const keep = `case $l in *'"source":"startup"'*) ${here(own)} { ${KEEP} };; esac 2>/dev/null;`;
  return hookLine(launch, own, `${read} ${keep} ${BECOME_NODE} <<E\n$l\nE\nexit 0`);
}

function here(own: OwnFolder | undefined): string {
  if (!own) return TAKE_FOUND;
  return own.isFixed ? "" : IS_HERE;
}

function hookLine({ node, script }: Launch, own: OwnFolder | undefined, body: string): string {
  const words = [SHELL, "-c", body.replaceAll(/ {2,}/g, " "), node, script, "hook", ...(own ? [own.folder] : [])];
  return ["exec", ...words.map(quoteForPosix)].join(" ");
}

/** As a client runs it that has no server of ours, whatever the process that tries it has started. */
export function withoutServer(line: string): string {
  // In a shell of its own that stays: the line's parent is nobody else's.
  return `(${line}); exit $?`;
}

/** As a client runs it whose server is there. */
export function withServer(line: string, folder: string): string {
  const marks = quoteForPosix(`${folder}${LOOKS_FOR_SERVER}`);
  const mark = `umask 077; mkdir -p ${marks}; : >${marks}$$-$$`;
  return `${mark}; (${line}); s=$?; rm -f ${marks}$$-$$; exit $s`;
}
