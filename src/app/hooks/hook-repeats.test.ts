import { describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { append } from "../../store/event-store.js";
import { sessionEvent } from "../session/session-view.js";
import { DEFAULT_SETTINGS } from "../settings.js";

type Client = Awaited<ReturnType<typeof client>>;
type Told = readonly [event: string, fields?: object];

const TURN = { prompt_id: "p1" };
const stop = (last_assistant_message: string, stop_hook_active = false): Told => [
  "Stop",
  { ...TURN, last_assistant_message, stop_hook_active },
];
const batch = (call: string, tool_name = "Bash", more: object = {}): Told => [
  "PostToolBatch",
  { ...TURN, tool_calls: [{ tool_name, tool_input: {}, tool_use_id: call, tool_response: "ok", ...more }] },
];
const ask: Told = ["PermissionRequest", { ...TURN, tool_name: "Bash", tool_input: { command: "rm x" } }];
const agent = { ...TURN, agent_id: "a1", agent_type: "x" };
const begin: Told = ["SubagentStart", agent];
const finish: Told = ["SubagentStop", { ...agent, last_assistant_message: "Found." }];
const start = (source: string): Told => ["SessionStart", { source }];
const end: Told = ["SessionEnd", { reason: "other" }];
const prompt = (prompt_id: string, text = "go on"): Told => ["UserPromptSubmit", { prompt_id, prompt: text }];
const codex = (event: string, fields: object = {}): Told => [event, { turn_id: "t1", ...fields }];
const call = (tool_use_id: string): Told => codex("PostToolUse", { tool_name: "Bash", tool_use_id });

async function tell({ hook }: Client, ...hooks: readonly Told[]): Promise<void> {
  for (const [event, fields] of hooks) await hook(event, fields);
}

const typesOf = async ({ events }: Client, types: readonly string[]) =>
  (await events()).map(({ type }) => type).filter((type) => types.includes(type));

describe("what really happens again counts again", () => {
  test.each<[string, string, number, readonly Told[]]>([
    ["the same prompt typed twice", "turn.started", 2, [prompt("p1"), prompt("p2")]],
    ["another prompt typed in the same turn", "turn.started", 2, [prompt("p1"), prompt("p1", "and faster")]],
    ["a second stop of one turn", "turn.ended", 2, [stop("Done."), stop("Done.", true)]],
    ["a stop with the same words after work", "turn.ended", 2, [stop("Done.", true), batch("c1"), stop("Done.", true)]],
    [
      "a stop with the same words after it was woken",
      "turn.ended",
      2,
      [stop("I wait."), ["UserPromptSubmit", { prompt_id: "p2", prompt: "x", source: "system" }], stop("I wait.")],
    ],
    ["the same question after the work went on", "person.awaited", 2, [ask, batch("c1"), ask]],
    ["an agent that is resumed", "agent.started", 2, [begin, finish, begin]],
    ["a resumed agent that says the same", "agent.ended", 2, [begin, finish, begin, finish]],
    ["a compaction after a reply", "session.started", 2, [start("compact"), batch("c1"), start("compact")]],
    ["a session that is resumed again", "session.started", 2, [start("resume"), end, start("resume")]],
    ["a session that ends again", "session.ended", 2, [start("startup"), end, start("resume"), end]],
    [
      "a second compaction in one turn",
      "compaction.started",
      2,
      [codex("PreCompact", { trigger: "auto" }), call("c1"), codex("PreCompact", { trigger: "auto" })],
    ],
  ])("%s", async (_, type, times, hooks) => {
    const one = await client();
    await tell(one, ...hooks);
    expect(await typesOf(one, [type])).toHaveLength(times);
    // And each of them once, when all of it is told twice.
    const two = await client();
    await tell(two, ...hooks.flatMap((told) => [told, told]));
    expect(await typesOf(two, [type])).toHaveLength(times);
  });

  test("a model is asked once at a stop that is told twice, and has not stopped", async () => {
    const one = await client({ ...DEFAULT_SETTINGS, reminders: { ...DEFAULT_SETTINGS.reminders, asksAbout: "any" } });
    await tell(one, prompt("p1"));
    await one.todo({ add: ["Fix"] });
    const said = await Promise.all([stop("Done."), stop("Done.")].map(([event, fields]) => one.said(event, fields)));
    expect(said.filter(Boolean)).toHaveLength(1);
    expect((await one.session()).state).toBe("running");
    await tell(one, stop("Done.", true), stop("Done.", true));
    expect((await one.session()).state).toBe("idle");
    expect(await typesOf(one, ["turn.ended"])).toHaveLength(1);
  });
});

describe("a second report that comes late", () => {
  const write = (call: string, text: string): Told => [
    "PostToolUse",
    { ...TURN, tool_name: "TodoWrite", tool_use_id: call, tool_input: { todos: [todo(text)] }, tool_response: {} },
  ];
  const todo = (content: string) => ({ content, status: "in_progress", activeForm: content });

  test("of a list that was written anew since changes nothing, also where the first changed nothing", async () => {
    const one = await client();
    await tell(one, write("c1", "A"), write("c2", "A"), write("c3", "B"), write("c2", "A"), write("c1", "A"));
    expect(await one.open()).toEqual(["in_progress B"]);
    expect((await one.session()).clientList?.tool).toBe("TodoWrite");
  });

  test("of a look at tasks that changed since changes nothing", async () => {
    const one = await client();
    const use = (tool_name: string, tool_use_id: string, tool_input: object, tool_response: object): Told => [
      "PostToolUse",
      { ...TURN, tool_name, tool_use_id, tool_input, tool_response },
    ];
    const look = use("TaskList", "c2", {}, { tasks: [{ id: "1", subject: "T", status: "pending", blockedBy: [] }] });
    await tell(one, use("TaskCreate", "c1", { subject: "T" }, { task: { id: "1", subject: "T" } }), look);
    await tell(
      one,
      use("TaskUpdate", "c3", { taskId: "1", status: "completed" }, { success: true, taskId: "1" }),
      look,
    );
    expect((await one.session()).clientList?.tasks).toMatchObject([{ id: "1", status: "completed" }]);
    expect(await typesOf(one, ["client-tasks.seen"])).toEqual([]);
  });

  test("of a prompt that brought a word leaves the same word that was told again", async () => {
    const one = await client();
    await tell(one, prompt("p0"));
    const told = [1, 2].map(() => sessionEvent({ type: "word.told", text: "faster" }));
    const queued = [1, 2].map(() => sessionEvent({ type: "word.queued", word: 0 }));
    await one.store.commit(append([{ stream: "session:s1", events: [...told, ...queued] }]));
    await tell(one, prompt("p1", "faster"), prompt("p1", "faster"));
    expect((await one.session()).queued).toHaveLength(1);
  });
});

test("the end of a session that nobody has heard of is nothing", async () => {
  const one = await client();
  await tell(one, end, end);
  expect(await one.events()).toEqual([]);
});

describe("starts", () => {
  test("two reports of a cleared session at the same time: one offer", async () => {
    const one = await client();
    await tell(one, start("startup"));
    await one.todo({ add: ["Fix"] });
    await tell(one, ["SessionEnd", { reason: "clear" }]);
    const cleared = [1, 2].map(() => one.said("SessionStart", { source: "clear", session_id: "s2" }));
    expect((await Promise.all(cleared)).filter((text) => text.includes("Fix"))).toHaveLength(1);
    expect(await typesOf(one, ["list.offered"])).toEqual(["list.offered"]);
  });

  test("two reports of a digest at the same time: one digest; another process has its own", async () => {
    const one = await client();
    await one.todo({ add: ["Fix"] });
    const resumed = ["m:7", "m:7", "m:8"].map((process) => one.said("SessionStart", { source: "resume" }, process));
    expect((await Promise.all(resumed)).filter((text) => text.includes("Fix"))).toHaveLength(2);
  });
});
