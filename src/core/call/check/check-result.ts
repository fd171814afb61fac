import type { CheckKind, CheckResult } from "../call-facts.js";

/** A check that ran to its end. `exit`: undefined where nobody tells it. */
interface EndedCheck {
  readonly check: CheckKind;
  readonly status: "completed" | "failed" | "cancelled";
  readonly exit?: number | undefined;
  readonly text: string;
  /** The exit code is another command's. */
  readonly isLost: boolean;
  /** The client calls a command completed however it ended. */
  readonly isBlind?: boolean | undefined;
}

/** By the exit code, or else by what the usual programs print at their end. */
export function checkResult({ check, status, exit, text, isLost, isBlind }: EndedCheck): CheckResult {
  const isUntold = isBlind === true && exit === undefined && status === "completed";
  if (isLost || isUntold) return summaryResult(text);
  const hasFailed = exit === undefined ? status === "failed" : exit !== 0;
  return hasFailed || (check === "request" && BAD_ANSWER.test(text)) ? "failed" : "passed";
}

/** A server on this machine says that it went wrong, though the program that asked it went well. */
const BAD_ANSWER = /^(?:HTTP\/[\d.]+ [45]\d\d\b|[45]\d\d\s*$)/m;

const FAILED =
  /\b[1-9]\d{0,8} (?:tests? |specs? |examples? |suites? )?(?:failed|failing|failures?|errors?|errored|broken|problems?)\b|\b(?:failed|failures?|errors?)[:=] {0,9}[1-9]|^not ok \d|^# fail [1-9]|^(?:FAIL|FAILED|FAILURE)\b|^--- FAIL|\bFAILED \(|^FAILURES!|npm (?:ERR!|error)|ELIFECYCLE|\berror TS\d{3,5}\b|\berror\[E\d{4}\]|^error: (?:could not compile|test failed)|test result: FAILED|\bBUILD FAILED\b|\bBuild failed\b|\bBUILD FAILURE\b|Failed to compile|Compilation failed|Command failed|^make(?:\[\d+\])?: \*\*\* |^Traceback \(most recent call last\)|\bexit(?:ed with)? (?:code|status):? [1-9]|\bFound [1-9]\d{0,8} (?:errors?|issues?|problems?)\b|\bwould reformat\b|Code style issues found/m;

const PASSED =
  /\b[1-9]\d{0,8} (?:tests? |specs? |examples? |suites? )?(?:passed|passing|pass|ok)\b|\b[1-9]\d{0,8} (?:tests?|specs?|examples?|scenarios?),.{0,80}\b0 (?:failures|failed|errors)\b|test result: ok|^ok[ \t]{1,8}\S|^(?:PASS|OK)\b|\bBUILD SUCCESS(?:FUL)?\b|\bBuild succeeded\b|^# pass [1-9]|\bpassed[:=] {0,9}[1-9]|\b(?:Found )?0 (?:errors?|problems?|issues?)\b|All checks passed|[Nn]o (?:lint |type )?(?:issues|errors|problems|warnings)(?: found)?\b|All matched files use Prettier|[Cc]ompiled successfully|\b[Bb]uilt in \d|^Finished .{0,60}\b(?:dev|release|test|profile)\b|^ {0,8}Finished `|Successfully built|\bwebpack .{0,40}compiled\b/m;

function summaryResult(text: string): CheckResult {
  if (FAILED.test(text)) return "failed";
  return PASSED.test(text) ? "passed" : "unknown";
}
