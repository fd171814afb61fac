import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { Observation } from "../../src/core/session/observation.js";
import { geminiSession } from "../../src/readers/gemini/gemini-session.js";
import { holdsGoldens, neverThrows, type Summary, saysTheSameWhenCut, transcriptsOf } from "./recorded.js";

// Recorded from Gemini CLI 0.61.0 with a scripted model. No session of anybody's.

const APP = { phase: "resting", place: "@", version: "", model: "gemini-2.5-flash", title: "Start the work." } as const;

const GEMINI: Readonly<Record<string, readonly Summary[]>> = {
  "0.61.0-compress": [
    {
      ...{ ...APP, turns: 3, calls: "2/0", tokens: 1_002_250, compactions: 2 },
      title:
        "Start the work. loader4367 reads5390. token5349 fails token. joins splits9422 parser1082 closes. index stream splits clo",
      todos: ["[~] Read the code"],
    },
  ],
  "0.61.0-shell-resume": [
    {
      ...{ ...APP, phase: "asking", place: "/home/dev/app@", turns: 2, calls: "5/3", tokens: 660 },
      todos: ["[~] Read", "[ ] Fix"],
    },
  ],
  "0.61.0-todos-resume": [{ ...APP, turns: 2, calls: "7/3", tokens: 990, todos: [] }],
};

const FIRST: JsonObject = { sessionId: "s1", projectHash: "h", startTime: "2026-06-01T10:00:00.000Z", kind: "main" };

describe("sessions of Gemini CLI", () => {
  holdsGoldens("gemini", GEMINI);

  const files = transcriptsOf("gemini");
  test("cut anywhere and gone on with later, it says the same", () => saysTheSameWhenCut("gemini", files));
  test("no record makes a reader throw, and going on later changes nothing", () =>
    neverThrows({ agent: "gemini", files, formats: [geminiSession], name: "session-x.jsonl", first: FIRST }));
});

function told(records: readonly JsonObject[], folder?: string): readonly Observation[] {
  const reader = geminiSession.open("session-x.jsonl", { folder });
  return records.flatMap((record) => reader.read(record));
}

const types = (records: readonly JsonObject[]) => told([FIRST, ...records]).map(({ type }) => type);
const user = (...texts: readonly string[]) => ({ id: "u1", type: "user", content: texts.map((text) => ({ text })) });
const reply = (more: JsonObject): JsonObject => ({ id: "g1", type: "gemini", content: "", ...more });
const call = (name: string, output: string, more: JsonObject = {}): JsonObject => ({
  ...{ id: `${name}_1`, name, args: {}, status: "success", timestamp: "2026-06-01T10:00:09.000Z" },
  result: [{ functionResponse: { id: `${name}_1`, name, response: { output } } }],
  ...more,
});

const TAKEN = { id: "g9", type: "gemini", content: [{ text: "Got it. Thanks for the additional context!" }] };
const UUID = "b42152e9-c1bb-44b3-bb8e-d3f5d942d97f";

test("a sub-agent's file lies in the folder of its session", () => {
  const [seen] = told([{ ...FIRST, kind: "subagent", directories: ["/app"] }], UUID);
  expect(seen).toMatchObject({ type: "session.seen", session: "s1", parent: UUID });
  for (const elsewhere of ["../x", "Downloads", ""])
    expect(told([{ ...FIRST, kind: "subagent" }], elsewhere)[0]).toMatchObject({ parent: undefined });
  expect(told([FIRST], "chats")[0]).toMatchObject({ parent: undefined });
});

const STARTED = ["turn.started", "title.given"];
test("a sub-agent ends with its answer, which is not its title", () => {
  const answer = call("complete_task", "Output submitted and task completed.");
  const refused = { ...call("complete_task", "x", { status: "error" }), id: "c0" };
  const records = [
    { ...FIRST, kind: "subagent" },
    user("Look."),
    reply({ toolCalls: [refused] }),
    reply({ id: "g2", toolCalls: [answer] }),
    { $set: { summary: '{"response":"x"}' } },
  ];
  const facts = told(records, UUID).filter(({ type }) => type === "title.given" || type === "turn.ended");
  expect(facts).toMatchObject([{ title: "Look." }, { type: "turn.ended", isAsking: false }]);
});

