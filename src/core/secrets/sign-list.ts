import { beginningOf, isAt } from "./literals.js";
import { RULES } from "./rules.js";

/** Every literal of every rule, so that a table of them is filled in no time. */
export interface SignList {
  /** The hashes of the first three characters, one character each. */
  readonly beginnings: string;
  /** The literals that begin so: a line for each of them, with tabs between. */
  readonly lines: string;
}

function listSigns(literals: readonly string[]): SignList {
  const groups = new Map<number, string[]>();
  for (const literal of literals) {
    const group = groups.get(beginningOf(literal)) ?? [];
    groups.set(beginningOf(literal), group);
    // Where a shorter one stands, it is a sign already.
    if (!group.some((other) => isAt(literal, 0, other))) group.push(literal);
  }
  return {
    beginnings: String.fromCharCode(...groups.keys()),
    lines: [...groups.values()].map((group) => group.join("\t")).join("\n"),
  };
}

/** The hook's build writes down what this comes to: it needs the rules themselves. */
export const SIGNS: SignList = listSigns(
  RULES.flatMap(({ literals }) => literals).sort((one, other) => one.length - other.length),
);
