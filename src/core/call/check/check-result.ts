import type { CheckResult } from "../call-facts.js";

// How a check went, by what the usual programs print at their end. Used only where the exit code does not tell it.

const FAILED =
  /\b[1-9]\d{0,8} (?:tests? |specs? |examples? |suites? )?(?:failed|failing|failures?|errors?|errored|broken|problems?)\b|\b(?:failed|failures?|errors?)[:=] {0,9}[1-9]|^not ok \d|^# fail [1-9]|^(?:FAIL|FAILED|FAILURE)\b|^--- FAIL|\bFAILED \(|^FAILURES!|npm (?:ERR!|error)|ELIFECYCLE|\berror TS\d{3,5}\b|\berror\[E\d{4}\]|^error: (?:could not compile|test failed)|test result: FAILED|\bBUILD FAILED\b|\bBuild failed\b|\bBUILD FAILURE\b|Failed to compile|Compilation failed|Command failed|^make(?:\[\d+\])?: \*\*\* |^Traceback \(most recent call last\)|\bexit(?:ed with)? (?:code|status):? [1-9]|\bFound [1-9]\d{0,8} (?:errors?|issues?|problems?)\b|\bwould reformat\b|Code style issues found/m;

const PASSED =
  /\b[1-9]\d{0,8} (?:tests? |specs? |examples? |suites? )?(?:passed|passing|pass|ok)\b|\b[1-9]\d{0,8} (?:tests?|specs?|examples?|scenarios?),.{0,80}\b0 (?:failures|failed|errors)\b|test result: ok|^ok {0,8}\t?\S+|^(?:PASS|OK)\b|\bBUILD SUCCESS(?:FUL)?\b|\bBuild succeeded\b|^# pass [1-9]|\bpassed[:=] {0,9}[1-9]|\b(?:Found )?0 (?:errors?|problems?|issues?)\b|All checks passed|[Nn]o (?:lint |type )?(?:issues|errors|problems|warnings)(?: found)?\b|All matched files use Prettier|[Cc]ompiled successfully|\b[Bb]uilt in \d|^Finished .{0,60}\b(?:dev|release|test|profile)\b|^ {0,8}Finished `|Successfully built|\bwebpack .{0,40}compiled\b/m;

export function summaryResult(text: string): CheckResult {
  if (FAILED.test(text)) return "failed";
  return PASSED.test(text) ? "passed" : "unknown";
}

/** An answer of a server on this machine that says that it went wrong, though the program that asked went well. */
export function isBadAnswer(text: string): boolean {
  return /^(?:HTTP\/[\d.]+ )?(?:4\d\d|5\d\d)\b/m.test(text) && /^(?:HTTP\/[\d.]+ [45]\d\d|\s*[45]\d\d\s*$)/m.test(text);
}
