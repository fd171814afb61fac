import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { edit, HookedAgent, read, type ToldAgent, ToldWorld, times, WrittenAgent } from "./told-agent.js";

// Work that looks like a loop and is none, through the built command; and who is told where it is one.

const root = mkdtempSync(join(tmpdir(), "milepost-honest-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Tell = (agent: ToldAgent, another: () => ToldAgent) => void;

/** Names of the alerts of a story that nobody has to be told of. */
function restored({ name, story, silence = 0 }: Honest): readonly string[] {
  const world = new ToldWorld(join(root, name.replaceAll(" ", "-")));
  const [agent, other] = [new WrittenAgent(world, "s1"), new WrittenAgent(world, "s2")];
  other.prompt();
  agent.prompt();
  story(agent, () => other);
  agent.wait(silence);
  const paths = [agent.path, other.path];
  return ["s1", "s2"].flatMap((id) => world.alertsIn(["restore", ...paths], id).map(({ detector }) => detector));
}

interface Honest {
  readonly name: string;
  readonly story: Tell;
  /** Minutes in which nothing is heard after it. */
  readonly silence?: number;
  /** What is found all the same, in the one session and in the other. */
  readonly found: readonly string[];
}

const HONEST: readonly Honest[] = [
  {
    name: "both are told of a file that two sessions change",
    found: ["same-file", "same-file"],
    story: (agent, another) => {
      edit(agent, "/app/a.ts");
      edit(another(), "/app/a.ts");
    },
  },
  {
    name: "one session after the other",
    found: [],
    story: (agent, another) => {
      edit(agent, "/app/a.ts");
      agent.wait(31);
      edit(another(), "/app/a.ts");
    },
  },
  {
    name: "a sub-agent changes the files of its session",
    found: [],
    story: (agent) => {
      agent.startAgent((child) => edit(child, "/app/a.ts"));
      edit(agent, "/app/a.ts");
    },
  },
  {
    name: "a sub-agent that has said its last word",
    found: [],
    story: (agent) => agent.startAgent((child) => child.stop("Done.")),
    silence: 16,
  },
  {
    name: "a session that no longer waits for its sub-agent",
    found: [],
    story: (agent) => {
      agent.startAgent();
      agent.stop("I go on without it.");
    },
    silence: 16,
  },
  {
    name: "a lease that is renewed by work",
    found: [],
    story: (agent) => {
      agent.claim();
      times(4, (at) => {
        agent.wait(5);
        read(agent, `/app/${at}.ts`);
      });
    },
  },
  {
    name: "a plan of tasks that wait for each other",
    found: [],
    story: planTasks,
  },
];

function planTasks(agent: ToldAgent): void {
  const created = (id: number) => `Task #${id} created successfully: Part ${id}`;
  times(6, (at) => agent.call("TaskCreate", { subject: `Part ${at + 1}`, description: "a" }, created(at + 1)));
  const linked = (id: number) => `Updated task #${id} blockedBy`;
  times(5, (at) => agent.call("TaskUpdate", { taskId: `${at + 2}`, addBlockedBy: [`${at + 1}`] }, linked(at + 2)));
}

describe("restore", () => {
  test.each(HONEST)("$name", (row) => {
    expect(restored(row)).toEqual(row.found);
  });
});

test("hooks: a plan of tasks that wait for each other", () => {
  const world = new ToldWorld(join(root, "hooks"));
  const agent = new HookedAgent(world, "s1");
  agent.prompt();
  planTasks(agent);
  expect(world.alertsIn(["sessions", "--all"], "s1")).toEqual([]);
});
