import fc from "fast-check";
import { expect, test } from "vitest";
import { command, policy } from "../../../test/arbitraries.js";
import { copyEvents } from "./carried-list.js";
import { decide } from "./decide.js";
import { evolveAll } from "./evolve.js";
import { EMPTY_LIST } from "./list.js";

test("a copy has the same todos under the same numbers", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 8 }), policy, (commands, rules) => {
      let list = EMPTY_LIST;
      for (const one of commands) {
        const decision = decide(list, one, rules);
        if (decision.ok) list = evolveAll(list, decision.value.events);
      }
      const { phases, explanation } = evolveAll(EMPTY_LIST, copyEvents(list));
      expect({ phases, explanation }).toEqual({ phases: list.phases, explanation: list.explanation });
    }),
  );
});
