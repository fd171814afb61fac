import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { FollowedFile } from "../src/app/transcripts/follow/followed-file.js";
import { restore } from "../src/app/transcripts/restore-sessions.js";
import { AgentWriting, type FormatName } from "./follow/agent-writing.js";
import { ChangeLog, Following, freshly, Looking } from "./follow/follower.js";
import { type Random, randomFrom } from "./random.js";
import { SEED, sized } from "./sizes.js";

// A transcript that is truncated, replaced, rotated or half-written while it is followed: nothing is lost or repeated.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-follow-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let worlds = 0;

const UUID = "0199ab12-5790-73b1-91f9-00000000000";
const nameOf = (format: FormatName, n: number) =>
  format === "claude" ? `s${n}.jsonl` : `rollout-2026-01-02T03-04-05-${UUID}${n}.jsonl`;
const sessionOf = (format: FormatName, n: number) => (format === "claude" ? `s${n}` : `${UUID}${n}`);

/** A folder, agents that write in it, and somebody who follows it. */
class World {
  readonly root = join(folder, `${++worlds}`);
  readonly agents: AgentWriting[] = [];
  readonly #format: FormatName;
  readonly follower: Looking | Following;
  /** What somebody would have seen who reads all there is at every look. */
  readonly expected = new ChangeLog();

  constructor(format: FormatName, Follower: typeof Looking | typeof Following) {
    this.#format = format;
    mkdirSync(join(this.root, "project"), { recursive: true });
    this.follower = new Follower(this.root);
  }

