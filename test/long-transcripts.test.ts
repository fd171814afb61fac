import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { Attachment } from "../src/app/transcripts/attachment.js";
import type { SavedFile } from "../src/app/transcripts/follow/followed.js";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import { answers, calls, chained, type Line, user, wrote } from "./readers/claude-lines.js";
import { runOn } from "./run-on.js";
import { sized } from "./sizes.js";

const command = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-long-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SESSION = "0c0c0c0c-0000-4000-8000-000000000001";
const MIB = 1024 * 1024;

/** Calls with answers of 100 kB, and now and then a list. Says how many calls there are. */
function writeTranscript(path: string, bytes: number): number {
  mkdirSync(dirname(path), { recursive: true });
  const filler = "lorem ipsum dolor sit amet ".repeat(4000);
  const round = (at: number): readonly Line[] => [
    calls(`c${at}`, "Bash", { command: `make ${at}` }),
    answers(`c${at}`, filler),
    ...(at % 50 === 0 ? wrote("begin.", `part ${at}!`, "rest") : []),
  ];
  const file = openSync(path, "w");
  const lines = [user("go"), ...Array.from({ length: Math.ceil(bytes / filler.length) }, (_, at) => round(at)).flat()];
  for (const line of chained(lines)) writeSync(file, `${JSON.stringify({ ...line, sessionId: SESSION })}\n`);
  closeSync(file);
  // Quiet for an hour: nobody is writing.
  const at = Date.now() / 1000 - 3600;
  utimesSync(path, at, at);
  return lines.filter(({ type }) => type === "assistant").length;
}

test("from every place that is kept on the way, the rest gives the same", async () => {
  const root = join(folder, "places");
  const path = join(root, "-w", `${SESSION}.jsonl`);
  writeTranscript(path, 20 * MIB);
  const places: SavedFile[] = [];
  const whole: Attachment = new Attachment({
    folders: () => [root],
    passed: async () => {
      for (const { saved } of whole.takeUnsaved()) if (saved) places.push(JSON.parse(JSON.stringify(saved)));
    },
  });
  await whole.readNewest(10);
  const [view] = whole.sessions();
  expect(places.map(({ transcript }) => Math.floor(transcript.offset / MIB))).toEqual([7, 15, 20]);
  for (const saved of places) {
    const rest = new Attachment({ folders: () => [root], saved: new Map([[path, saved]]) });
    await rest.readNewest(10);
    expect(rest.sessions()).toEqual([view]);
  }
});

test("a process that is killed while it reads has kept its place, and the next one goes on there", async () => {
  const home = join(folder, "home");
  const path = join(home, ".claude", "projects", "-w", `${SESSION}.jsonl`);
  const size = sized(36, 530) * MIB;
  const total = writeTranscript(path, size);
  const environment = { PATH: process.env.PATH, HOME: home, MILEPOST_HOME: join(home, "milepost") };
  const died = spawnSync(process.execPath, ["--require", killerAt(size - 6 * MIB), command, "sessions"], {
    env: environment,
  });
  expect(died.signal).toBe("SIGKILL");
  const store = await openStore(join(home, "milepost", "milepost.db"), { projections: PROJECTIONS });
  const [reading] = await store.readings(hostname());
  await store.close();
  const { offset } = (JSON.parse(reading?.data ?? "{}") as SavedFile).transcript;
  // It lost no more than the bytes between two places.
  expect(offset).toBeGreaterThan(size - 15 * MIB);
  expect(offset).toBeLessThan(size - 6 * MIB);
  // Whoever began anew would read this.
  forge(path);
  const ran = await runOn(home, ["sessions", SESSION, "--json"]);
  expect(JSON.parse(ran.out).sessions).toMatchObject([{ id: SESSION, calls: { total, failed: 0 } }]);
});

/** A script for `node --require`: the process dies when it reads from this place of any file. */
function killerAt(place: number): string {
  const script = join(folder, "killer.cjs");
  writeFileSync(
    script,
    `require("node:fs/promises").open(__filename).then((handle) => {
      const file = Object.getPrototypeOf(handle);
      const { read } = file;
      file.read = function (buffer, offset, length, position) {
        if (position >= ${place}) process.kill(process.pid, "SIGKILL");
        return read.call(this, buffer, offset, length, position);
      };
      return handle.close();
    });`,
  );
  return script;
}

/** Makes the calls at the beginning something that no reader counts, and nothing of the file's size and time. */
function forge(path: string): void {
  const { mtime, atime } = statSync(path);
  const file = openSync(path, "r+");
  const beginning = Buffer.alloc(MIB);
  readSync(file, beginning, 0, MIB, 0);
  const forged = beginning.toString("latin1").replaceAll('"type":"tool_use"', '"type":"tool_non"');
  writeSync(file, Buffer.from(forged, "latin1"), 0, MIB, 0);
  closeSync(file);
  utimesSync(path, atime, mtime);
}
