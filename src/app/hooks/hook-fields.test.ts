import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject } from "../../core/json.js";
import { hookToolInput, readToolInput } from "./hook-fields.js";
import { isSeen } from "./sightings.js";

type Client = Parameters<typeof hookToolInput>[0];

/**
 * As Claude Code fills in `${name}`: a text as it is, anything else as JSON, nothing where there is no such field. Codex
 * fills in the value itself, and drops the whole call where one is not there.
 */
function filled(client: Client, input: Readonly<Record<string, string>>, fields: Readonly<Record<string, unknown>>) {
  if (client === "codex") {
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(input)));
    return Object.fromEntries(Object.keys(input).map((name) => [name, fields[name]]));
  }
  const entries = Object.entries(input).map(([name, template]) => [
    name,
    template.replace(/\$\{(\w+)\}/g, (_, field: string) => {
      const value = fields[field];
      return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
    }),
  ]);
  return Object.fromEntries(entries);
}

function recorded(client: Client, version: string): readonly Record<string, unknown>[] {
  const file = new URL(`../../../test/fixtures/transcripts/${client}/${version}-hooks.hooks.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line)).map((line) => (isObject(line.input) ? line.input : line));
}

describe("what a hook's tool call tells", () => {
  test.each([
    ["a call", { hook_event_name: "PreToolUse", tool_input: '{"command":"ls"}' }, { tool_input: { command: "ls" } }],
    ["an answer in words", { tool_response: "Plan updated" }, { tool_response: "Plan updated" }],
    ["an answer that looks like a number", { tool_response: "12" }, { tool_response: "12" }],
    ["an answer in parts", { tool_response: '[{"type":"text"}]' }, { tool_response: [{ type: "text" }] }],
    ["a text cut by the client", { tool_input: '{"command":"l' }, { tool_input: '{"command":"l' }],
    ["calls of a batch", { tool_calls: '[{"tool_name":"Bash"}]' }, { tool_calls: [{ tool_name: "Bash" }] }],
    ["a number", { duration_ms: "94" }, { duration_ms: 94 }],
    ["no number", { duration_ms: "soon" }, { duration_ms: "soon" }],
    ["flags", { stop_hook_active: "true", is_interrupt: "false" }, { stop_hook_active: true, is_interrupt: false }],
    [
      "values of a client that keeps types",
      { turn_id: "t", tool_response: "[1]", tool_input: { a: 1 }, prompt: "" },
      { turn_id: "t", tool_response: "[1]", tool_input: { a: 1 }, prompt: "" },
    ],
    ["what is not there", { agent_id: "", tool_input: "", prompt: "" }, {}],
    ["a prompt that looks like JSON", { prompt: '{"a":1}' }, { prompt: '{"a":1}' }],
    ["an error that says true", { error: "true" }, { error: "true" }],
    ["a prompt of blanks", { prompt: " " }, { prompt: " " }],
    ["an agent without a kind that ends", { hook_event_name: "SubagentStop", agent_type: "" }, { agent_type: "" }],
    ["an agent without a kind elsewhere", { hook_event_name: "PreToolUse", agent_type: "" }, {}],
  ])("%s", (_name, input, fields) => {
    const { hook_event_name: _, ...read } = readToolInput(input);
    expect(read).toEqual(fields);
  });

  test.each([[undefined], [null], ["text"], [[]], [7]])("no fields: %j", (input) => {
    expect(readToolInput(input)).toEqual({});
  });

  test("any JSON is read, and names that objects inherit are names like any other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isObject(readToolInput(value))).toBe(true);
      }),
      { seed: 18, numRuns: 200 },
    );
    const input = JSON.parse('{"__proto__":"x","constructor":"y","hook_event_name":"toString"}');
    expect(Object.keys(readToolInput(input))).toEqual(["__proto__", "constructor", "hook_event_name"]);
  });
});

describe("what the wiring asks for", () => {
  test.each([
    ["claude-code", "SessionStart"],
    ["codex", "SessionEnd"],
    ["codex", "PostToolBatch"],
    ["claude-code", "toString"],
  ] as const)("%s has no such call for %s", (client, event) => {
    expect(hookToolInput(client, event)).toBeUndefined();
  });

  test("every value is the field's own name", () => {
    const input = hookToolInput("claude-code", "SubagentStart") ?? {};
    expect(Object.keys(input)).toEqual(
      ["hook_event_name", "session_id", "transcript_path", "cwd", "prompt_id", "permission_mode"].concat([
        "agent_id",
        "agent_type",
      ]),
    );
    for (const [name, value] of Object.entries(input)) expect(value).toBe(`$\{${name}}`);
  });

  test.each([
    ["claude-code", "2.1.325"],
    ["codex", "0.166.0"],
  ] as const)("what %s %s reported comes back as it was, as far as anybody reads it", (client, version) => {
    const told = recorded(client, version).filter(({ hook_event_name: event }) => isSeen(String(event)));
    const heard = told.flatMap((fields) => {
      const input = hookToolInput(client, String(fields.hook_event_name));
      return input ? [{ read: readToolInput(filled(client, input, fields)), fields }] : [];
    });
    expect(heard.length).toBeGreaterThan(5);
    for (const { read, fields } of heard) {
      const wanted = Object.entries(fields).filter(([name, value]) => READ.includes(name) && value !== "");
      expect(read).toMatchObject(Object.fromEntries(wanted));
    }
  });
});

/** Every field that some reader of hooks looks at, and that these recordings have. */
const READ = [
  "session_id",
  "transcript_path",
  "cwd",
  "agent_id",
  "turn_id",
  "prompt_id",
  "permission_mode",
  "model",
  "tool_name",
  "tool_use_id",
  "tool_input",
  "tool_response",
  "tool_calls",
  "duration_ms",
  "is_interrupt",
  "error",
  "prompt",
  "stop_hook_active",
  "trigger",
];
