import { describe, expect, test } from "vitest";
import type { DemoAnswer, DemoMoment } from "./demo-moment.js";
import { DEMO_SCENES } from "./demo-scenes.js";
import { openDemoStage } from "./demo-stage.js";
import { type DemoPlay, missedChecks, playDemo } from "./play-demo.js";

const noPause = async () => undefined;

async function played(scenes: readonly DemoMoment[], play: Partial<DemoPlay> = {}) {
  const stage = await openDemoStage();
  const outcome = await playDemo(stage, { sleep: noPause, speed: Number.POSITIVE_INFINITY, scenes, ...play });
  await stage.close();
  return outcome;
}

/** The moment is told, and nothing is done in it. */
const without = (index: number) => DEMO_SCENES.map((scene, at) => (at === index ? { ...scene, acts: [] } : scene));

describe("the story", () => {
  test("each check holds after its moment, and not before it: a moment that is left out is missed", async () => {
    const stage = await openDemoStage();
    const wrong: string[] = [];
    for (const { acts, check } of DEMO_SCENES) {
      if (check?.holds(await stage.look([]))) wrong.push(`before: ${check.what}`);
      const answers: DemoAnswer[] = [];
      for (const act of acts) answers.push(...(await stage.act(act, noPause)));
      if (check && !check.holds(await stage.look(answers))) wrong.push(`after: ${check.what}`);
    }
    await stage.close();
    expect(wrong).toEqual([]);
  });

  test("takes 40 to 50 seconds at the pace of a reader", () => {
    const lengths = DEMO_SCENES.flatMap(({ pause, acts }) => [
      pause,
      ...acts.map((act) => (act.type === "tool" ? act.takes : 0)),
    ]);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    expect(total).toBeGreaterThan(40_000);
    expect(total).toBeLessThan(50_000);
  });

  test("20 to 25 moments, each of them checked, and each caption fits a row of 80 columns", () => {
    expect(DEMO_SCENES.length).toBeGreaterThanOrEqual(20);
    expect(DEMO_SCENES.length).toBeLessThanOrEqual(25);
    expect(DEMO_SCENES.filter(({ check }) => !check)).toEqual([]);
    for (const { story } of DEMO_SCENES) expect(story.length).toBeLessThanOrEqual(76);
    expect(new Set(DEMO_SCENES.map(({ check }) => check?.what)).size).toBe(DEMO_SCENES.length);
  });
});

describe("playing", () => {
  test("what did not happen is a failure, with its name", async () => {
    const approval = DEMO_SCENES.findIndex(({ acts }) => acts.some(({ type }) => type === "approve"));
    const upToWork = without(approval).slice(0, approval + 2);
    const captions: number[] = [];
    const failure = missedChecks(await played(upToWork, { told: ({ number }) => captions.push(number) }));
    expect(captions).toEqual(upToWork.map((_, at) => at + 1));
    expect(failure).toMatchObject({ code: "demo-failed" });
    expect(failure?.message).toContain(`2 of ${upToWork.length} checks did not hold: the plan is approved`);
  });

  test("a person at a live view may be faster: a plan that is approved already stays approved", async () => {
    const approval = DEMO_SCENES.findIndex(({ acts }) => acts.some(({ type }) => type === "approve"));
    const twice = DEMO_SCENES.slice(0, approval + 2).map((scene, at) =>
      at === approval ? { ...scene, acts: [{ type: "approve", agent: "claude-code" } as const, ...scene.acts] } : scene,
    );
    const refused: string[] = [];
    const outcome = await played(twice, {
      played: ({ look }) => void refused.push(...look.answers.filter(({ isError }) => isError).map(({ text }) => text)),
    });
    expect(missedChecks(outcome)).toBeUndefined();
    expect(refused).toEqual([expect.stringContaining("was approved by you already")]);
  });

  test("a signal ends it in the middle of a pause", async () => {
    const stop = new AbortController();
    let slept = 0;
    const sleep = async (milliseconds: number) => {
      slept += milliseconds;
      if (slept >= 300) stop.abort();
    };
    const outcome = await played(DEMO_SCENES, { sleep, speed: 1, signal: stop.signal });
    expect(outcome).toMatchObject({ isStopped: true, checks: [{ held: true }] });
    expect(slept).toBe(300);
  });
});
