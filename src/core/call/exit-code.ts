import { isObject } from "../json.js";
import type { AnswerText } from "./answer-text.js";

/** Above what the command itself wrote, Codex says how it went. */
const HEAD =
  /^(?:Chunk ID|Wall time|Exit code|Process exited|Process running|Command):? [^\n]*\n(?:[^\n]{0,200}\n){0,6}?(?:Final )?[Oo]utput:\n?/;
const FIRST = /^(?:Error: )?Exit code:? (-?\d{1,10})\b/;
const IN_HEAD = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m;
/** Only at the end, and of a call that failed: the program itself may print such words. */
const LAST = /(?:Command exited with code|exit(?:ed with)? code|Exit Code:) (-?\d{1,10})\s*$/i;
const IN_JSON = /"(?:exit_code|exitCode|returncode)": {0,2}(-?\d{1,10})\b/;

/** The text without what the client says above it. */
export function bodyOf(head: string): string {
  return head.slice(aboveOf(head).length);
}

/** To compile the pattern takes longer than all else that is done with most answers. */
function aboveOf(head: string): string {
  return FIRST_SIGNS.includes(head.charAt(0)) ? (HEAD.exec(head)?.[0] ?? "") : "";
}

const FIRST_SIGNS = "CWEP";

/** The exit code of a command, where anything tells it. */
export function exitCode(output: unknown, { head, tail }: AnswerText, isFailed: boolean): number | undefined {
  const told = inObject(output);
  if (told !== undefined) return told;
  const above = aboveOf(head);
  const found =
    (above === "" ? undefined : IN_HEAD.exec(above)?.[1]) ??
    (isFailed ? (FIRST.exec(head)?.[1] ?? LAST.exec((tail || head).slice(-200))?.[1]) : undefined) ??
    (head.startsWith('{"') ? IN_JSON.exec(`${head}${tail}`)?.[1] : undefined);
  return found === undefined ? undefined : Number(found);
}

function inObject(output: unknown): number | undefined {
  if (!isObject(output)) return undefined;
  for (const holder of [output, output.metadata, output.details]) {
    if (!isObject(holder)) continue;
    const code = [holder.exit_code, holder.exitCode, holder.exit, holder.returncode].find(Number.isSafeInteger);
    if (typeof code === "number") return code;
  }
  return undefined;
}

/** It goes on in the background: nobody knows yet how it ends. */
export function isStillRunning(output: unknown, head: string): boolean {
  if (isObject(output) && (output.backgroundTaskId !== undefined || output.isBackground === true)) return true;
  return /^(?:Command (?:was )?(?:running|moved|started) (?:in|to) (?:the )?background|Process running with session ID|Command running in background)|^Process running with session ID \d/m.test(
    head.slice(0, 600),
  );
}
