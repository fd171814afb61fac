import { quoteForPosix } from "../../core/text/shell-quote.js";
import { readLine } from "./command-line.js";

// How the lines of hooks are tried: as a client runs them that has no server of ours, and as one whose server is there.

/** Where servers leave their marks, in Milepost's own folder. */
const MARKS = "/servers/";

/** Whether a line keeps quiet while a server is there. Earlier versions had it look there itself. */
export function looksForServer(line: string): boolean {
  return readLine(line, "hook")?.verb === "guard" || line.includes(MARKS);
}

/** As a client runs it that has no server of ours, whatever the process that tries it has started. */
export function withoutServer(line: string): string {
  // In a shell of its own that stays: the line's parent is nobody else's.
  return `(${line}); exit $?`;
}

/** As a client runs it whose server is there. */
export function withServer(line: string, folder: string): string {
  const marks = quoteForPosix(`${folder}${MARKS}`);
  const mark = `umask 077; mkdir -p ${marks}; : >${marks}$$-$$`;
  return `${mark}; (${line}); s=$?; rm -f ${marks}$$-$$; exit $s`;
}
