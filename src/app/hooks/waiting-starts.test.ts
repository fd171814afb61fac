import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { logPath } from "../append-log.js";
import { withoutStart } from "../session/process-life.js";
import { startsFolder } from "../spool/spool-place.js";
import type { HookInput } from "./hook-input.js";
import { oweWords, takeStarts, type WaitedStart } from "./waiting-starts.js";

let home: string;
let environment: { readonly MILEPOST_HOME: string };
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "milepost-starts-"));
  environment = { MILEPOST_HOME: home };
  folder = startsFolder(environment);
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const CODEX = { turn_id: "t" };

/** As the shell leaves it, this many seconds ago. */
function wait(name: string, session: string, { age = 0, more = {} as object } = {}): void {
  const file = join(folder, name);
  const fields = { hook_event_name: "SessionStart", session_id: session, source: "startup", cwd: "/work", ...more };
  writeFileSync(file, JSON.stringify(fields), { mode: 0o600 });
  const at = Date.now() / 1000 - age;
  utimesSync(file, at, at);
}

const left = () => readdirSync(folder).sort();

/** Says what there is to say about each start, and keeps which ones it was told. */
function ear(words: Readonly<Record<string, readonly string[]>> = {}) {
  const heard: HookInput[] = [];
  return {
    heard,
    names: () => heard.map(({ session }) => session),
    hear: async ({ input }: WaitedStart) => {
      heard.push(input);
      return words[input.session] ?? [];
    },
  };
}

describe("starts that wait", () => {
  test("none, and no folder either", async () => {
    const { hear, heard } = ear();
    expect(await takeStarts(environment, "a", hear)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(await takeStarts(environment, "a", hear)).toEqual([]);
    expect(heard).toEqual([]);
  });

  test("are taken in once, the oldest first", async () => {
    wait("7-30.json", "young", { age: 1 });
    wait("7-20.json", "old", { age: 60 });
    wait("8-10.json", "middle", { age: 30 });
    const { hear, names } = ear();
    expect(await takeStarts(environment, undefined, hear)).toEqual([]);
    expect(names()).toEqual(["old", "middle", "young"]);
    await takeStarts(environment, undefined, hear);
    expect(names()).toHaveLength(3);
    expect(left()).toEqual([]);
  });

  test("several that take them in at once", async () => {
    for (let client = 1; client <= 20; client += 1) wait(`${client}-1.json`, `s${client}`);
    const { hear, names } = ear();
    await Promise.all([1, 2, 3].map(() => takeStarts(environment, undefined, hear)));
    expect(names().sort()).toEqual(Array.from({ length: 20 }, (_, index) => `s${index + 1}`).sort());
  });

  test.each([
    ["Claude Code", {}, `${hostname()}:7`],
    ["Codex", CODEX, `${hostname()}:7?`],
  ])("the process of %s is named as a command names it", async (_, more, name) => {
    wait("7-1.json", "a", { more });
    const { hear, heard } = ear();
    await takeStarts(environment, "a", hear);
    expect(heard.map(({ process }) => withoutStart(process))).toEqual([name]);
  });

  test.each([
    ["not yet moved to its name", ".7-1.json"],
    ["of another kind", "7-1.txt"],
    ["no numbers", "a-b.json"],
  ])("a file that is none of them stays: %s", async (_, name) => {
    wait(name, "a");
    const { hear, heard } = ear();
    await takeStarts(environment, "a", hear);
    expect([heard, left()]).toEqual([[], [name]]);
  });

  test.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["no session", '{"hook_event_name":"SessionStart"}'],
    ["another event", '{"hook_event_name":"Stop","session_id":"a"}'],
  ])("what is no start is logged, and gone: %s", async (_, text) => {
    writeFileSync(join(folder, "7-1.json"), text);
    const { hear, heard } = ear();
    await takeStarts(environment, "a", hear);
    expect([heard, left()]).toEqual([[], []]);
    expect(readFileSync(join(home, "milepost.log"), "utf8")).toContain("hook SessionStart: ");
  });
});

describe("a start that could not be taken in", () => {
  test("waits on, and so do those behind it", async () => {
    wait("7-1.json", "a", { age: 2 });
    wait("7-2.json", "b", { age: 1 });
    const taking = takeStarts(environment, "a", () => Promise.reject(new Error("The disk is full.")));
    await expect(taking).rejects.toThrow("The disk is full.");
    expect(left()).toEqual(["7-1.json", "7-2.json"]);
  });

  test("is another's while that one lives, and everybody's when it was killed", async () => {
    wait("7-1.taken", "a");
    const { hear, names } = ear();
    await takeStarts(environment, "a", hear);
    expect(names()).toEqual([]);
    // A time of change cannot be set: the clock is.
    const now = Date.now;
    Date.now = () => now() + 60_000;
    try {
      await takeStarts(environment, "a", hear);
    } finally {
      Date.now = now;
    }
    expect([names(), left()]).toEqual([["a"], []]);
  });
});

