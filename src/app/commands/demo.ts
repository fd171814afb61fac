import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import type { DemoLook } from "../demo/demo-moment.js";
import { openDemoStage } from "../demo/demo-stage.js";
import { missedChecks, type PlayedMoment, playDemo } from "../demo/play-demo.js";
import { JSON_FLAG, toggle } from "../fields.js";
import { jsonLine } from "../json-lines.js";
import { drawEnding, drawMoment, drawTitle } from "../terminal/demo-view.js";

export const demo = defineCommand({
  details: `Under a minute, offline: a plan and its approval, work, a loop and the warning, a compaction and what comes
back, a question, a todo that nothing backs, a task that a second agent takes over. What happens is scripted; every
answer, alert and verdict is the real engine's, on a store in memory that nobody else sees. After each moment it is
checked what must hold; it exits with 1 if something does not.

With --json each moment is one line:
{"number","of","agent","story","what","steps":[{"what","answers":[{"to","text","isError"}]}],"check":{"what","held"}}.`,
  examples: ["milepost demo --fast"],
  input: {
    fast: toggle("do not pause between moments"),
    json: JSON_FLAG,
  },
  async run({ output, sleep, interrupted }, { fast, json }) {
    const isWatched = output.isTerminal && !fast && !json;
    const stage = await openDemoStage();
    let last: DemoLook | undefined;
    if (!json) await output.write(drawTitle(output));
    const outcome = await playDemo(stage, {
      sleep,
      speed: isWatched ? 1 : Number.POSITIVE_INFINITY,
      signal: isWatched ? interrupted() : undefined,
      async played(moment) {
        last = moment.look;
        await output.write(json ? `${jsonLine(recordOf(moment))}\n` : drawMoment(moment, output));
      },
    });
    if (!json) await output.write(drawEnding(outcome, last, output));
    await stage.close();
    const missed = missedChecks(outcome);
    return missed ? fail(missed) : ok(undefined);
  },
});

/** What was looked at is left out: it is what `milepost sessions --json` prints. */
function recordOf({ look: _, ...moment }: PlayedMoment): object {
  return moment;
}
