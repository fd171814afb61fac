import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { ourToolName } from "../../core/session/client/list-tool.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { wayWords } from "./list-words.js";
import { codexToolWay } from "./tool-way.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-way-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// As Codex 0.166 keeps it, with what matters here.
const MODELS = {
  models: [
    { slug: "gpt-6-sol", tool_mode: "code_mode_only", supports_search_tool: true },
    { slug: "gpt-5.5", supports_search_tool: true },
    { slug: "gpt-4", tool_mode: null },
  ],
};
const KEY = 'direct_only_tool_namespaces = ["mcp__milepost"]';

let homes = 0;
function makeHome(config: string | undefined, models: unknown = MODELS): string {
  const home = join(folder, `${++homes}`, "sessions of mine");
  mkdirSync(home, { recursive: true });
  if (config !== undefined) writeFileSync(join(home, "config.toml"), config);
  if (models !== undefined) writeFileSync(join(home, "models_cache.json"), JSON.stringify(models));
  return join(home, "sessions/2026/11/16/rollout-x.jsonl");
}

describe("how a model of Codex reaches our tools", () => {
  test.each([
    ["it is made direct", `[features.code_mode]\n${KEY}\n`, "gpt-6-sol", "direct"],
    ["in one row with others", `features = { code_mode = { ${KEY} } }\n`, "gpt-6-sol", "direct"],
    ["among others, in rows", KEY.replace("[", '[\n  "mcp__a", # x\n  '), "gpt-6-sol", "direct"],
    ["under the other name", KEY.replace("mcp__", ""), "gpt-5.5", "direct"],
    ["another server is", KEY.replace("milepost", "other"), "gpt-6-sol", "code"],
    ["only in a comment", `# ${KEY}\n`, "gpt-6-sol", "code"],
    ["left out of code mode", KEY.replace("direct_only", "excluded"), "gpt-6-sol", "code"],
    ["a model that searches", 'model = "x"\n', "gpt-5.5", "search"],
    ["a model that is told all", 'model = "x"\n', "gpt-4", "direct"],
    ["a model that is not on the list", 'model = "x"\n', "gpt-7", "either"],
    ["a model that nobody named", 'model = "x"\n', undefined, "either"],
    ["no config", undefined, "gpt-6-sol", "direct"],
  ] as const)("%s", (_name, config, model, way) => {
    expect(codexToolWay(makeHome(config), model)).toBe(way);
  });

  test.each([
    ["a list that is none", { models: 5 }],
    ["no JSON object", "x"],
  ])("what cannot be understood tells nothing: %s", (_name, models) => {
    expect(codexToolWay(makeHome("a = 1\n", models), "gpt-6-sol")).toBe("either");
  });

  test("without a transcript nobody knows where Codex keeps its files", () => {
    expect(codexToolWay(undefined, "gpt-6-sol")).toBe("direct");
    expect(codexToolWay("/elsewhere/rollout-x.jsonl", "gpt-6-sol")).toBe("direct");
  });
});

test.each([
  ["claude-code", "direct", "mcp__milepost__todo"],
  ["codex", "direct", "mcp__milepost.todo"],
  ["codex", "code", "tools.mcp__milepost__todo in exec"],
  ["codex", "search", "todo of milepost (found by tool_search)"],
  ["codex", "either", "todo of milepost (tools.mcp__milepost__todo in exec, or found by tool_search)"],
  ["another", "direct", "todo"],
] as const)("a text for %s calls our tool, %s, as it can be called", (client, way, name) => {
  expect(ourToolName(client, "todo", way)).toBe(name);
});

test("at the start only a model is told that has our tool and is not told of it by its client", () => {
  const codex = { todo: "client", tasks: false } as const;
  const without = { ...DEFAULT_SETTINGS, offers: { ...DEFAULT_SETTINGS.offers, codex } };
  expect(wayWords("codex", DEFAULT_SETTINGS, () => "search")).toEqual([
    "Milepost: for a todo list that outlasts compaction, use todo of milepost (found by tool_search).",
  ]);
  expect(wayWords("codex", DEFAULT_SETTINGS, () => "direct")).toEqual([]);
  expect(wayWords("codex", without, () => "search")).toEqual([]);
  expect(wayWords("claude-code", DEFAULT_SETTINGS, undefined)).toEqual([]);
});

test("session start and reminders name it the way it is found", async () => {
  const { said } = await client();
  const fields = { transcript_path: makeHome('model = "x"\n'), model: "gpt-5.5", turn_id: "1" };
  expect(await said("SessionStart", { ...fields, source: "startup" })).toMatch(/use todo of milepost \(found by tool_/);
  let last = "";
  for (let call = 1; call <= 10; call += 1)
    last = await said("PostToolUse", { ...fields, tool_name: "Bash", tool_use_id: `b${call}` });
  expect(last).toMatch(/no todo list\. If more is ahead, todo of milepost \(found by tool_search\) keeps track of it/);
  const direct = { ...fields, transcript_path: makeHome(KEY), session_id: "s2" };
  expect(await said("SessionStart", { ...direct, source: "startup" })).toBe("");
});
