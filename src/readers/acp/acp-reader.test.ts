import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import { agentOfCommand } from "./acp-agent.js";
import type { AcpFact } from "./acp-fact.js";
import { AcpReader, type AcpSender } from "./acp-reader.js";

type Line = readonly [from: AcpSender, message: JsonObject];

const S = "s1";
const open: readonly Line[] = [
  ["editor", { id: 1, method: "session/new", params: { cwd: "/app" } }],
  ["agent", { id: 1, result: { sessionId: S } }],
];
const said = (update: JsonObject): Line => ["agent", { method: "session/update", params: { sessionId: S, update } }];
const call = (update: JsonObject): Line => said({ sessionUpdate: "tool_call", ...update });
const more = (update: JsonObject): Line => said({ sessionUpdate: "tool_call_update", ...update });
const prompt: Line = ["editor", { id: 7, method: "session/prompt", params: { sessionId: S } }];
const answer = (result: JsonObject): Line => ["agent", { id: 7, ...result }];
const entry = (content: string, status: string) => ({ content, status, priority: "medium" });

/** What is told, in short words. */
function short(fact: AcpFact): string {
  switch (fact.type) {
    case "opened":
      return `opened ${fact.how} ${fact.folder}`;
    case "turn.ended":
      return `turn.ended ${fact.because ?? ""}${fact.lastWords}`.trim();
    case "asked":
      return `asked ${fact.ask.kind} ${fact.ask.text} ${fact.ask.choices?.join("/")}`;
    case "mode.told":
      return `mode ${fact.mode}`;
    case "call.started":
      return `started ${fact.call} ${fact.server ? `${fact.server}/` : ""}${fact.tool} ${fact.subject ?? ""}`.trim();
    case "call.ended":
      return `${fact.status} ${fact.call} ${fact.server ? `${fact.server}/` : ""}${fact.tool} ${fact.problem ?? ""}`.trim();
    case "plan.told":
      return `plan ${(fact.plan.entries as { content: string; status: string }[]).map((one) => `${one.content}:${one.status}`).join()}`;
    case "compaction":
      return `compaction ${fact.isOver}`;
    default:
      return fact.type;
  }
}

function read(lines: readonly Line[], command: readonly string[] = ["agent"]): readonly string[] {
  const reader = new AcpReader(command);
  return lines.flatMap(([from, message], at) => reader.read(from, message, at)).map(short);
}

