import { markOf } from "../core/session/digest-text.js";
import type { Fact } from "../core/session/observation.js";
import { waiverIn } from "../core/session/waiver.js";

/** Characters: who says the same again says it from the beginning. */
const LOOKED_AT = 4000;

/** That the model has said this, and called nothing in the same reply. */
export function wordsSaid(text: string): Extract<Fact, { type: "words.said" }> | undefined {
  const words = text.slice(0, LOOKED_AT).replace(/\s+/g, " ").trim();
  return words === "" ? undefined : { type: "words.said", words: markOf(words) };
}

/** A reason is given in the first or in the last words of a text. */
export function checkWaived(text: string): Fact | undefined {
  const near = text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
  const reason = MAY_WAIVE.test(near) ? waiverIn(near) : undefined;
  return reason === undefined ? undefined : { type: "check.waived", reason };
}

/** Most texts have no such words, and are looked at once. */
const MAY_WAIVE = /\bbe (?:checked|tested|verified) here\b/i;

/** What a text of the model tells beside its own sense. `isAlone`: its reply calls no tool. */
export function saidFacts(text: string, isAlone: boolean): readonly Fact[] {
  const facts = [checkWaived(text), isAlone ? wordsSaid(text) : undefined];
  return facts.filter((fact) => fact !== undefined);
}
