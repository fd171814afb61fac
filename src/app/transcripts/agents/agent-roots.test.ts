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
});
