import { isObject, type JsonObject, objectAt, parseJson } from "../json.js";
import { redact } from "../secrets/redact.js";
import { quickMark } from "../text/mark.js";
import { type AnswerText, answerText } from "./answer-text.js";
import type { CallEnd, CallKind, CallStart } from "./call-facts.js";
import { areProse, boundedFiles, namedFiles, patchText } from "./call-files.js";
import { isRemoteCommand, troubleOf } from "./call-trouble.js";
import { canonicalArguments } from "./canonical-arguments.js";
import { changedLines } from "./changed-lines.js";
import { checkResult } from "./check/check-result.js";
import { commandFacts } from "./command-facts.js";
import { bodyOf, exitCode, isStillRunning } from "./exit-code.js";
import { steadyText } from "./steady-text.js";
import { isListName, isPollCall, isScreenshot, kindOf, splitName } from "./tool-kind.js";

// What arguments and answers tell, reduced to what detectors and verdicts need. Pure, and bounded whatever comes in.

/** A call as its client names it; `tool` without the name of the server. */
export interface RawCall {
  readonly tool: string;
  readonly server?: string | undefined;
  readonly input: unknown;
}

/** What came back. `output`: text, blocks or an object, as the client tells it. `error`: its words of a failure. */
export interface RawEnd {
  readonly output?: unknown;
  readonly error?: string | undefined;
  readonly status: "completed" | "failed" | "cancelled";
  /** Where the client tells it apart from the text. */
  readonly exit?: number | undefined;
  /** The client calls a command completed however it ended: without an exit code nothing is known of a check. */
  readonly isBlind?: boolean | undefined;
}

/** `extraChecks`: commands that a person has called checks, by their first words. */
export function startFacts(call: RawCall, extraChecks?: readonly string[]): CallStart {
  const signature = signatureOf(call);
  if (isListName(call)) return { kind: "other", signature, isList: true };
  const { tool, server } = splitName(call);
  const input = inputOf(call.input);
  const kind = kindOfCall(call, input);
  if (kind === "execute") return executed(signature, call, input, extraChecks);
  const files = kind === "read" || kind === "search" || kind === "edit" ? namedFiles(input) : [];
  const facts: Mutable<CallStart> = { kind, signature };
  if (files.length > 0) facts.files = files;
  if (kind === "edit" && areProse(files)) facts.isProse = true;
  if (isScreenshot({ tool, server }, input)) facts.check = "screenshot";
  if (isPollCall({ tool, server }, input)) facts.isPoll = true;
  return facts;
}

/** What a call is known by when it begins, without a look into its command. */
export function callMark(call: RawCall): Pick<CallStart, "kind" | "signature"> {
  const kind = isListName(call) ? "other" : kindOfCall(call, inputOf(call.input));
  return { kind, signature: signatureOf(call) };
}

function signatureOf(call: RawCall): string {
  const { tool, server } = splitName(call);
  return quickMark(`${server ?? ""}/${tool.slice(0, 200)} ${canonicalArguments(call.input)}`);
}

/** Filled field by field: spreads cost more than all that is worked out here, and every call comes through. */
type Mutable<Facts> = { -readonly [Field in keyof Facts]: Facts[Field] };

function executed(
  signature: string,
  call: RawCall,
  input: JsonObject,
  extraChecks: readonly string[] | undefined,
): CallStart {
  const command = commandOf(input);
  const { check, files: changed, isChange, isPoll, isLook } = commandFacts(command, extraChecks);
  const files = withoutSecrets(boundedFiles(changed), command);
  const asked = isScreenshot(call, input) ? "screenshot" : check?.kind;
  const facts: Mutable<CallStart> = { kind: "execute", signature };
  if (files.length > 0) facts.files = files;
  if (isChange) facts.isChange = true;
  if (isLook) facts.isLook = true;
  if (isChange && areProse(files)) facts.isProse = true;
  if (asked !== undefined && !isInBackground(input)) facts.check = asked;
  if (isPoll || isPollCall(call, input)) facts.isPoll = true;
  return facts;
}

/** A word alone does not look like a secret: whether it is one is told by the command around it. */
function withoutSecrets(files: readonly string[], command: string): readonly string[] {
  if (files.length === 0) return files;
  const shown = redact(command);
  return files.filter((file) => file.split("/").every((part) => shown.includes(part)));
}

export function endFacts(call: RawCall, start: CallStart, end: RawEnd, extraChecks?: readonly string[]): CallEnd {
  const answer = answerText(answerOf(end));
  if (!answer) {
    const told: Mutable<CallEnd> = end.exit === undefined ? {} : { exit: end.exit };
    const result = resultOf(call, start, end, NO_ANSWER, end.exit, extraChecks);
    if (result !== undefined) told.result = result;
    return told;
  }
  const exit =
    end.exit ?? (start.kind === "execute" ? exitCode(end.output, answer, end.status !== "completed") : undefined);
  const { tool, server } = splitName(call);
  // Only of what has failed anybody asks whether it was the network.
  const isRemote =
    server !== undefined ||
    (end.status === "failed" &&
      start.kind === "execute" &&
      start.check === undefined &&
      isRemoteCommand(commandOf(inputOf(call.input))));
  const trouble = start.isList
    ? undefined
    : troubleOf({ kind: start.kind, status: end.status, text: answer.head, isRemote });
  const facts: Mutable<CallEnd> = { outcome: outcomeOf(end.status, answer, tool), size: answer.size };
  if (exit !== undefined) facts.exit = exit;
  if (start.kind === "edit") Object.assign(facts, changeOf(call, end, answer));
  const result = resultOf(call, start, end, answer, exit, extraChecks);
  if (result !== undefined) facts.result = result;
  if (trouble) facts.trouble = trouble;
  return facts;
}

