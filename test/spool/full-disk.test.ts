import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openMilepost } from "../../src/app/milepost.js";
import { spoolPlace, waitingIn } from "../../src/app/spool/spool-place.js";
import { clean, hook } from "../hook-process.js";
import { canMount, type Mounted, makeImage, mountImage, mountTiny } from "../mounts.js";
import { sized } from "../sizes.js";
import { asked, askedIn, eventsIn, hear, type Place, rested } from "./heard.js";

const mounts: Mounted[] = [];
const folders: string[] = [];
afterAll(() => {
  for (const { unmount } of mounts) unmount();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function fresh(): string {
  folders.push(mkdtempSync(join(tmpdir(), "milepost-full-")));
  return folders.at(-1) ?? "";
}

function mounted(mount: Mounted | undefined): string {
  if (!mount) throw new Error("It cannot be mounted.");
  mounts.push(mount);
  return mount.folder;
}

const DISKS = {
  "in memory": () => mounted(mountTiny(join(fresh(), "disk"), 2000)),
  ext4: () => {
    const image = join(fresh(), "image");
    makeImage(image);
    return mounted(mountImage(image, join(fresh(), "disk")));
  },
};

/** Until no byte goes on it any more. */
function fill(disk: string): void {
  for (const size of [1 << 20, 1 << 16, 4096, 1])
    for (let number = 0; isWritten(join(disk, `filler-${size}-${number}`), size); ) number += 1;
}

function isWritten(path: string, size: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(size, 1));
    return true;
  } catch {
    return false;
  }
}

function makeRoom(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith("filler")) rmSync(join(disk, name));
}

/** As a command does when it opens the store. */
async function takeIn(environment: Place): Promise<void> {
  await (await openMilepost({ environment: { ...environment } })).close();
}

async function placeOn(disk: string): Promise<Place> {
  const environment = { MILEPOST_HOME: join(disk, "home"), MILEPOST_STORE: join(disk, "milepost.db") };
  await hear(environment, asked("first"));
  // A hook that nobody waits for makes the reserve.
  await hear(environment, { hook_event_name: "Stop" });
  return environment;
}

describe.runIf(canMount()).each(Object.entries(DISKS))("a full disk: %s", (_, mountDisk) => {
  test("facts wait in files that were made before, and are taken in when there is room", async () => {
    const disk = mountDisk();
    const environment = await placeOn(disk);
    fill(disk);
    const texts = Array.from({ length: sized(30, 200) }, (_, number) => `fact ${number}`);
    for (const text of texts) expect(await hear(environment, asked(text))).toBe("");
    makeRoom(disk);
    await takeIn(environment);
    await hear(environment, asked("last"));
    expect(askedIn(await eventsIn(environment))).toEqual(["first", ...texts, "last"]);
  });

  test("one that is larger than they are takes the room of several", async () => {
    const disk = mountDisk();
    const environment = await placeOn(disk);
    fill(disk);
    const todos = Array.from({ length: 60 }, (_, number) => ({
      content: `Todo ${number} ${"with many words ".repeat(20)}`,
      status: "pending",
      activeForm: "Working",
    }));
    const written = {
      hook_event_name: "PostToolUse",
      tool_name: "TodoWrite",
      tool_use_id: "w1",
      tool_input: { todos },
    };
    expect(await hear(environment, written)).toBe("");
    expect(waitingIn(spoolPlace({ ...environment })?.folder ?? "")).toHaveLength(1);
    makeRoom(disk);
    await takeIn(environment);
    await hear(environment, asked("last"));
    const added = (await eventsIn(environment)).filter(({ type }) => type === "todo.added");
    expect(added).toHaveLength(todos.length);
  });

  test("as real processes do it", async () => {
    const disk = mountDisk();
    const environment = clean({ ...(await placeOn(disk)) });
    fill(disk);
    for (const text of ["one", "two"])
      expect(await hook({ session_id: "s1", ...asked(text) }, environment)).toMatchObject({
        exit: 0,
        out: "",
        err: "",
      });
    makeRoom(disk);
    rested(environment as unknown as Place);
    await hook({ session_id: "s1", ...asked("three") }, environment);
    const all = ["first", "one", "two", "three"];
    const heard = askedIn(await eventsIn(environment as unknown as Place));
    // A hook takes in for a moment only: on a busy machine the rest waits for whoever comes next.
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual(all.slice(0, heard.length));
    await takeIn(environment as unknown as Place);
    expect(askedIn(await eventsIn(environment as unknown as Place))).toEqual(all);
  });
});
