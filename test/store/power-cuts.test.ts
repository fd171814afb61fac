import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { canMount, makeImage, mountImage } from "../mounts.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { Worker } from "./workers.js";

// A power cut: the disk as it is at one moment, without what the system had not written yet. A killed process does not
// show that, because the system writes for it. So the store is on a disk of its own, whose image is copied meanwhile.

const folder = mkdtempSync(join(tmpdir(), "milepost-power-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CUTS = sized(0, 50);
const reason = CUTS === 0 ? "long form only" : "needs root and loop devices";

interface Counted {
  readonly left: number;
  readonly right: number;
  readonly damage: readonly string[];
}

/** In a process of its own: the disk can be taken away when it has ended. Undefined where the store says it lost some. */
async function countAfter(path: string): Promise<Counted | undefined> {
  const { lines, errors } = await new Worker("count", path).end();
  expect(errors).toBe("");
  const said = JSON.parse(lines[0] ?? "");
  if (said.trouble === undefined) return said;
  expect(said.trouble).toMatch(/^store-(?:damaged|lost)$/);
  return undefined;
}

test.skipIf(CUTS === 0 || !canMount())(`never less than was acknowledged, in silence (${reason})`, async () => {
  const image = join(folder, "image");
  expect(makeImage(image)).toBe(true);
  const disk = mountImage(image, join(folder, "disk"));
  const writer = new Worker("write", join(folder, "disk", "milepost.db"));
  const random = randomFrom(SEED);
  let said = 0;
  try {
    await writer.line(0);
    for (let cut = 0; cut < CUTS; cut += 1) {
      writer.process.kill("SIGCONT");
      await sleep(random.below(150));
      // A disk that is full would end it, and then nothing is tested.
      expect(writer.process.exitCode).toBeNull();
      writer.process.kill("SIGSTOP");
      // What it said before it was stopped is still on its way.
      await sleep(30);
      const acknowledged = Number.parseInt(writer.lines.at(-1) ?? "0", 10);
      const copy = join(folder, "copy");
      copyFileSync(image, copy);
      const after = mountImage(copy, join(folder, "after"));
      try {
        const counted = await countAfter(join(folder, "after", "milepost.db"));
        if (!counted) said += 1;
        else
          expect([cut, counted.left >= acknowledged, counted]).toEqual([
            cut,
            true,
            { ...counted, right: counted.left, damage: [] },
          ]);
      } finally {
        after?.unmount();
        rmSync(copy);
      }
    }
  } finally {
    // Killed, it ends also while it is stopped.
    writer.kill();
    await writer.end();
    disk?.unmount();
  }
  const last = Number.parseInt(writer.lines.at(-1) ?? "0", 10);
  console.log(
    `${CUTS} power cuts, ${last} acknowledged pairs, 0 lost in silence; ${said} stores said that they lost some`,
  );
});
