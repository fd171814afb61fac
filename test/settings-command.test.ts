import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runHook, runStatusline } from "../src/hook/run.js";
import { runWarm } from "./warm-command.js";

// `milepost config` and everybody who obeys it, with a project's file: the built command.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-config-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const project = join(root, "project");
const projectFile = join(project, ".milepost", "config.json");
let made = 0;
let environment: Record<string, string> = {};
beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "src"));
  environment = {
    MILEPOST_HOME: join(root, `home${++made}`),
    HOME: join(root, "person"),
    PATH: process.env.PATH ?? "",
  };
});

function write(text: string, path = projectFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(
  line: string,
  more: { readonly folder?: string; readonly input?: string; readonly set?: Record<string, string> } = {},
) {
  const { folder = project, input = "", set = {} } = more;
  return runWarm(line.split(" "), { folder, input, environment: { ...environment, ...set } });
}

function shown(line: string, more?: Parameters<typeof run>[1]) {
  const { settings, ...rest } = JSON.parse(run(`${line} --json`, more).out);
  return { ...rest, ...settings[0] };
}

describe("milepost config", () => {
  test("each value has its source, and the file that says so", () => {
    const user = join(environment.MILEPOST_HOME ?? "", "config.json");
    expect(shown("config list.focus")).toMatchObject({ value: "remind", from: "default", file: null, project: null });
    expect(shown("config list.focus dialect")).toMatchObject({ value: "dialect", from: "user", file: user });
    write('{"list.focus":"reject"}');
    const tightened = { value: "reject", from: "project", file: projectFile, project: projectFile };
    expect(shown("config list.focus", { folder: join(project, "src") })).toMatchObject(tightened);
    const said = shown("config list.focus", { set: { MILEPOST_LIST_FOCUS: "remind" } });
    expect(said).toMatchObject({ value: "remind", from: "MILEPOST_LIST_FOCUS", file: null });
    const { out } = run("config");
    expect(out).toMatch(/^list\.focus +reject +\(project\) /m);
    expect(out).toContain(`project: ${projectFile}`);
    expect(run("config list.focus", { folder: root }).out).toMatch(
      /^list\.focus +dialect +\(user\) .*\nuser: .*config\.json$/m,
    );
  });

  test("what is stored for the person and does not hold here is told, with who has the say", () => {
    write('{"list.focus":"reject"}');
    const { out } = run("config list.focus dialect");
    expect(out).toContain("list.focus is stored for you, but this project's file tightens it to reject here.");
    expect(out).toContain("MILEPOST_LIST_FOCUS=dialect");
    const said = run("config reminders off", { set: { MILEPOST_REMINDERS: "on" } });
    expect(said.out).toContain("reminders is stored for you, but MILEPOST_REMINDERS sets it to on here.");
    expect(run("config reminders off", { folder: root }).out).not.toContain("stored for you");
  });

  test("agents are known by the names people use; one that is nearly right is asked about", () => {
    expect(shown("config list.off claude,cc,codex")).toMatchObject({ value: "claude-code,codex", findings: [] });
    const { out } = run("config list.off codex,claud-code");
    expect(out).toContain(
      "No agent is called claud-code here. Did you mean: milepost config list.off codex,claude-code",
    );
    expect(shown("config list.off my-own-client").findings).toEqual([]);
  });

  test.each(["list.focus dialect", "reminders off", "plans.agent-decides on", "reminders.stale 10000"])(
    "a project is not given the loosest value: %s",
    (line) => {
      expect(run(`config ${line} --project`)).toMatchObject({
        exit: 1,
        err: expect.stringContaining("may only tighten"),
      });
      expect(existsSync(projectFile)).toBe(false);
    },
  );

  test("--project writes the file in the root, and default takes it out again", () => {
    const set = shown("config reminders.stale 5 --project", { folder: join(project, "src") });
    expect(set).toMatchObject({ value: 5, from: "project", file: projectFile });
    expect(JSON.parse(readFileSync(projectFile, "utf8"))).toEqual({ "reminders.stale": 5 });
    write('{"reminders.stale":5,"from.a.newer.version":1}');
    expect(shown("config reminders.stale default --project")).toMatchObject({ value: 10, from: "default" });
    expect(JSON.parse(readFileSync(projectFile, "utf8"))).toEqual({ "from.a.newer.version": 1 });
    expect(existsSync(join(environment.MILEPOST_HOME ?? "", "config.json"))).toBe(false);
  });

  test.each<[string, string, string, number]>([
    ["a setting that no project may have", "config list.clear 5 --project", "not-for-projects", 1],
    ["what setup wires", "config claude-code.hooks commands --project", "not-for-projects", 1],
    ["a value that cannot be", "config list.focus perhaps --project", "bad-setting", 2],
    ["no value", "config list.focus --project", "bad-usage", 2],
    ["no name", "config --project", "bad-usage", 2],
  ])("--project is refused: %s", (_, line, code, exit) => {
    const ran = run(line);
    expect([ran.exit, ran.err.includes(`[${code}]`), existsSync(dirname(projectFile))]).toEqual([exit, true, false]);
  });

  test("the person's own folder is no project", () => {
    mkdirSync(join(root, "person"), { recursive: true });
    expect(run("config list.focus reject --project", { folder: join(root, "person") })).toMatchObject({
      exit: 1,
      err: expect.stringContaining("[no-project]"),
    });
  });

  test("nothing is written through a link, or over what is no settings file", () => {
    mkdirSync(join(root, "elsewhere"), { recursive: true });
    write("keep", join(root, "elsewhere", "config.json"));
    symlinkSync(join(root, "elsewhere"), dirname(projectFile));
    expect(run("config list.focus reject --project")).toMatchObject({
      exit: 1,
      err: expect.stringContaining("[bad-config]"),
    });
    expect(readFileSync(join(root, "elsewhere", "config.json"), "utf8")).toBe("keep");
    rmSync(dirname(projectFile));
    write("{ mine");
    expect(run("config list.focus reject --project").exit).toBe(1);
    expect(readFileSync(projectFile, "utf8")).toBe("{ mine");
  });

  test("an agent sets neither who decides on plans nor what shows that work is done, also not for a project", () => {
    const lines = [
      "plans.agent-decides on",
      "plans.agent-decides off --project",
      "evidence off",
      "checks.patterns echo",
      "notify.command touch",
    ];
    for (const line of lines.map((words) => `config ${words}`))
      expect(run(line, { set: { CLAUDECODE: "1" } })).toMatchObject({
        exit: 1,
        err: expect.stringContaining("[agent-shell]"),
      });
    expect(existsSync(projectFile)).toBe(false);
  });

  test("what is ignored is named here and by doctor, and nothing of it reaches the terminal", () => {
    write('{"list.clear":0,"reminders":"off","\\u001b[2Jx\\nmilepost: all good":1}');
    for (const line of ["config", "doctor"]) {
      const { exit, out } = run(line);
      expect(exit).toBe(0);
      const flat = out.replace(/\s+/g, " ");
      expect(flat).toContain("A project may not set list.clear");
      expect(flat).toContain("A project may only tighten reminders, and off is looser than on");
      expect(flat).toContain("There is no setting");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
      expect(out).not.toMatch(/\u001b|^milepost: all good/m);
    }
  });
});

describe("who obeys", () => {
  const prompt = { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "go" };
  const bash = (call: number) => ({
    session_id: "s1",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_use_id: `t${call}`,
  });
  const hookWorld = (input: object, set: Record<string, string> = {}) => ({
    environment: { ...environment, ...set },
    process: "m:7",
    read: () => JSON.stringify(input),
  });
  const hook = (fields: object) => runHook(hookWorld({ cwd: join(project, "src"), ...fields }));

  test("hooks of a session in the project: reminders that the person has switched off come again", async () => {
    run("config reminders off");
    const said = async (session_id: string) => {
      const texts = [await hook({ ...prompt, session_id })];
      for (const call of [1, 2, 3]) texts.push(await hook({ ...bash(call), session_id }));
      return texts.join("");
    };
    expect(await said("s1")).toBe("");
    write('{"reminders":"on","reminders.unused":2}');
    expect(await said("s2")).toContain("reminder");
  });

  test("plan: an agent that may decide elsewhere may not in this project", () => {
    run("config plans.agent-decides on");
    const approve = () => run("plan approve 1234", { set: { CLAUDECODE: "1" } }).err;
    expect(approve()).not.toContain("agent-shell");
    write('{"plans.agent-decides":"off"}');
    expect(approve()).toContain("[agent-shell]");
  });

  test("views and the status line: an agent whose lists are switched off has none", async () => {
    const todos = [{ content: "Read", status: "in_progress", activeForm: "Reading" }];
    await hook(prompt);
    await hook({
      session_id: "s1",
      hook_event_name: "PostToolUse",
      tool_name: "TodoWrite",
      tool_use_id: "t9",
      tool_input: { todos },
    });
    const seen = async (set: Record<string, string>) => {
      const [{ list }] = JSON.parse(run("sessions --json", { set }).out).sessions;
      return [list.phases.length, await runStatusline(hookWorld({ session_id: "s1" }, set))];
    };
    expect(await seen({})).toEqual([1, expect.stringContaining("Reading")]);
    expect(await seen({ MILEPOST_LIST_OFF: "claude-code" })).toEqual([0, ""]);
    expect(run("doctor", { set: { MILEPOST_LIST_OFF: "claude-code" } }).out).toContain(
      "claude-code: todo lists are switched off",
    );
  });

  test("setup says so, and switching lists off makes the server's first answers be asked again", () => {
    const cache = join(environment.MILEPOST_HOME ?? "", "cache");
    write("old", join(cache, "greeting-claude-0"));
    write("kept", join(cache, "other"));
    run("config list.off claude-code");
    expect([existsSync(join(cache, "greeting-claude-0")), existsSync(join(cache, "other"))]).toEqual([false, true]);
    const { out } = run("setup claude-code --dry-run");
    expect(out.replace(/\s+/g, " ")).toContain("Todo lists of Claude Code are switched off");
  });
});
