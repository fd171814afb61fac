import { HONEST } from "./honest-work.js";
import { LOOPS } from "./loops.js";
import { Story, type Trace } from "./trace.js";

/** Labelled traces: each story `variants` times, with other tools, lengths, things in between and times. */
export function corpus(seed: number, variants: number): readonly Trace[] {
  const seeds = Array.from({ length: variants }, (_, at) => seed * 1000 + at);
  const loops = Object.entries(LOOPS).flatMap(([detector, tellers]) =>
    tellers.flatMap((tell, kind) =>
      seeds.map((one) => {
        const story = new Story(one * 31 + kind);
        tell(story);
        return story.end(`${detector} ${kind + 1}, seed ${one}`, detector);
      }),
    ),
  );
  const honest = Object.entries(HONEST).flatMap(([name, tell]) =>
    seeds.map((one) => {
      const story = new Story(one * 31 + 7);
      tell(story);
      return story.end(`${name}, seed ${one}`);
    }),
  );
  return [...loops, ...honest];
}
