import { fromMarkdown, toMarkdown } from "../../src/dialects/oh-my-pi/markdown.js";
import { fromChecklist, toChecklist } from "../../src/dialects/oh-my-pi/v18/checklist.js";
import { type Case, type Check, mismatches, sortKeys } from "./case.js";

/** One version's own markdown. */
interface Markdown<Phases> {
  write(phases: Phases): string;
  read(text: string): { readonly phases: Phases; readonly errors: readonly string[] };
}

export const markdownCheck = markdownOf({ write: toMarkdown, read: fromMarkdown });
export const checklistCheck = markdownOf({ write: toChecklist, read: fromChecklist });

/** Both directions, and what is left of a list that goes there and back. What a case does not tell is not looked at. */
function markdownOf<Phases>({ write, read }: Markdown<Phases>): Check {
  return async ({ kind, phases, markdown, errors, parsedBack, roundTrips, reserialised }: Case) => {
    if (kind === "serialise") {
      const written = write(phases as Phases);
      const back = read(written);
      return mismatches([
        { expected: markdown, actual: written },
        { expected: parsedBack, actual: back },
        { expected: roundTrips, actual: roundTrips === undefined ? undefined : isSame(back.phases, phases) },
      ]);
    }
    const found = read(String(markdown));
    return mismatches([
      { expected: { phases, errors }, actual: found },
      { expected: reserialised, actual: reserialised === undefined ? undefined : write(found.phases) },
    ]);
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}
