import { fromMarkdown, toMarkdown } from "../../src/dialects/oh-my-pi/markdown.js";
import type { PiPhase } from "../../src/dialects/oh-my-pi/pi-phases.js";
import { type Case, type Check, mismatches, sortKeys } from "./case.js";

/** Both directions, and what is left of a list that goes there and back. */
export const markdownCheck: Check = async (testCase) =>
  testCase.kind === "serialise" ? serialised(testCase) : parsed(testCase);

function serialised({ phases, markdown, parsedBack, roundTrips }: Case) {
  const written = toMarkdown(phases as readonly PiPhase[]);
  const back = fromMarkdown(written);
  const isSame = JSON.stringify(sortKeys(back.phases)) === JSON.stringify(sortKeys(phases));
  return mismatches([
    { expected: markdown, actual: written },
    { expected: parsedBack, actual: back },
    { expected: roundTrips, actual: isSame },
  ]);
}

function parsed({ markdown, phases, errors, reserialised }: Case) {
  const read = fromMarkdown(String(markdown));
  return mismatches([
    { expected: { phases, errors }, actual: read },
    { expected: reserialised, actual: toMarkdown(read.phases) },
  ]);
}