const cases: readonly {
  readonly name: string;
  readonly given: readonly Line[];
  readonly then: readonly string[];
  readonly command?: readonly string[];
}[] = [
  { name: "a session is opened", given: open, then: ["opened startup /app"] },
  {
    name: "a session that could not be opened is none",
    given: [
      ["editor", { id: 1, method: "session/new", params: {} }],
      ["agent", { id: 1, error: { code: 1 } }],
    ],
    then: [],
  },
  {
    name: "a turn, and what was said last in it",
    given: [
      prompt,
      said({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Which one?" } }),
      answer({ result: { stopReason: "end_turn" } }),
    ],
    then: ["turn.started", "turn.ended Which one?"],
  },
  {
    name: "a turn that was cancelled",
    given: [prompt, answer({ result: { stopReason: "cancelled" } })],
    then: ["turn.started", "turn.ended interrupted"],
  },
  {
    name: "a turn that failed",
    given: [prompt, answer({ error: { code: -32603 } })],
    then: ["turn.started", "turn.ended failed"],
  },
  {
    name: "a second prompt in a turn is no second turn",
    given: [
      prompt,
      ["editor", { id: 8, method: "session/prompt", params: { sessionId: S } }],
      ["agent", { id: 8, result: {} }],
      answer({ result: {} }),
    ],
    then: ["turn.started", "turn.ended"],
  },
  {
    name: "the answer to another request with the same number is not the turn's",
    given: [prompt, ["editor", { id: 7, result: {} }], answer({ result: { stopReason: "end_turn" } })],
    then: ["turn.started", "turn.ended"],
  },
  {
    name: "a call told in pieces starts when its arguments are known",
    given: [
      call({ toolCallId: "c1", name: "Bash", title: "Terminal", status: "pending", rawInput: {} }),
      more({ toolCallId: "c1", rawInput: { command: "ls" } }),
      more({ toolCallId: "c1", status: "completed", rawOutput: "x" }),
    ],
    then: ["started c1 Bash ls", "completed c1 Bash"],
  },
  {
    name: "a call without arguments starts when it runs",
    given: [
      call({ toolCallId: "c1", title: "look", status: "pending", rawInput: {} }),
      more({ toolCallId: "c1", status: "in_progress" }),
      more({ toolCallId: "c1", status: "completed" }),
    ],
    then: ["started c1 look look", "completed c1 look"],
  },
  {
    name: "an end without a start is both",
    given: [
      more({
        toolCallId: "c1",
        title: "Set 2 todo(s)",
        kind: "other",
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "no" } }],
      }),
    ],
    then: ["started c1 other Set 2 todo(s)", "failed c1 other no"],
  },
  {
    name: "an end that is told twice is one",
    given: [
      call({ toolCallId: "c1", title: "x", status: "in_progress" }),
      more({ toolCallId: "c1", status: "completed" }),
      more({ toolCallId: "c1", status: "completed" }),
    ],
    then: ["started c1 x x", "completed c1 x"],
  },
  {
    name: "without ids: the oldest of that tool ends first",
    given: [
      call({ name: "Read", title: "Read", status: "in_progress", rawInput: { path: "a" } }),
      call({ name: "Read", title: "Read", status: "in_progress", rawInput: { path: "b" } }),
      more({ name: "Read", status: "failed" }),
      more({ name: "Read", status: "completed" }),
      more({ name: "Read", status: "completed" }),
    ],
    then: ["started acp-1 Read a", "started acp-2 Read b", "failed acp-1 Read", "completed acp-2 Read"],
  },
  {
    name: "with ids: whichever is named",
    given: [
      call({ toolCallId: "a", name: "Read", status: "in_progress" }),
      call({ toolCallId: "b", name: "Read", status: "in_progress" }),
      more({ toolCallId: "b", status: "completed" }),
      more({ toolCallId: "a", status: "failed" }),
    ],
    then: ["started a Read", "started b Read", "completed b Read", "failed a Read"],
  },
  {
    name: "what is open at the end of a turn was cut off",
    given: [
      prompt,
      call({ toolCallId: "c1", title: "x", status: "in_progress" }),
      answer({ result: { stopReason: "cancelled" } }),
    ],
    then: ["turn.started", "started c1 x x", "cancelled c1 x", "turn.ended interrupted"],
  },
  {
    name: "a permission is asked for with its call, and answered by the person",
    given: [
      [
        "agent",
        {
          id: 0,
          method: "session/request_permission",
          params: {
            sessionId: S,
            toolCall: { toolCallId: "c1", title: "rm x", kind: "execute", rawInput: { command: "rm x" } },
            options: [{ name: "Yes" }, { name: "No" }],
          },
        },
      ],
      ["editor", { id: 0, result: { outcome: { outcome: "selected", optionId: "yes" } } }],
    ],
    then: ["started c1 execute rm x", "asked permission execute: rm x Yes/No", "answered"],
  },
  {
    name: "leaving plan mode is a question about the plan",
    given: [
      [
        "agent",
        {
          id: 0,
          method: "session/request_permission",
          params: {
            sessionId: S,
            toolCall: {
              toolCallId: "c1",
              name: "ExitPlanMode",
              kind: "switch_mode",
              rawInput: { plan: "# Move it\nfirst" },
            },
            options: [],
          },
        },
      ],
    ],
    then: ["started c1 ExitPlanMode", "asked plan Move it undefined"],
  },
  {
    name: "a plan",
    given: [said({ sessionUpdate: "plan", entries: [entry("a", "in_progress"), entry("b", "pending")] })],
    then: ["plan a:in_progress,b:pending"],
  },
  {
    name: "a plan of the next version",
    given: [
      said({ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [entry("a", "cancelled")] } }),
    ],
    then: ["plan a:cancelled"],
  },
  {
    name: "what is replayed when a session is loaded is no news",
    given: [
      ["editor", { id: 2, method: "session/load", params: { sessionId: S, cwd: "/app" } }],
      said({ sessionUpdate: "plan", entries: [entry("a", "pending")] }),
      call({ toolCallId: "c1", title: "x", status: "completed" }),
      ["agent", { id: 2, result: { modes: { currentModeId: "plan" } } }],
      said({ sessionUpdate: "plan", entries: [entry("b", "pending")] }),
    ],
    then: ["opened resume /app", "mode plan", "plan b:pending"],
  },
  {
    name: "oh-my-pi shows the whole list behind a call of its tool, and only what it reminds of elsewhere",
    command: ["bun", "/x/pi-coding-agent/dist/cli.js", "acp"],
    given: [
      call({ toolCallId: "c1", title: "todo", status: "pending", rawInput: { op: "init" } }),
      more({ toolCallId: "c1", status: "completed" }),
      said({ sessionUpdate: "plan", entries: [entry("x", "completed"), entry("y", "in_progress")] }),
      said({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } }),
      said({ sessionUpdate: "plan", entries: [entry("y", "in_progress")] }),
    ],
    then: ["started c1 todo todo", "completed c1 todo", "plan x:completed,y:in_progress"],
  },
  {
    name: "modes",
    given: [
      said({ sessionUpdate: "current_mode_update", currentModeId: "plan" }),
      said({ sessionUpdate: "current_mode_update", currentModeId: "https://x/session-modes#agent" }),
    ],
    then: ["mode plan", "mode default"],
  },
  {
    name: "compaction",
    given: [
      said({ sessionUpdate: "compaction_update", compactionId: "x", status: "in_progress" }),
      said({ sessionUpdate: "compaction_update", compactionId: "x", status: "completed" }),
    ],
    then: ["compaction false", "compaction true"],
  },
  {
    name: "a session is closed",
    given: [
      ["editor", { id: 3, method: "session/close", params: { sessionId: S } }],
      ["agent", { id: 3, result: {} }],
    ],
    then: ["closed"],
  },
  {
    name: "an id that could be a path is none",
    given: [
      [
        "agent",
        { method: "session/update", params: { sessionId: "../../x", update: { sessionUpdate: "plan", entries: [] } } },
      ],
    ],
    then: [],
  },
];

