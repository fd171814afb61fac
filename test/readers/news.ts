import type { Fact } from "../../src/core/session/observation.js";

/** What detectors and verdicts are told, each in a few words; everything else is left out. */
export function news(facts: readonly Fact[]): readonly string[] {
  const marks: string[] = [];
  const placeOf = (mark: string) => {
    if (!marks.includes(mark)) marks.push(mark);
    return marks.indexOf(mark) + 1;
  };
  return facts.flatMap((fact) => newsOf(fact, placeOf));
}

/** Marks are told by the order in which they came: the same one is the same number. */
function newsOf(fact: Fact, placeOf: (mark: string) => number): readonly string[] {
  switch (fact.type) {
    case "call.started":
      return [`start ${fact.tool} in ${placeOf(`reply ${fact.reply}`)}${fact.facts ? "" : " without facts"}`];
    case "call.ended":
      return [`end ${fact.call} ${fact.status}${fact.facts ? "" : " without facts"}`];
    case "list.written":
      return ["written"];
    case "list.changed":
      return ["changed"];
    case "list.finished":
      return ["finished"];
    case "words.said":
      return [`said ${placeOf(fact.words)}`];
    case "goal.fired":
      return [`goal ${placeOf(fact.goal)}`];
    case "check.waived":
      return [`waived: ${fact.reason}`];
    case "task.leased":
      return [fact.until === null ? `left ${fact.task}` : `holds ${fact.task} until ${fact.until}`];
    case "agent.started":
      return [`agent ${fact.agent}`];
    case "agent.ended":
      return [`agent ${fact.agent} over`];
    case "turn.ended":
      return [fact.because ? `turn over: ${fact.because}` : "turn over"];
    default:
      return [];
  }
}
