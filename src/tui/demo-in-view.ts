import { openSession } from "../app/command-context.js";
import { openDemoStage } from "../app/demo/demo-stage.js";
import { type DemoOutcome, playDemo } from "../app/demo/play-demo.js";
import type { PersonalHost } from "../app/host.js";
import { counted } from "../core/text/length.js";
import type { LiveView } from "./live-view.js";
import { type ShownWorld, showView } from "./run.js";

/** The live view on the demo's own store, with the demo playing in it. */
export async function runDemo(host: PersonalHost): Promise<number> {
  const session = openSession(host, "memory:", ["demo"]);
  const stage = await openDemoStage();
  let outcome: DemoOutcome | undefined;
  const play = async (view: LiveView) => {
    outcome = await playDemo(stage, {
      sleep: host.sleep,
      signal: view.left,
      told({ story, number, of }) {
        view.caption = `${number}/${of}  ${story}`;
        view.changed();
      },
    });
    view.caption = outcome.isStopped ? undefined : `${endText(outcome)} Look around: ↵ opens a session, q leaves.`;
    view.changed();
  };
  try {
    const world: ShownWorld = { board: await stage.board(), milepost: stage.milepost, beside: play, isKept: false };
    await showView(host, stage.context(session.context), world);
  } finally {
    await stage.close();
    await session.close();
  }
  // The person may have changed what the story relies on: that is no failure of the demo.
  if (outcome) await host.output.write(`${endText(outcome)}\n`);
  return 0;
}

function endText({ checks, isStopped }: DemoOutcome): string {
  const held = checks.filter(({ held: isHeld }) => isHeld).length;
  const end = isStopped ? "The demo was left early: " : "The demo is over: ";
  return `${end}${held} of ${counted(checks.length, "check")} of what it claims held in its store.`;
}
