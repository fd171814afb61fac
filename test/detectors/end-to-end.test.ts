import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DETECTORS } from "../../src/core/detectors/detector-table.js";
import {
  edit,
  HookedAgent,
  read,
  type SeenAlert,
  search,
  type ToldAgent,
  ToldWorld,
  times,
  WrittenAgent,
} from "./told-agent.js";

// Every detector through the built command: as hooks tell a session, and as its transcript does.

interface Row {
  readonly detector: string;
  /** `another`: a second session on the same machine. */
  readonly story: (agent: ToldAgent, another: () => ToldAgent) => void;
  /** Minutes in which nothing is heard after it. */
  readonly silence?: number;
  /** A file tells of the silence by what comes after it, and then it is over. */
  readonly isOver?: true;
}

const ROWS: readonly Row[] = [
  { detector: "same-outcome", story: (agent) => times(3, () => search(agent)) },
  {
    detector: "same-error",
    story: (agent) =>
      times(2, () => agent.call("Bash", { command: "node a.mjs" }, "Exit code 1\nError: a is not defined", true)),
  },
  {
    detector: "cycle",
    story: (agent) =>
      times(3, () => {
        read(agent, "/app/a.ts");
        read(agent, "/app/b.ts");
      }),
  },
  {
    detector: "argument-churn",
    story: (agent) =>
      times(4, (at) => agent.call("Bash", { command: `deploy --zone ${at}` }, "Exit code 1\nNot logged in", true)),
  },
  {
    detector: "unknown-tool",
    story: (agent) =>
      times(3, (at) => agent.call("open_browser", { tab: at }, "Error: No such tool available: open_browser", true)),
  },
  {
    detector: "failing-edits",
    story: (agent) =>
      times(4, (at) => {
        const input = { file_path: "/app/a.ts", old_string: `old ${at}`, new_string: "new" };
        agent.call("Edit", input, `String to replace not found in file.\nString: old ${at}`, true);
      }),
  },
  {
    detector: "after-compaction",
    story: (agent) => {
      search(agent);
      agent.compacted();
      times(3, () => search(agent));
    },
  },
  {
    detector: "polling",
    story: (agent) =>
      times(3, () => {
        agent.call("BashOutput", { bash_id: "b1" }, "compiling 17 of 80");
        agent.wait(6);
      }),
  },
  { detector: "list-churn", story: (agent) => times(4, () => agent.todos("pending", "pending")) },
  {
    detector: "same-words",
    story: (agent) => {
      agent.stop("I have done all that I can.");
      times(2, () => agent.sentOn("I have done all that I can."));
    },
  },
  {
    detector: "goal-again",
    story: (agent) => {
      agent.stop("I have done a part.");
      times(3, (at) => agent.sentOn(`I have done part ${at}.`));
    },
  },
  {
    detector: "stalled-todo",
    story: (agent) => {
      agent.todos("in_progress", "pending");
      search(agent);
    },
    silence: 11,
  },
  {
    detector: "idle-with-open",
    story: (agent) => {
      agent.todos("pending", "pending");
      agent.stop("That is all for today.");
    },
    silence: 31,
    isOver: true,
  },
  { detector: "silent-child", story: (agent) => agent.startAgent(), silence: 16 },
  {
    detector: "lease-not-renewed",
    story: (agent) => {
      agent.claim();
      agent.wait(12);
      search(agent);
    },
  },
  {
    detector: "same-file",
    story: (agent, another) => {
      edit(agent, "/app/a.ts");
      const other = another();
      other.prompt();
      edit(other, "/app/a.ts");
      read(agent, "/app/a.ts");
    },
  },
];

test("every detector has a row", () => {
  expect(ROWS.map(({ detector }) => detector)).toEqual(DETECTORS.map(({ name }) => name));
});

const root = mkdtempSync(join(tmpdir(), "milepost-end-to-end-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const worldFor = (name: string, settings?: NodeJS.ProcessEnv) => new ToldWorld(join(root, name), settings);

function tell({ story, silence = 0 }: Row, agent: ToldAgent, another: () => ToldAgent): void {
  agent.prompt();
  story(agent, another);
  agent.wait(silence);
}

describe("hooks", () => {
  test.each(ROWS)("$detector", (row) => {
    const world = worldFor(`${row.detector}-hooks`);
    const agent = new HookedAgent(world, "s1");
    tell(row, agent, () => new HookedAgent(world, "s2"));
    if (row.silence !== undefined) world.watch();
    const [message = "nothing", ...others] = world.raised(row.detector, "s1");
    expect([message, ...others]).toEqual([expect.stringMatching(/\.$/)]);
    expect(world.alertsIn(["sessions", "--all"], "s1")).toContainEqual(
      expect.objectContaining({ detector: row.detector, message }),
    );
    // What was found while nobody could be told is said with the next prompt, and never again.
    times(2, () => agent.prompt());
    expect(agent.heard(message)).toBe(1);
  });
});

describe("restore", () => {
  test.each(ROWS)("$detector", (row) => {
    const world = worldFor(`${row.detector}-written`);
    const agent = new WrittenAgent(world, "s1");
    const paths = [agent.path];
    tell(row, agent, () => {
      const other = new WrittenAgent(world, "s2");
      paths.push(other.path);
      return other;
    });
    if (row.isOver) agent.prompt();
    const found = world.alertsIn(["restore", ...paths], "s1").filter(({ detector }) => detector === row.detector);
    const { isOver = false } = row;
    expect(found).toEqual([expect.objectContaining({ isOver, message: expect.stringMatching(/\.$/) })]);
  });
});

const LOOP: Row = { detector: "openclaw/generic_repeat", story: (agent) => times(12, () => search(agent)) };

describe("OpenClaw's detectors, where a person wants them", () => {
  const settings = { MILEPOST_DETECTORS_OPENCLAW: "on" };

  test("hooks", () => {
    const world = worldFor("openclaw-hooks", settings);
    const agent = new HookedAgent(world, "s1");
    tell(LOOP, agent, () => agent);
    const [message = "nothing"] = world.raised(LOOP.detector, "s1");
    expect(namesIn(world.alertsIn(["sessions", "--all"], "s1"))).toContain(LOOP.detector);
    times(2, () => agent.prompt());
    expect(agent.heard(message)).toBe(1);
  });

  test("restore", () => {
    const world = worldFor("openclaw-written", settings);
    const agent = new WrittenAgent(world, "s1");
    tell(LOOP, agent, () => agent);
    expect(namesIn(world.alertsIn(["restore", agent.path], "s1"))).toContain(LOOP.detector);
    expect(namesIn(worldFor("no-openclaw").alertsIn(["restore", agent.path], "s1"))).toEqual(["same-outcome"]);
  });
});

const namesIn = (alerts: readonly SeenAlert[]) => alerts.map(({ detector }) => detector);

test("where a person wants no detectors, nothing is found, said or shown", () => {
  const world = worldFor("off", { MILEPOST_DETECTORS: "off", MILEPOST_DETECTORS_OPENCLAW: "on" });
  const agent = new HookedAgent(world, "s1");
  tell(LOOP, agent, () => agent);
  const written = new WrittenAgent(world, "s2");
  tell(LOOP, written, () => written);
  expect(world.raised("same-outcome", "s1")).toEqual([]);
  expect(agent.heard("same answer")).toBe(0);
  for (const [command, session] of [
    [["sessions", "--all"], "s1"],
    [["watch"], "s1"],
    [["restore", written.path], "s2"],
  ] as const)
    expect([command, world.alertsIn(command, session)]).toEqual([command, []]);
});