const NO_ANSWER: AnswerText = { head: "", tail: "", size: 0 };

/** Some clients tell an error twice. */
function answerOf({ output, error }: RawEnd): unknown {
  if (error === undefined || error === "" || error === output) return output;
  return output === undefined || output === null || answerText(output)?.head === error ? error : [error, output];
}

function inputOf(input: unknown): JsonObject {
  if (typeof input !== "string") return objectAt(input);
  const parsed = input.startsWith("{") && input.length < MOST_JSON ? parseJson(input) : undefined;
  return isObject(parsed) ? parsed : { input };
}

const MOST_JSON = 200_000;

function kindOfCall(call: RawCall, input: JsonObject): CallKind {
  const kind = kindOf(call);
  const isPatch = patchText(input) !== undefined;
  if (kind === "execute" && isPatch && /^\s*(?:cd \S+ (?:&&|;) )?apply_?patch\b/.test(commandOf(input))) return "edit";
  // One tool for everything: its first argument says what it does.
  if (kind === "edit" && input.command === "view") return "read";
  return kind === "other" && isPatch ? "edit" : kind;
}

/** The command line, from text or from words. */
function commandOf({ command, cmd, script }: JsonObject): string {
  const found = command ?? cmd ?? script;
  if (typeof found === "string") return found.slice(0, COMMAND_MAX);
  if (!Array.isArray(found)) return "";
  const words = found.filter((word): word is string => typeof word === "string").slice(0, 100);
  const [shell = "", option = "", line] = words;
  if (
    line !== undefined &&
    words.length === 3 &&
    /(?:^|\/)(?:ba|z|da|k|a)?sh$/.test(shell) &&
    /^-[a-z]*c$/.test(option)
  )
    return line.slice(0, COMMAND_MAX);
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ")
    .slice(0, COMMAND_MAX);
}

const COMMAND_MAX = 4000;

function isInBackground({ run_in_background, background, is_background, isBackground }: JsonObject): boolean {
  return [run_in_background, background, is_background, isBackground].includes(true);
}

/** The size tells answers apart whose middle was not looked at. */
function outcomeOf(status: RawEnd["status"], { head, tail, size }: AnswerText, tool: string): string {
  const told = `${steadyText(bodyOf(head))}\n${steadyText(tail)}`;
  const isCut = tail !== "";
  return quickMark(
    `${status === "completed" ? "" : `${status} ${tool}`}|${told}|${isCut ? Math.round(8 * Math.log2(size)) : ""}`,
  );
}

const UNCHANGED =
  /\bno changes? (?:were |was |have been )?(?:made|to (?:make|apply|write)|needed|applied|detected)\b|\bnothing (?:was |has )?changed\b|\b(?:old_string|oldText|old_str)\b.{0,40}\b(?:identical|exactly the same)\b|\b(?:is|are) (?:already )?identical\b|\balready up[- ]to[- ]date\b|\bcontents? (?:is|are) unchanged\b|\bfile (?:is )?unchanged\b/i;

function changeOf(
  call: RawCall,
  end: RawEnd,
  { head }: AnswerText,
): Pick<CallEnd, "added" | "removed" | "isUnchanged"> {
  const text = typeof end.output === "string" || end.status !== "completed" ? head.slice(0, 600) : "";
  if (text !== "" && UNCHANGED.test(text)) return { isUnchanged: true };
  if (end.status !== "completed") return {};
  const lines = changedLines(inputOf(call.input), end.output);
  if (!lines) return {};
  const isSame = lines.added + lines.removed === 0 && isObject(end.output) && end.output.type !== "create";
  return isSame ? { isUnchanged: true } : lines;
}

function resultOf(
  call: RawCall,
  { check, kind }: CallStart,
  end: RawEnd,
  answer: AnswerText,
  exit: number | undefined,
  extraChecks: readonly string[] | undefined,
): CallEnd["result"] {
  if (check === undefined || end.status === "cancelled" || isStillRunning(end.output, answer.head)) return undefined;
  const text = `${bodyOf(answer.head)}\n${answer.tail}`;
  const isLost = kind === "execute" && isExitLost(call, extraChecks);
  return checkResult({ status: end.status, isBlind: end.isBlind, check, text, exit, isLost });
}

function isExitLost(call: RawCall, extraChecks: readonly string[] | undefined): boolean {
  return commandFacts(commandOf(inputOf(call.input)), extraChecks).check?.isLost === true;
}
