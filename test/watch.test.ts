import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { AgentWriting } from "./follow/agent-writing.js";
import { bin, clean, command } from "./hook-process.js";

// `milepost watch --follow` as a person runs it: a real process beside an agent that writes.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-watch-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MILEPOST_HOME = join(folder, "home");
const environment = clean({ MILEPOST_HOME, HOME: folder, XDG_CONFIG_HOME: join(folder, "none") });
const project = join(folder, ".claude", "projects", "-home-dev-app");

/** The limit is 500 ms; a busy machine may take ten times as long. */
const VISIBLE_MS = 5000;

class Watching {
  readonly #process: ChildProcessWithoutNullStreams;
  out = "";
  err = "";

  constructor() {
    this.#process = spawn(process.execPath, [bin, "watch", "--follow", "--json"], { env: environment });
    this.#process.stdout.on("data", (chunk) => {
      this.out += chunk;
    });
    this.#process.stderr.on("data", (chunk) => {
      this.err += chunk;
    });
  }

  get lines(): readonly { readonly text: string; readonly session: string }[] {
    return this.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  get texts(): readonly string[] {
    return this.lines.map(({ text }) => text);
  }

  async until(text: string, within = VISIBLE_MS): Promise<number> {
    const start = Date.now();
    while (!this.texts.some((one) => one.includes(text))) {
      if (Date.now() - start > within) throw new Error(`No "${text}" in ${this.out}${this.err}`);
      await sleep(10);
    }
    return Date.now() - start;
  }

  async end(): Promise<number | null> {
    this.#process.kill("SIGINT");
    const [code] = await once(this.#process, "exit");
    return code as number | null;
  }
}

/** It has to be watching before it can be late. One that was there when it started is not new, so there may be several. */
async function untilNewOneIsSeen(watching: Watching, name: string): Promise<readonly AgentWriting[]> {
  const newer: AgentWriting[] = [];
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const session = `${name}${newer.length}`;
    const agent = new AgentWriting("claude", join(project, `${session}.jsonl`), session);
    newer.push(agent);
    agent.append(1);
    await watching.until("new -> running", 500).catch(() => undefined);
    if (watching.texts.some((text) => text.includes("new -> running"))) return newer;
  }
  throw new Error(`Nothing is seen: ${watching.out}${watching.err}`);
}

async function readings() {
  const milepost = await openMilepost({ environment });
  try {
    return await milepost.store.readings(hostname());
  } finally {
    await milepost.close();
  }
}

test("an append is seen in time, each transition is told once, and Ctrl+C keeps what was read", async () => {
  const agent = new AgentWriting("claude", join(project, "s1.jsonl"), "s1");
  const quiet = new AgentWriting("claude", join(project, "s2.jsonl"), "s2");
  quiet.append(14);
  agent.append(1);
  const watching = new Watching();
  const newer = await untilNewOneIsSeen(watching, "n");

  agent.append(2);
  await watching.until('Todo "äs1.0": new -> in_progress');
  agent.appendBytes(150);
  agent.append(3);
  await watching.until('Todo "бs1.0": pending -> in_progress');
  agent.moveAway();
  agent.create();
  agent.append(6);
  await watching.until('Todo "🚀s1.0": new -> in_progress');
  agent.append(1);
  agent.rewrite();
  agent.append(3);
  await watching.until('Todo "äs1.1": new -> in_progress');

  expect(await watching.end()).toBe(0);
  expect(watching.err).toBe("");
  const told = watching.lines.filter(({ session }) => session === "s1").map(({ text }) => text);
  expect(told.filter((text) => text.startsWith("Todo"))).toEqual(
    [...new Set(told)].filter((text) => text.startsWith("Todo")),
  );
  expect(told).toEqual([
    'Todo "бs1.0": new -> pending',
    'Todo "äs1.0": new -> in_progress',
    expect.stringMatching(/^Todo "äs1.0": in_progress -> completed {2}\S \w+$/),
    'Todo "бs1.0": pending -> in_progress',
    "Context compacted",
    expect.stringMatching(/^Todo "бs1.0": in_progress -> completed {2}\S \w+$/),
    'Todo "🚀s1.0": new -> in_progress',
    expect.stringContaining("removed"),
    expect.stringContaining("removed"),
    expect.stringContaining("removed"),
    'Todo "бs1.1": new -> pending',
    'Todo "äs1.1": new -> in_progress',
  ]);

  // The next one goes on from there: what was read is not read again, so nobody notices that it says something else now.
  const kept = await readings();
  expect(kept.map(({ path }) => path).sort()).toEqual([agent, quiet, ...newer].map(({ path }) => path).sort());
  const { atimeMs, mtimeMs } = statSync(quiet.path);
  writeFileSync(quiet.path, readFileSync(quiet.path, "utf8").replaceAll("ä", "ö"));
  // A Date would round it to the next millisecond.
  utimesSync(quiet.path, atimeMs / 1000, (Math.floor(mtimeMs) + 0.5) / 1000);
  const again = JSON.parse(command(["sessions", "--json"], "", environment).out);
  const ids = ["s1", "s2", ...newer.map(({ session }) => session)];
  expect(again.sessions.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
  expect(JSON.stringify(again)).toContain("äs2.0");
  expect(JSON.stringify(again)).not.toContain("ös2.0");
  expect(await readings()).toEqual(kept);

  const restarted = new Watching();
  agent.append(2);
  await untilNewOneIsSeen(restarted, "t");
  agent.append(2);
  await restarted.until('Todo "бs1.1": pending -> in_progress', 20_000);
  expect(await restarted.end()).toBe(0);
  expect(restarted.texts.filter((text) => text.startsWith("Todo"))).toHaveLength(2);
}, 90_000);
