import { ok } from "../../core/result.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { milepost } from "../../dialects/milepost/todo-tool.js";
import { DIALECTS } from "../../dialects/registry.js";
import { speak } from "../../dialects/speak.js";
import { defineCommand } from "../command-definition.js";
import { JSON_FLAG, toggle } from "../fields.js";
import { jsonLine } from "../json-lines.js";
import { drawEnding, drawScene, drawTitle } from "../terminal/demo-view.js";
import { type Played, SCENES, type Scene } from "./demo-script.js";

/** Long enough to read a scene, short enough to stay for the end. */
const SCENE_MILLISECONDS = 1600;

export const demo = defineCommand({
  details: `A small job in scenes. Every answer comes from the real engine. Nothing is saved, and nothing is sent.
With --json each scene is one line: {"dialect","story","tool","input","text","isError","list"}.`,
  examples: ["milepost demo --fast"],
  input: {
    fast: toggle("do not pause between scenes"),
    json: JSON_FLAG,
  },
  async run(context, { fast, json }) {
    const { output } = context;
    if (!json) await output.write(drawTitle(output));
    const played: Played[] = [];
    for (const scene of SCENES) {
      const step = play(played.at(-1)?.after ?? EMPTY_LIST, scene);
      played.push(step);
      await output.write(json ? `${jsonLine(toRecord(step))}\n` : drawScene(step, output));
      if (!json && !fast && output.isTerminal) await context.sleep(SCENE_MILLISECONDS);
    }
    if (!json) await output.write(drawEnding(played, output));
    return ok(undefined);
  },
});

/** Straight through the engine: a tour needs no store, not even in memory. */
function play(before: TodoList, scene: Scene): Played {
  const { tool, input } = scene;
  const dialect = DIALECTS.find(({ name }) => name === scene.dialect) ?? milepost;
  const { list: after, answer } = speak(dialect, before, { tool, input: { value: input } });
  return { scene, answer, before, after };
}

function toRecord({ scene, answer, after }: Played): object {
  return { ...scene, text: answer.text, isError: answer.isError, list: after };
}