describe("what messages between editor and agent tell", () => {
  test.each(cases)("$name", ({ given, then, command }) => {
    expect(read(given, command)).toEqual(then);
  });
});

describe("whose tool it was", () => {
  test.each([
    ["its name", { name: "mcp__milepost__todo", title: "x" }, "milepost/todo"],
    ["Claude's own field", { _meta: { claudeCode: { toolName: "Read" } }, title: "Read File" }, "Read"],
    [
      "Qwen's",
      { _meta: { toolName: "mcp__milepost__todo", serverId: "milepost" }, title: "todo (milepost MCP Server): {}" },
      "milepost/todo",
    ],
    [
      "Codex: in the arguments",
      { title: "Tool: milepost/todo", rawInput: { server: "milepost", tool: "todo", arguments: { add: ["a"] } } },
      "milepost/todo",
    ],
    ["oh-my-pi: one underscore", { title: "mcp__milepost_todo" }, "milepost/todo"],
    ["opencode: one underscore, and no prefix", { title: "milepost_todo" }, "milepost/todo"],
    ["Copilot: a hyphen", { title: "milepost-todo" }, "milepost/todo"],
    ["Gemini: in the id", { toolCallId: "write_todos__call_1_1", title: "Set 2 todo(s)" }, "write_todos"],
    [
      "Gemini: a tool of ours",
      { toolCallId: "mcp_milepost_todo__call_2_1", title: "todo (milepost MCP Server)" },
      "milepost/todo",
    ],
    [
      "Copilot: the title is the purpose",
      { title: "look", kind: "other", rawInput: { description: "look", query: "SELECT 1" } },
      "other",
    ],
    ["a shell", { title: "$ npm test", kind: "execute" }, "bash"],
    ["a title that begins with it", { title: "read: README.md", kind: "read" }, "read"],
    ["a path is none", { title: "src/a.ts", kind: "edit" }, "edit"],
    ["nor is what it does", { title: "Searching: foo", kind: "search" }, "search"],
    ["only a sentence", { title: "Looking around", kind: "search" }, "search"],
    ["nothing at all", {}, "tool"],
  ])("%s", (_, update, then) => {
    const [started = ""] = read([call({ toolCallId: "c", status: "in_progress", ...update })]);
    expect(started.split(" ")[2]).toBe(then);
  });
});