  agent(project = "project"): AgentWriting {
    const n = this.agents.length;
    const path = join(this.root, project, nameOf(this.#format, n));
    const agent = new AgentWriting(this.#format, path, sessionOf(this.#format, n));
    this.agents.push(agent);
    return agent;
  }

  async look(isLive = true): Promise<void> {
    for (const agent of this.agents) agent.looked();
    const fresh = freshly(this.agents);
    this.expected.look(fresh);
    const seen = await this.follower.look(isLive, fresh, this.expected.lines);
    expect(seen).toEqual(fresh);
    expect(this.follower.log.lines).toEqual(this.expected.lines);
  }
}

type Scenario = (world: World, agent: AgentWriting) => Promise<void>;

/** Each step between two looks happens at once: nobody sees half of it. */
const scenarios: Readonly<Record<string, Scenario>> = {
  "appended line by line": async (world, agent) => {
    for (let line = 0; line < 30; line += 1) {
      agent.append();
      await world.look();
    }
  },
  "appended in odd pieces that cut lines and characters": async (world, agent) => {
    for (const size of [1, 2, 3, 5, 64, 65, 700, 7, 1, 1, 300, 33, 1500, 2, 2, 2, 999, 4000, 13]) {
      agent.appendBytes(size);
      await world.look();
    }
  },
  "cut in every byte of a line that is not ASCII": async (world, agent) => {
    agent.append(1);
    await world.look();
    for (let byte = 0; byte < 60; byte += 1) {
      agent.appendBytes(byte === 0 ? 330 : 1);
      await world.look();
    }
  },
  "half a line is taken back and written anew": async (world, agent) => {
    agent.append(3);
    for (const [half, anew] of [
      [200, 150],
      [300, 301],
      [400, 1200],
      [250, 250],
    ] as const) {
      agent.appendBytes(half);
      await world.look();
      agent.takeBack();
      agent.appendBytes(anew);
      await world.look();
      agent.append(2);
      await world.look();
    }
  },
  "truncated to nothing and written again": async (world, agent) => {
    agent.append(10);
    await world.look();
    agent.rewrite();
    await world.look();
    agent.rewrite();
    agent.append(3);
    await world.look();
    agent.truncate(0);
    await world.look();
    agent.append(20);
    await world.look();
  },
  "truncated in the middle and gone on with": async (world, agent) => {
    agent.append(12);
    await world.look();
    agent.truncate(5);
    await world.look();
    agent.append(2);
    await world.look();
    agent.truncate(4);
    agent.append(20);
    await world.look();
    agent.append(1);
    await world.look();
  },
  "replaced by a longer file, a shorter one, and one of the same size": async (world, agent) => {
    agent.append(12);
    await world.look();
    agent.replace();
    agent.append(5);
    await world.look();
    agent.replace(4);
    await world.look();
    agent.append(4);
    await world.look();
    agent.replaceAlike();
    await world.look();
    agent.append(14);
    await world.look();
  },
  "rotated, and gone on with in a new file": async (world, agent) => {
    agent.append(6);
    await world.look();
    agent.moveAway();
    agent.create();
    agent.append(5);
    await world.look();
    agent.append(5);
    await world.look();
    agent.moveAway();
    agent.create();
    agent.append(9);
    await world.look();
  },
  "rotated after more was appended, in the middle of a line": async (world, agent) => {
    agent.append(4);
    agent.appendBytes(333);
    await world.look();
    agent.append(3);
    agent.moveAway();
    agent.appendToMoved();
    agent.create();
    agent.append(1);
    await world.look();
    agent.append(7);
    await world.look();
  },
  "rotated, and looked at before the new file is there": async (world, agent) => {
    agent.append(6);
    await world.look();
    agent.moveAway();
    await world.look();
    agent.appendToMoved();
    agent.create();
    await world.look();
    agent.append(5);
    await world.look();
  },
  "rotated before it could be told what it is": async (world, agent) => {
    agent.appendBytes(40);
    await world.look();
    agent.append(6);
    agent.moveAway();
    agent.create();
    agent.append(3);
    await world.look();
  },
  "rotated while nobody looked": async (world, agent) => {
    agent.append(6);
    await world.look();
    await world.follower.restart();
    agent.append(1);
    agent.moveAway();
    agent.create();
    agent.append(3);
    await world.look();
    await world.follower.restart();
    agent.append(8);
    await world.look();
  },
  "deleted and made anew": async (world, agent) => {
    agent.append(9);
    await world.look();
    agent.remove();
    agent.append(3);
    await world.look();
    agent.remove();
    await world.look();
    agent.append(12);
    await world.look();
  },
  "a new project with a new session": async (world, agent) => {
    agent.append(3);
    await world.look();
    const other = world.agent("another/2026/01");
    other.append(4);
    await world.look();
    other.append(4);
    agent.append(4);
    await world.look();
  },
  "a project that is removed and made again": async (world, agent) => {
    agent.append(1);
    const other = world.agent("another");
    other.append(4);
    await world.look();
    other.remove();
    rmSync(join(world.root, "another"), { recursive: true });
    await world.look();
    other.append(2);
    await world.look();
    for (let line = 0; line < 5; line += 1) {
      other.append(1);
      await world.look();
    }
  },
  "goes on growing over restarts from what was saved": async (world, agent) => {
    for (const size of [300, 500, 1200, 40, 2, 3000, 700, 700]) {
      agent.appendBytes(size);
      await world.look();
      await world.follower.restart();
      agent.appendBytes(size);
      await world.look(false);
    }
  },
};

// Who follows waits most of the time, each in a world of its own.
for (const format of ["claude", "codex"] as const)
  for (const Follower of [Looking, Following])
    describe(`${format}, ${Follower === Looking ? "looked at" : "followed"}`, {
      concurrent: Follower === Following,
    }, () => {
      test.each(Object.entries(scenarios))("%s", async (_, scenario) => {
        const world = new World(format, Follower);
        try {
          const agent = world.agent();
          await scenario(world, agent);
          // So long that every todo was moved on, and whole to the last line.
          agent.append(14);
          await world.look();
          await expectRestored(world);
        } finally {
          await world.follower.end();
        }
      });

      test("each transition is told exactly once", async () => {
        const world = new World(format, Follower);
        const agent = world.agent();
        for (let line = 0; line < 43; line += 1) {
          if (line % 7 === 3) agent.rewrite();
          if (line % 11 === 5) {
            agent.moveAway();
            agent.create();
          }
          if (line % 13 === 6) await world.follower.restart();
          agent.appendBytes(200);
          await world.look();
          agent.append(1);
          await world.look();
        }
        await world.follower.end();
        const { lines } = world.follower.log;
        expect(new Set(lines).size).toBe(lines.length - lines.filter((line) => line.endsWith("compacted")).length + 1);
        expect(lines.filter((line) => line.includes("pending -> in_progress")).length).toBeGreaterThanOrEqual(3);
      });
    });

/** The command says the same of the files that are there. */
async function expectRestored(world: World): Promise<void> {
  for (const agent of world.agents.filter(({ isThere, parts }) => isThere && parts.length === 1)) {
    const restored = await restore([agent.path], undefined);
    const views = restored.ok ? restored.value.sessions.map(({ view }) => view) : [];
    const [fresh] = freshly([agent]).values();
    expect(JSON.parse(JSON.stringify(views))).toEqual([fresh?.view]);
  }
}

describe("whose bytes they are", () => {
  test("another session's file that has the number of the old one is not taken for it", async () => {
    const world = new World("claude", Looking);
    const [agent, other] = [world.agent(), world.agent()];
    agent.append(8);
    await world.look();
    // The system gives the number of a file that is gone to the next one that is made.
    renameSync(agent.path, other.path);
    writeFileSync(other.path, "");
    other.append(20);
    agent.remove();
    agent.append(5);
    await world.look();
  });

  test("a long line that was taken back, and another that goes on alike", async () => {
    const path = join(folder, "long.jsonl");
    const line = (uuid: string, words: string) =>
      JSON.stringify({ type: "user", sessionId: "s1", uuid, message: { role: "user", content: words } });
    const [first, second] = [line("u1", "go"), line("u2", "on".repeat(20_000))];
    const file = new FollowedFile(path);
    writeFileSync(path, `${first}\n${second.slice(0, 20_000)}`);
    await file.catchUp();
    expect(file.views).toMatchObject([{ turns: 1 }]);
    // Not a person's words, and only its beginning says so.
    writeFileSync(path, `${first}\n${second.replace('"user"', '"none"')}\n`);
    await file.catchUp();
    expect(file.views).toMatchObject([{ turns: 1 }]);
  });

  test("a sub-agent in a new folder", async () => {
    const world = new World("claude", Following);
    const agent = world.agent();
    agent.append(4);
    await world.look();
    const path = join(world.root, "project", "s0", "subagents", "agent-a1.jsonl");
    const helper = new AgentWriting("claude", path, "s0", "a1");
    world.agents.push(helper);
    helper.append(3);
    await world.look();
    helper.append(9);
    agent.append(2);
    await world.look();
    await world.follower.end();
    expect([...freshly(world.agents).keys()]).toEqual(["s0", "s0/a1"]);
  });
});

describe("folders that come while others are looked at", () => {
  test("no session in them is overlooked", async () => {
    const world = new World("claude", Following);
    world.agent().append(1);
    await world.look();
    const line = JSON.stringify({ type: "user", sessionId: "X", uuid: "u", message: { role: "user", content: "go" } });
    // Another process: nothing here can keep it from writing while folders are being listed.
    const script = `const { mkdirSync, appendFileSync } = require("node:fs");
      for (let n = 0; n < 150; n += 1) {
        const folder = process.argv[1] + "/made" + n + "/2026/01";
        mkdirSync(folder, { recursive: true });
        appendFileSync(folder + "/x" + n + ".jsonl", process.argv[2].replace("X", "x" + n) + "\\n");
      }`;
    const child = spawn(process.execPath, ["-e", script, world.root, line]);
    const ids = () => new Set(world.follower.log.lines.map((text) => text.split(" ")[0]));
    // Sooner than everything is looked at anyway.
    for (const end = Date.now() + 5000; ids().size < 151 && Date.now() < end; ) await sleep(10);
    await world.follower.end();
    expect([child.exitCode, ids().size]).toEqual([0, 151]);
  });
});

const STEPS = 200;
const SEEDS = Array.from({ length: sized(2, 50) }, (_, at) => SEED + at + 1);

describe.each(["claude", "codex"] as const)("%s: anything at any time", (format) => {
  test.each(SEEDS)(`${STEPS} random steps, seed %i`, async (seed) => {
    const random = randomFrom(seed);
    const world = new World(format, Looking);
    world.agent().append();
    for (let step = 0; step < STEPS; step += 1) {
      const agent = random.pick(world.agents);
      await randomStep(world, agent, random);
    }
    for (const agent of world.agents) agent.append(1);
    await world.look();
    await expectRestored(world);
  });
});

async function randomStep(world: World, agent: AgentWriting, random: Random): Promise<void> {
  if (!agent.isThere) {
    agent.append(random.below(3) + 1);
    return;
  }
  const steps: readonly (() => Promise<void> | void)[] = [
    () => agent.append(random.below(6)),
    () => agent.append(1),
    () => agent.appendBytes(random.below(900)),
    () => agent.appendBytes(random.below(9)),
    () => agent.takeBack(),
    () => {
      agent.takeBack();
      agent.appendBytes(random.below(900));
    },
    () => agent.rewrite(),
    () => agent.truncate(random.below(agent.lines + 1)),
    () => {
      agent.truncate(random.below(agent.lines + 1));
      agent.append(random.below(20));
    },
    () => agent.replace(random.below(agent.lines + 1)),
    () => {
      agent.replace();
      agent.append(random.below(4));
    },
    () => agent.replaceAlike(),
    () => agent.remove(),
    () => rotate(world, agent, random),
    () => {
      if (world.agents.length < 6) world.agent(`project${random.below(3)}/x`).append(random.below(9) + 1);
    },
    () => world.look(random.below(2) === 0),
    () => world.look(),
    () => world.look(),
    async () => {
      await world.look();
      await world.follower.restart();
    },
    () => world.follower.restart(),
  ];
  await random.pick(steps)();
}

/** A file that was looked at is moved away; what was appended since is in it, and perhaps what is appended later. */
async function rotate(world: World, agent: AgentWriting, random: Random): Promise<void> {
  await world.look();
  agent.appendBytes(random.below(2) * random.below(900));
  agent.moveAway();
  if (random.below(2) === 0) await world.look();
  if (random.below(2) === 0) agent.appendToMoved();
  agent.create();
  agent.append(random.below(4) + 1);
  await world.look();
}