test.each<[string, JsonObject, string[]]>([
  ["a prompt", user("Go."), STARTED],
  ["what hooks said behind it", user("Go.", "<hook_context>x</hook_context>"), STARTED],
  ["what hooks said before it", user("<hook_context>x</hook_context>\n\nGo."), STARTED],
  ["only what hooks said", user("<hook_context>x</hook_context>"), []],
  ["what the model is told of the machine", user("<session_context>\nx"), []],
  ["a command of the client", user("/memory show"), []],
  ["its help", user("?"), []],
  ["a command of the person's own shell", user("I ran the following shell command:\n```sh\nls\n```\n"), []],
  ["what is open in an editor", user("Here is the user's editor context as a JSON object. {}"), []],
  ["a folder that was added", user("- **Workspace Directories:**\n  - /app\n"), []],
  ["the end of a plan", user("User has manually exited Plan Mode. Switching to Default mode."), []],
  ["what a sub-agent is to know", user("\n<loaded_context>\nx\n</loaded_context>", "Go."), STARTED],
  [
    "the last word to a sub-agent",
    user(
      "You have exceeded the time limit. You have one final chance to complete the task with a short grace period. You MUST",
    ),
    [],
  ],
  ["a word on a loop", user("System: Potential loop detected. Details: x"), []],
  ["a word on an empty answer", user("[System: You successfully executed a tool but returned an empty response.]"), []],
  ["a path", user("/tmp/x.log shows an error"), STARTED],
  ["a comment", user("// fix this"), STARTED],
  ["a question", user("?why does it fail"), STARTED],
  ["one part alone", { id: "u", type: "user", content: { text: "Go." } }, STARTED],
  ["answers of tools", { id: "u", type: "user", content: [{ functionResponse: { response: { output: "x" } } }] }, []],
  ["a note of the client", { id: "i", type: "info", content: "Updated." }, []],
  ["its summary for a list of sessions", { $set: { summary: "Tidy up" } }, ["title.given"]],
])("user and client: %s", (_, record, expected) => {
  expect(types([record]).slice(1)).toEqual(expected);
});

test("the title of a prompt is what a person typed", () => {
  const prompt = {
    ...user("<hook_context>x</hook_context>\n\nLook at @a\n--- a ---\nlong"),
    displayContent: "Look at @a",
  };
  expect(told([FIRST, prompt])).toContainEqual(expect.objectContaining({ type: "title.given", title: "Look at @a" }));
});

test("a reply that is written again tells each call and its tokens once; a call after its text opens the turn again", () => {
  const tokens = { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 };
  const first = reply({ content: "Looking.", tokens });
  const [a, b] = [call("read_file", "x"), call("glob", "y")];
  const again = [first, { ...first, toolCalls: [a] }, { ...first, toolCalls: [a, b] }, { ...first, tokens: null }];
  expect(types(again).slice(1)).toEqual([
    ...["tokens.used", "words.said", "turn.ended"],
    ...["call.started", "call.ended", "call.started", "call.ended"],
  ]);
});

const ends = (...records: readonly JsonObject[]) =>
  told([FIRST, ...records]).filter(({ type }) => type === "turn.ended");

test("who stops a call of a reply stops the turn, once", () => {
  const [done, stopped] = [call("glob", "x"), call("edit", "", { status: "cancelled" })];
  for (const toolCalls of [
    [done, stopped],
    [stopped, done],
  ])
    expect(ends(user("Go."), reply({ toolCalls }), reply({ toolCalls }))).toMatchObject([{ because: "interrupted" }]);
  expect(ends(user("Go."), reply({ toolCalls: [done] }))).toEqual([]);
});

describe("a turn that ends without an answer", () => {
  const machine = { ...user("<session_context>\nx"), id: "c1" };
  const history = (...messages: readonly JsonObject[]) => ({ $set: { messages: [machine, ...messages] } });
  const prompt = user("Go.");
  const apiError = { id: "e1", type: "error", content: "[API Error: quota]" };

  test.each<[string, readonly JsonObject[], readonly object[]]>([
    ["its prompt is taken back", [prompt, history()], [{ because: "interrupted" }]],
    ["its prompt stays", [prompt, history(prompt)], []],
    ["its prompt goes into a summary", [prompt, history({ ...user("sum"), id: "s" }, TAKEN)], []],
    ["it was over before", [prompt, reply({ content: "Yes." }), history()], [{ isAsking: false }]],
    ["its model's service refuses", [prompt, apiError], [{ because: "failed" }]],
    [
      "it takes the prompt back then",
      [prompt, history(), apiError],
      [{ because: "interrupted" }, { because: "failed" }],
    ],
    ["the client tells of another error", [prompt, { ...apiError, content: "No such command" }], []],
    ["its last answer is empty", [prompt, reply({ content: [] })], [{ isAsking: false }]],
    ["its answer is not there yet", [prompt, reply({ content: "" })], []],
    ["its answer is a thought", [prompt, reply({ content: [{ text: "Look at it.", thought: true }] })], []],
  ])("%s", (_, records, expected) => {
    expect(ends(...records)).toMatchObject(expected);
  });
});

