import * as z from "zod";
import { ok } from "../../core/result.js";
import { defineCommand } from "../command.js";
import { type Played, SCENES, type Scene } from "../demo-script.js";
import { drawEnding, drawScene, drawTitle } from "../demo-view.js";
import { jsonLine } from "../json-lines.js";
import { type Milepost, openMilepost } from "../milepost.js";

/** Long enough to read a scene, short enough to stay for the end. */
const SCENE_MILLISECONDS = 1600;
const SESSION = "demo";

export const demo = defineCommand({
  details: `A small job, told in scenes. Every answer comes from the real engine; nothing is saved, nothing is sent.
With --json each scene is one line: {"dialect","story","tool","input","text","isError","list"}.`,
  input: z.object({
    fast: z.boolean().default(false).describe("do not wait between scenes"),
    json: z.boolean().default(false).describe("one JSON line a scene"),
  }),
  async run(context, { fast, json }) {
    const { output } = context;
    const milepost = await openMilepost({ store: "memory:" });
    if (!json) await output.write(drawTitle(output));
    const played: Played[] = [];
    for (const scene of SCENES) {
      const step = await play(milepost, scene);
      if (!step.ok) return step;
      played.push(step.value);
      await output.write(json ? `${jsonLine(toRecord(step.value))}\n` : drawScene(step.value, output));
      if (!json && !fast && output.isTerminal) await context.sleep(SCENE_MILLISECONDS);
    }
    if (!json) await output.write(drawEnding(played, output));
    await milepost.close();
    return ok(undefined);
  },
});

async function play(milepost: Milepost, scene: Scene) {
  const { dialect, tool, input } = scene;
  const before = await milepost.list({ session: SESSION });
  if (!before.ok) return before;
  const answer = await milepost.call({ dialect, tool, input, session: SESSION });
  if (!answer.ok) return answer;
  const after = await milepost.list({ session: SESSION });
  return after.ok ? ok({ scene, answer: answer.value, before: before.value, after: after.value }) : after;
}

function toRecord({ scene, answer, after }: Played): object {
  return { ...scene, text: answer.text, isError: answer.isError, list: after };
}
