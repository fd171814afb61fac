import type { CheckKind } from "../../core/call/call-facts.js";
import type { Judged } from "../../core/grounding/judged.js";
import type { LastCheck, TodoFacts } from "../../core/grounding/todo-facts.js";
import type { Judgement } from "../../core/grounding/verdict.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { ageText, agoText, clockText } from "../../core/text/time-text.js";
import type { Todo } from "../../core/todo/list.js";
import { factTime } from "./todo-report.js";

interface Why {
  readonly todo: Todo;
  readonly judged: Judged | undefined;
  readonly hint: (words: string) => string;
  readonly now: number;
}

/** Why a todo has its verdict, in sentences for a person. */
export function whyRows({ todo, judged, hint, now }: Why): readonly string[] {
  if (!judged) return ["Nobody has told what ran in this session."];
  const { facts, judgement } = judged;
  const said = todo.evidence.map(
    ({ text, by }) => `${by ? terminalText(by) : "The agent"} says: ${terminalText(text)}`,
  );
  const ran = [...ranRows(facts, now), ...said];
  if (!judgement) return [openRow(todo), ...ran];
  return [reasonRow(judgement, now), ...ran, changeRow(judgement, hint(`todo done ${todo.number}`))];
}

function openRow({ status }: Todo): string {
  if (status === "cancelled") return "It was cancelled, so it has no verdict.";
  return "It is not completed: no verdict yet. So far:";
}

const KINDS: Readonly<Record<CheckKind, string>> = {
  tests: "tests",
  lint: "lint",
  build: "build",
  types: "type check",
  request: "request",
  screenshot: "screenshot",
};

/** `tests (npm test) passed 3m ago (14:02)`. */
function checkText({ kind, result, at, title }: LastCheck, now: number): string {
  const command = title === undefined ? "" : ` (${terminalText(title)})`;
  const how = result === "unknown" ? "ran, with a result that nobody told," : result;
  return `${KINDS[kind]}${command} ${how}${whenText(at, now)}`;
}

function whenText(at: number, now: number): string {
  return factTime(at) === null ? "" : ` ${agoText(now - at)} (${clockText(at, now)})`;
}

function reasonRow({ verdict, because }: Judgement, now: number): string {
  switch (because.by) {
    case "person":
      return `${terminalText(because.person)} has said what shows that it is done: ${terminalText(because.text)}`;
    case "waiver":
      return `It cannot be checked here: ${terminalText(because.reason)}`;
    case "calls":
      return "Calls ran while it was in progress, and no check tells how good the result is.";
    case "nothing":
      return "It is called completed, and nothing ran while it was in progress.";
    default: {
      const check = checkText(because.check, now);
      if (verdict === "contradicted") return `It is called completed, but a check failed: ${check}.`;
      const when = {
        "own-check": "for it",
        "later-check": "after its last edit",
        "named-check": "as its evidence says",
      };
      return `A check passed ${when[because.by]}: ${check}.`;
    }
  }
}

function ranRows(facts: TodoFacts, now: number): readonly string[] {
  const { calls, failures, milliseconds, startedAt, endedAt, check, editedAt } = facts;
  if (calls === 0) return ["No call ran while it was in progress."];
  const isTimed = factTime(startedAt) !== null;
  const time = isTimed ? ` in ${ageText(milliseconds)}, the last one${whenText(endedAt, now)}` : "";
  return [
    `${counted(calls, "call")} ran, ${failures} failed${time}.`,
    ...(editedAt === 0 ? ["No file was changed."] : [`${filesText(facts)}${editText(editedAt, now)}`]),
    ...(check ? [`Its last check: ${checkText(check, now)}.`] : ["No check ran while it was in progress."]),
  ];
}

function filesText({ files, moreFiles, added, removed }: TodoFacts): string {
  const names = files.map((name) => terminalText(name)).join(", ");
  const more = moreFiles === 0 ? "" : `${names === "" ? "" : " and "}${counted(moreFiles, "more file")}`;
  return `Changed: ${names}${more || (names === "" ? "files" : "")} (+${added} -${removed})`;
}

function editText(editedAt: number, now: number): string {
  return factTime(editedAt) === null ? "." : `, last${whenText(editedAt, now)}.`;
}

/** What would change the verdict. */
function changeRow({ verdict, because }: Judgement, done: string): string {
  const word = `Your own word: ${done} --evidence "what you saw"`;
  switch (verdict) {
    case "verified":
      return because.by === "person" ? "It stays so." : "It stays so until a check of the same files fails.";
    case "contradicted":
      return `A check that passes from now on verifies it. ${word}`;
    case "worked":
      return `A check that passes after its last edit verifies it; one that fails contradicts it. ${word}`;
    case "unbacked":
      return `Work that runs while it is in progress backs it. ${word}`;
    case "waived":
      return `A check verifies or contradicts it all the same. ${word}`;
  }
}