test("a history that is written once more, line by line under other ids, is none", () => {
  const summary = { ...user("sum"), id: "s1" };
  const machine = user("<session_context>\nx");
  const again = [
    { ...machine, id: "c2" },
    { ...summary, id: "s2" },
    { ...TAKEN, id: "t2" },
    { ...user("Go."), id: "u2" },
  ];
  const records = [
    { $set: { messages: [machine, summary, TAKEN] } },
    user("Go."),
    ...again.flatMap((record) => [record, { $set: { lastUpdated: "2026-06-01T10:00:09.000Z" } }]),
    reply({ id: "g2", content: [{ text: "Yes." }] }),
    { $set: { messages: again } },
    reply({ content: "Done." }),
  ];
  expect(types(records).slice(1)).toEqual([
    ...["context.compacted", "turn.started", "title.given", "words.said", "turn.ended"],
  ]);
});

test.each<[string, JsonObject, object]>([
  ["a command that ended well", call("run_shell_command", "Output: x\nProcess Group PGID: 7"), { status: "completed" }],
  [
    "one that failed",
    call(
      "run_shell_command",
      "<untrusted_context>\nOutput: x\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>",
    ),
    { status: "failed", problem: "exit code 2", facts: expect.objectContaining({ exit: 2 }) },
  ],
  [
    "one whose output talks of another's end",
    call("run_shell_command", "Output: Exit Code: 3\nit said\nProcess Group PGID: 7"),
    { status: "completed", facts: expect.objectContaining({ exit: 0 }) },
  ],
  [
    "one that was stopped by a signal",
    call("run_shell_command", "Output: x\nSignal: SIGKILL\nProcess Group PGID: 7"),
    { status: "completed", facts: expect.not.objectContaining({ exit: expect.anything() }) },
  ],
  [
    "one that goes on in the background",
    call("run_shell_command", "Command moved to background"),
    { status: "completed" },
  ],
  ["a tool that a person refused", call("edit", "", { status: "cancelled" }), { status: "cancelled" }],
  [
    "a tool that failed",
    call("read_file", "", { status: "error", result: [{ functionResponse: { response: { error: "No such file" } } }] }),
    { status: "failed", problem: "No such file" },
  ],
])("the end of %s", (_, entry, expected) => {
  const ended = told([FIRST, reply({ toolCalls: [entry] })]).find(({ type }) => type === "call.ended");
  expect(ended).toMatchObject({ ...expected, at: Date.parse("2026-06-01T10:00:09.000Z") });
});

test("a tool of a server is told by the name that the person sees, else by its own", () => {
  const named = call("mcp_my_server_look_up", "x", { displayName: "look_up (my_server MCP Server)" });
  const bare = { ...call("mcp_milepost_todo", "x"), args: { add: ["a"] } };
  const all = told([FIRST, reply({ toolCalls: [named, bare] })]);
  const started = all.filter(({ type }) => type === "call.started");
  expect(started).toMatchObject([
    { tool: "look_up", server: "my_server", isWork: true },
    { tool: "todo", server: "milepost", isWork: false },
  ]);
  expect(all.at(-1)).toMatchObject({ type: "list.changed", list: { phases: [{ todos: [{ text: "a" }] }] } });
});

test("what a compaction left is told once, also when a later run writes all messages again", () => {
  const after = (id: string) => ({
    $set: { messages: [user("<session_context>"), { ...user("summary"), id }, TAKEN] },
  });
  expect(types([after("a"), after("a"), after("b")]).slice(1)).toEqual(["context.compacted", "context.compacted"]);
});

test("a blocked todo is a pending one with a note, and no longer when it goes on", () => {
  const todos = (status: string) => ({
    todos: [
      { description: "a", status },
      { description: "b", status: "pending" },
    ],
  });
  const write = (id: string, status: string) =>
    reply({ id: `g${id}`, toolCalls: [{ ...call("write_todos", "x"), id, args: todos(status) }] });
  const lists = told([FIRST, write("1", "blocked"), write("2", "in_progress")]).flatMap((one) =>
    one.type === "list.changed" ? one.list.phases.map(({ todos: all }) => all[0]) : [],
  );
  expect(lists).toMatchObject([
    { status: "pending", notes: ["blocked"] },
    { status: "in_progress", notes: [] },
  ]);
});