test.each<[string, JsonObject, JsonObject, object]>([
  [
    "the protocol's kind and places",
    { title: "src/a.ts", kind: "edit", locations: [{ path: "/app/src/a.ts", line: 3 }, { path: 7 }] },
    {},
    { kind: "edit", files: ["/app/src/a.ts"] },
  ],
  [
    "a change that is shown when it is done",
    { title: "Work", kind: "other" },
    { kind: "delete", content: [{ type: "diff", path: "README.md", oldText: "a", newText: "" }] },
    { kind: "edit", files: ["README.md"], isProse: true },
  ],
  [
    "a name and arguments that tell it count more",
    { name: "Read", kind: "search", rawInput: { file_path: "a.ts" }, locations: [{ path: "/b.ts" }] },
    {},
    { kind: "read", files: ["a.ts"] },
  ],
  [
    "what was told first stays when arguments come",
    { title: "Work on it", kind: "read", locations: [{ path: "/a.ts" }] },
    { rawInput: { x: 1 } },
    { kind: "read", files: ["/a.ts"] },
  ],
  ["a kind that says nothing", { title: "Think it over", kind: "think" }, {}, { kind: "other" }],
])("facts: %s", (_, first, last, then) => {
  const reader = new AcpReader(["agent"]);
  const lines = [...open, call({ toolCallId: "c", ...first }), more({ toolCallId: "c", status: "completed", ...last })];
  const ended = lines.flatMap(([from, message]) => reader.read(from, message, 0)).at(-1);
  const { kind, files, isProse } = ended?.type === "call.ended" ? ended.facts : {};
  expect(JSON.parse(JSON.stringify({ kind, files, isProse }))).toEqual(then);
});

test("a title that says how a call went does not rename its tool", () => {
  const asked = call({ toolCallId: "c", title: "milepost-todo", status: "in_progress", rawInput: { done: 1 } });
  const over = more({ toolCallId: "c", title: "Todo", status: "completed", rawInput: { done: 1 } });
  expect(read([asked, over]).map((fact) => fact.split(" ")[2])).toEqual(["milepost/todo", "milepost/todo"]);
});

test.each([
  [["npx", "@zed-industries/codex-acp"], "codex"],
  [["/opt/claude-agent-acp/dist/index.js"], "claude-code"],
  [["node", "qwen", "--acp"], "qwen"],
  [["omp", "acp"], "oh-my-pi"],
  [["./my-agent"], "acp"],
])("a command tells who it is: %s", (command, agent) => {
  expect(agentOfCommand(command)).toBe(agent);
});

test.each([
  ["@agentclientprotocol/claude-agent-acp", "claude-code"],
  ["My Agent!", "my-agent"],
  ["\u001b[2J", "2j"],
])("its first answer says more: %s", (name, agent) => {
  const reader = new AcpReader(["x"]);
  reader.read("editor", { id: 1, method: "initialize" }, 0);
  reader.read("agent", { id: 1, result: { agentInfo: { name } } }, 0);
  expect(reader.agent).toBe(agent);
});