describe("words about a start", () => {
  test("are said by the hook of the same session that takes it in", async () => {
    wait("7-1.json", "a");
    expect(await takeStarts(environment, "a", ear({ a: ["Open: one"] }).hear)).toEqual(["Open: one"]);
    expect(left()).toEqual([]);
  });

  test("wait for that session when another takes it in, and are said once", async () => {
    wait("7-1.json", "a");
    wait("8-1.json", "b");
    const { hear } = ear({ a: ["Open: one", "token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"], b: ["Open: two"] });
    expect(await takeStarts(environment, "b", hear)).toEqual(["Open: two"]);
    expect(left()).toEqual(["7-1.words"]);
    expect(statSync(join(folder, "7-1.words")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, "7-1.words"), "utf8")).not.toContain("ghp_0123");
    expect(await takeStarts(environment, undefined, hear)).toEqual([]);
    expect(await takeStarts(environment, "b", hear)).toEqual([]);
    const said = await Promise.all([1, 2].map(() => takeStarts(environment, "a", hear)));
    expect(said.flat()).toEqual(["Open: one", expect.stringMatching(/^token /)]);
    expect(left()).toEqual([]);
  });

  test.each([
    ["nobody's for a day", JSON.stringify({ session: "x", words: ["late"] }), 100_000],
    ["damaged", "{", 0],
  ])("are forgotten: %s", async (_, text, age) => {
    const file = join(folder, "7-1.words");
    writeFileSync(file, text);
    utimesSync(file, Date.now() / 1000 - age, Date.now() / 1000 - age);
    expect(await takeStarts(environment, "a", ear().hear)).toEqual([]);
    expect(left()).toEqual([]);
  });
});

describe("the prompt behind a start", () => {
  const PROMPT = {
    method: "tools/call",
    params: { name: "hook", arguments: { hook_event_name: "UserPromptSubmit", session_id: "a", prompt: "Go" } },
  };
  const keepBoth = () => {
    wait("5-7.json", "a", { age: 1 });
    writeFileSync(join(folder, "5-8.json"), JSON.stringify(PROMPT), { mode: 0o600 });
  };

  test("comes after it, also when two take in at the same time", async () => {
    keepBoth();
    const heard: string[] = [];
    const hear = async ({ input }: WaitedStart) => {
      // The start takes longer to record.
      if (input.event === "SessionStart") await new Promise((resolve) => setTimeout(resolve, 20));
      heard.push(input.event);
      return [];
    };
    await Promise.all([takeStarts(environment, "a", hear), takeStarts(environment, "a", hear)]);
    expect(heard).toEqual(["SessionStart", "UserPromptSubmit"]);
    expect(left()).toEqual([]);
  });

  test("waits while another process takes in the start", async () => {
    keepBoth();
    renameSync(join(folder, "5-7.json"), join(folder, "5-7.taken"));
    const { hear, heard } = ear();
    await takeStarts(environment, "a", hear);
    expect(heard).toEqual([]);
    expect(left()).toEqual(["5-7.taken", "5-8.json"]);
  });
});

describe("words that wait", () => {
  const owed = (session: string, process: string): HookInput => ({
    ...{ event: "SessionStart", client: "qwen", session, agent: undefined, folder: undefined, transcript: undefined },
    ...{ process, environment, fields: {} },
  });

  test("are said to their own session, once, the first first, without secrets", async () => {
    rmSync(folder, { recursive: true });
    oweWords(environment, owed("a", "m:5"), ["open: #1", `key ${"ghp_"}${"a1B2".repeat(9)}`]);
    oweWords(environment, owed("b", "no number"), ["open: #7"]);
    const { hear } = ear();
    expect(await takeStarts(environment, undefined, hear)).toEqual([]);
    const said = await takeStarts(environment, "a", hear);
    expect(said).toEqual(["open: #1", expect.not.stringContaining("a1B2")]);
    expect(await takeStarts(environment, "a", hear)).toEqual([]);
    expect(await takeStarts(environment, "b", hear)).toEqual(["open: #7"]);
    expect(left()).toEqual([]);
  });

  test("nothing to say leaves no file; a place that cannot be written stops no hook", () => {
    oweWords(environment, owed("a", "m:5"), []);
    expect(left()).toEqual([]);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file");
    oweWords(environment, owed("a", "m:5"), ["open: #1"]);
    expect(readFileSync(logPath(environment), "utf8")).toContain("SessionStart");
  });
});
