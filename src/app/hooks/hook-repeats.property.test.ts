import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientRun, type Happening, type Hook } from "../../../test/client-runs.js";
import { client } from "../../../test/hooked-client.js";
import { SEED, sized } from "../../../test/sizes.js";
import { append } from "../../store/event-store.js";
import { sessionEvent } from "../session/session-view.js";
import { DEFAULT_SETTINGS } from "../settings.js";

// However often, in which order and by how many a fact is reported: the log and what a model is told are the same.

const SETTINGS = {
  ...DEFAULT_SETTINGS,
  reminders: {
    ...DEFAULT_SETTINGS.reminders,
    staleAfter: 2,
    unusedAfter: 2,
    asksAtStop: true,
    asksAbout: "any" as const,
    stops: 2,
  },
};

/** What comes to the ear, in order; several at once where they stand together. */
type Arrivals = readonly (readonly Happening[])[];

async function heard(arrivals: Arrivals) {
  const { store, hook, events } = await client(SETTINGS);
  const said: string[] = [];
  const hear = async (one: Happening) => {
    if ("event" in one) return hook(one.event, one.fields);
    const told = sessionEvent({ type: "word.told", text: one.tell });
    await store.commit(append([{ stream: "session:s1", events: [told] }]));
    return "";
  };
  for (const together of arrivals) said.push(...(await Promise.all(together.map(hear))).filter(Boolean));
  // When something was found is another time in each run.
  const withoutTime = ({ at: _, ...data }: Readonly<Record<string, unknown>>) => data;
  const log = (await events()).map(
    ({ stream, type, data }) => `${stream} ${type} ${JSON.stringify(withoutTime(data))}`,
  );
  return { said, log };
}

/** How late the second report of a hook may come: before its lane goes on, and before anybody else says something. */
function latest(run: readonly Happening[], place: number): number {
  const { lane, isFree } = run[place] as Hook;
  const rest = run.slice(place + 1);
  const barrier = rest.findIndex((one) => !("event" in one) || (!isFree && isBarrier(one, lane)));
  return barrier < 0 ? rest.length : barrier;
}

function isBarrier({ lane, event }: Hook, own: string): boolean {
  return lane === own || own === "main" || lane === "main" || event.startsWith("PostToolUse");
}

type Choice = "once" | "together" | "twice" | { readonly later: number };

const choice: fc.Arbitrary<Choice> = fc.oneof(
  fc.constantFrom<Choice>("once", "together", "twice"),
  fc.integer({ min: 1, max: 6 }).map((later) => ({ later })),
);

function repeated(run: readonly Happening[], choices: readonly Choice[]): Arrivals {
  const arrivals: Happening[][][] = run.map((one) => [[one]]);
  for (const [place, one] of run.entries()) {
    const chosen = choices[place % choices.length] ?? "once";
    if (!("event" in one) || chosen === "once") continue;
    if (chosen === "together") arrivals[place]?.[0]?.push(one);
    else arrivals[place + Math.min(chosen === "twice" ? 0 : chosen.later, latest(run, place))]?.push([one]);
  }
  return arrivals.flat();
}

describe.each(["claude-code", "codex"] as const)("%s", (name) => {
  test("hooks that come twice, at once or later, tell what they tell once", async () => {
    const cases = fc.asyncProperty(
      clientRun(name),
      fc.array(choice, { minLength: 1, maxLength: 7 }),
      async (run, choices) => {
        const once = await heard(run.map((one) => [one]));
        expect(await heard(repeated(run, choices))).toEqual(once);
      },
    );
    await fc.assert(cases, { seed: SEED, numRuns: sized(20, 3000) });
  });
});
