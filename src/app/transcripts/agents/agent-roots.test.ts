import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { transcriptRoots } from "./agent-roots.js";

const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-roots-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const FOLDERS = [
  ".omp/agent/sessions",
  ".alt/agent/sessions",
  "data/omp/sessions",
  ".pi/agent/sessions",
  "elsewhere/sessions",
  "kept",
];
for (const folder of FOLDERS) mkdirSync(join(home, folder), { recursive: true });

describe("where oh-my-pi and pi keep sessions", () => {
  const at = (folder: string) => join(home, folder);
  const cases: [name: string, environment: Record<string, string>, folders: string[]][] = [
    ["by themselves", {}, ["oh-my-pi .omp/agent/sessions", "pi .pi/agent/sessions"]],
    [
      "another folder of the agent",
      { PI_CODING_AGENT_DIR: at("elsewhere") },
      ["oh-my-pi .omp/agent/sessions", "pi elsewhere/sessions"],
    ],
    [
      "another folder below the person's",
      { PI_CODING_AGENT_DIR: "~/elsewhere" },
      ["oh-my-pi .omp/agent/sessions", "pi elsewhere/sessions"],
    ],
    [
      "sessions apart from it",
      { PI_CODING_AGENT_SESSION_DIR: at("kept") },
      ["oh-my-pi .omp/agent/sessions", "pi .pi/agent/sessions", "pi kept"],
    ],
    [
      "another name of oh-my-pi's folder",
      { PI_CONFIG_DIR: ".alt" },
      ["oh-my-pi .alt/agent/sessions", "pi .pi/agent/sessions"],
    ],
    [
      "data of its own",
      { XDG_DATA_HOME: at("data") },
      ["oh-my-pi .omp/agent/sessions", "oh-my-pi data/omp/sessions", "pi .pi/agent/sessions"],
    ],
    [
      "both in one folder: it is there once",
      { PI_CODING_AGENT_DIR: at(".omp/agent") },
      ["oh-my-pi .omp/agent/sessions"],
    ],
  ];
  test.each(cases)("%s", (_, environment, folders) => {
    const found = transcriptRoots(environment, home).map(({ agent, folder }) => `${agent} ${relative(home, folder)}`);
    expect(found).toEqual(folders);
  });
});

describe("where Qwen Code keeps sessions", () => {
  const at = (folder: string) => join(home, "q", folder);
  for (const folder of ["own", "run"]) mkdirSync(join(at(folder), "projects"), { recursive: true });

  test.each<[string, Record<string, string>, string]>([
    ["its folder", { QWEN_HOME: at("own") }, "q/own/projects"],
    [
      "a folder for what it writes, which counts first",
      { QWEN_HOME: at("own"), QWEN_RUNTIME_DIR: at("run") },
      "q/run/projects",
    ],
  ])("%s", (_, environment, folder) => {
    const roots = transcriptRoots(environment, home).filter(({ agent }) => agent === "qwen");
    expect(roots.map((root) => relative(home, root.folder))).toEqual([folder]);
  });
});

describe("where Gemini CLI keeps sessions", () => {
  for (const folder of ["g/.gemini/tmp", "h/.gemini/tmp"]) mkdirSync(join(home, folder), { recursive: true });

  test.each([
    ["below the home folder", {}, "g", ["gemini g/.gemini/tmp"]],
    ["below another one that was named", { GEMINI_CLI_HOME: join(home, "h") }, "g", ["gemini h/.gemini/tmp"]],
  ])("%s", (_, environment, user, folders) => {
    const found = transcriptRoots(environment, join(home, user));
    expect(found.map(({ agent, folder }) => `${agent} ${relative(home, folder)}`)).toEqual(folders);
  });
});

describe("where Copilot CLI keeps sessions", () => {
  for (const folder of ["c/.copilot", "d"]) mkdirSync(join(home, folder, "session-state"), { recursive: true });

  test.each([
    ["below the home folder", {}, ["copilot c/.copilot/session-state"]],
    ["in another one that was named", { COPILOT_HOME: join(home, "d") }, ["copilot d/session-state"]],
  ])("%s", (_, environment, folders) => {
    const found = transcriptRoots(environment, join(home, "c"));
    expect(found.map(({ agent, folder }) => `${agent} ${relative(home, folder)}`)).toEqual(folders);
  });
});

test("OpenClaw has a database for each of its agents", () => {
  for (const name of ["main", "work", "empty"])
    mkdirSync(join(home, ".openclaw/agents", name, "agent"), { recursive: true });
  for (const name of ["main", "work"])
    writeFileSync(join(home, ".openclaw/agents", name, "agent/openclaw-agent.sqlite"), "");
  const found = (environment: Record<string, string>, user: string) =>
    transcriptRoots(environment, user).flatMap(({ agent, folder }) =>
      agent === "openclaw" ? [relative(home, folder)] : [],
    );
  const both = ["main", "work"].map((name) => `.openclaw/agents/${name}/agent/openclaw-agent.sqlite`);
  expect(found({}, home)).toEqual(both);
  expect(found({ OPENCLAW_STATE_DIR: join(home, ".openclaw") }, "/nowhere")).toEqual(both);
  expect(found({ OPENCLAW_HOME: home }, "/nowhere")).toEqual(both);
});

describe("where opencode keeps sessions", () => {
  const place = join(home, "share", "opencode");
  mkdirSync(place, { recursive: true });
  for (const name of ["opencode.db", "own.db"]) writeFileSync(join(place, name), "");
  const data = { XDG_DATA_HOME: join(home, "share") };
  test.each<[name: string, environment: Record<string, string>, files: string[]]>([
    ["by itself", data, ["share/opencode/opencode.db"]],
    ["under another name", { ...data, OPENCODE_DB: "own.db" }, ["share/opencode/own.db"]],
    ["elsewhere", { OPENCODE_DB: join(place, "own.db") }, ["share/opencode/own.db"]],
    ["nowhere", { ...data, OPENCODE_DB: ":memory:" }, []],
  ])("%s", (_, environment, files) => {
    const found = transcriptRoots(environment, home).filter(({ agent }) => agent === "opencode");
    expect(found.map(({ folder }) => relative(home, folder))).toEqual(files);
  });
});
