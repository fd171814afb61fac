import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../src/store/open.js";
import { freshDatabase } from "./databases.js";
import { type Ran, runWarm } from "./warm-command.js";

// The commands around the store, as users run them, on real stores. On the first of them they are real processes.
const command = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-commands-"));
const home = join(folder, "home");
const server = await freshDatabase("commands");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  ...process.env,
  MILEPOST_HOME: home,
  MILEPOST_STORE: "",
  // Doctor looks at agents' files, too, and those of whoever runs the tests are none of its business.
  CLAUDE_CONFIG_DIR: join(folder, "claude"),
  CODEX_HOME: join(folder, "codex"),
};

function run(line: string, input = ""): Ran {
  if (line.includes("--store")) return runWarm(line.split(" "), { input, folder, environment });
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...line.split(" ")], {
    input,
    encoding: "utf8",
    env: environment,
    cwd: folder,
  });
  return { exit: status, out: stdout, err: stderr };
}

const call = (input: object, more: object = {}) => JSON.stringify({ tool: "todo", input, ...more });
const records = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
let files = 0;
const freshFile = () => join(folder, `${++files}`, "work.db");

describe.each([
  ["the file in Milepost's own folder", ""],
  ["a file", ` --store ${freshFile()}`],
  ["PostgreSQL", ` --store ${server}`],
])("on %s", (_name, store) => {
  test("a list outlives the process, and events tell its history", () => {
    expect(records(run(`call${store}`, call({ add: ["a", "b"] })).out)).toMatchObject([
      { text: "Added 1-2. 0/2 now #1 a" },
    ]);
    expect(records(run(`call${store}`, call({ done: 1 })).out)).toMatchObject([{ text: "1/2 now #2 b" }]);
    const { exit, out } = run(`events${store}`);
    expect(exit).toBe(0);
    const events = records(out);
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.at(-1)).toMatchObject({
      stream: "session:default",
      type: "todo.moved",
      data: { number: 2, to: "in_progress" },
    });
    const after = run(`events${store} --after ${events[3].cursor}`);
    expect(records(after.out)).toEqual(events.slice(4));
    expect(run(`events${store} --stream session:nobody`)).toMatchObject({ exit: 0, out: "" });
  });

  test("a repeated call with its key counts once, and the actor is kept", () => {
    const line = call({ add: ["once"] }, { session: "keys", key: "call-7" });
    const [first, second, other] = records(
      run(
        `call${store} --as reviewer`,
        `${line}\n${line}\n${call({ add: ["two"] }, { session: "keys", key: "call-7" })}`,
      ).out,
    );
    expect(second).toEqual(first);
    expect(other).toMatchObject({
      isError: true,
      text: expect.stringMatching(/key call-7 was used for another request/),
    });
    const added = records(run(`events${store} --stream session:keys`).out).filter(({ type }) => type === "todo.added");
    expect(added).toMatchObject([{ actor: "reviewer", data: { text: "once" } }]);
  });

  test("a run that is repeated with its key changes nothing", () => {
    const lines = `${call({ add: ["a"] })}\n${call({ done: 1 })}`;
    const first = run(`call --session again --key run-1${store}`, lines);
    expect(records(first.out).map(({ text }) => text)).toEqual(["Added 1. 0/1 now #1 a", "1/1 all done"]);
    expect(run(`call --session again --key run-1${store}`, lines)).toEqual(first);
    expect(records(run(`call --session again --key run-1${store}`, call({})).out)).toMatchObject([{ isError: true }]);
    expect(run(`forget again --yes${store}`).exit).toBe(0);
  });

  test("doctor finds nothing wrong, in words and as JSON", () => {
    expect(run(`doctor${store}`)).toMatchObject({
      exit: 0,
      err: "",
      out: expect.stringContaining("every event, stream and view is intact"),
    });
    const [report] = records(run(`doctor${store} --json`).out);
    expect(report).toMatchObject({ isHealthy: true, findings: [], totals: { streams: 2, schema: 3, oldestWriter: 1 } });
    expect(run(`doctor${store} --rebuild`)).toMatchObject({ exit: 0 });
  });

  test("export and import carry everything over, byte for byte, and twice is once", () => {
    const [file, target] = [join(folder, `export-${++files}.jsonl`), freshFile()];
    expect(run(`export ${file}${store}`)).toMatchObject({ exit: 0, out: expect.stringMatching(/^Wrote \d+ events/) });
    expect(run(`export${store}`).out).toBe(readFileSync(file, "utf8"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(run(`import ${file} --dry-run --store ${target}`)).toMatchObject({
      exit: 3,
      err: expect.stringContaining("[no-store]"),
    });
    run(`call --store ${target}`, call({}));
    expect(run(`import ${file} --dry-run --store ${target}`).out).toMatch(
      /^Would import \d+ events .* 0 already existed/,
    );
    expect(records(run(`events --store ${target}`).out)).toEqual([]);
    expect(run(`import ${file} --store ${target}`).exit).toBe(0);
    expect(run(`import ${file} --store ${target}`).out).toMatch(/^Imported 0 events /);
    expect(run(`export --store ${target}`).out).toBe(readFileSync(file, "utf8"));
    expect(run(`doctor --store ${target}`)).toMatchObject({ exit: 0 });
    expect(records(run(`call --store ${target}`, call({})).out)[0]).toMatchObject({
      text: expect.stringMatching(/^1\/2 now #2 b/),
    });
  });

  test("a backup is a store, and nothing is overwritten", () => {
    const file = join(folder, `backup-${++files}.db`);
    expect(run(`backup ${file}${store}`)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^Copied \d+ events to .* and checked them/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(run(`backup ${file}${store}`)).toMatchObject({ exit: 1, err: expect.stringContaining("[file-exists]") });
    expect(run(`export --store ${file}`).out).toBe(run(`export${store}`).out);
    // Reading it gave it a head; a later backup of that name is another file.
    rmSync(file);
    expect(run(`backup ${file}${store}`).exit).toBe(0);
    expect(run(`events --store ${file}`).exit).toBe(0);
  });

  test("forget asks first, then takes all of it", () => {
    run(`call${store}`, call({ add: ["secret"] }, { session: "private" }));
    expect(run(`forget private${store}`)).toMatchObject({ exit: 1, err: expect.stringContaining("[needs-yes]") });
    expect(run(`forget private --yes${store}`)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^Deleted session private: \d+ events/),
    });
    expect(run(`forget private --yes${store}`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining("[unknown-session]"),
    });
    const said = run(`events${store}`);
    expect(said.out).not.toContain("secret");
    expect(records(said.out)[0]).toMatchObject({ type: "log.pruned", upTo: expect.any(String) });
    expect(records(run(`call${store}`, call({})).out)[0]).toMatchObject({
      isError: false,
      text: expect.stringContaining("#2 b"),
    });
  });

  test("events --follow shows what others write, and ends with Ctrl+C", async () => {
    const child: ChildProcessWithoutNullStreams = spawn(
      process.execPath,
      [command, "events", "--follow", ...store.split(" ").filter(Boolean)],
      { env: environment },
    );
    const lines: { stream: string; data: { text?: string } }[] = [];
    const reader = createInterface({ input: child.stdout });
    const seen = new Promise<void>((resolve) => {
      reader.on("line", (line) => {
        lines.push(JSON.parse(line));
        if (line.includes("while it is followed")) resolve();
      });
    });
    await once(reader, "line");
    run(`call${store}`, call({ add: ["written while it is followed"] }, { session: "live" }));
    await seen;
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(lines.some(({ stream }) => stream === "session:live")).toBe(true);
  });
});

describe("an export file is not believed", () => {
  const start = '{"milepost":"export","format":1}';
  const event = (version: number, more: object = {}) =>
    JSON.stringify({
      stream: "session:x",
      version,
      type: "todo.noted",
      at: 1,
      data: { number: 1, text: "n", revision: version },
      ...more,
    });
  const end = (events: number) => JSON.stringify({ milepost: "end", events });

  test.each([
    ["cut off", [start, event(1)]],
    ["a line short", [start, event(1), end(2)]],
    ["without a start", [event(1), end(1)]],
    ["of another format", ['{"milepost":"export","format":9}', end(0)]],
    ["not JSON", [start, "nonsense", end(0)]],
    ["with a stream that is a path", [start, event(1, { stream: "session:../../etc/passwd" }), end(1)]],
    ["with a version that is none", [start, event(1, { version: "1" }), end(1)]],
    ["with a gap", [start, event(1), event(3), end(2)]],
    [
      "with a gap far behind",
      [start, ...Array.from({ length: 700 }, (_, index) => event(index + 1)), event(702), end(701)],
    ],
    ["with one event twice", [start, event(1), event(2), event(2, { at: 2 }), end(3)]],
    ["with a type that is none", [start, event(1, { type: "x" }), end(1)]],
    ["with an id that is none", [start, event(1, { id: "a\u0000b" }), end(1)]],
    ["with data that is none", [start, event(1, { data: [] }), end(1)]],
    [
      "with a base that is none",
      [
        start,
        JSON.stringify({ base: "list", stream: "session:x", revision: 1, version: 2, data: { phases: 7 } }),
        end(0),
      ],
    ],
    ["going on behind its end", [start, end(0), event(1)]],
  ])("%s: refused, and nothing is imported", (_name, lines) => {
    const [file, store] = [join(folder, `bad-${++files}.jsonl`), freshFile()];
    writeFileSync(file, `${lines.join("\n")}\n`);
    const { exit, out, err } = run(`import ${file} --store ${store}`);
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(/^milepost: .*\[(?:bad-record|missing-events)\]\n$/);
    expect(records(run(`events --store ${store}`).out)).toEqual([]);
  });

  test("events that no version could have written are kept, and passed over by the list", () => {
    const [file, store] = [join(folder, `odd-${++files}.jsonl`), freshFile()];
    const odd = [
      event(1, { type: "todo.moved", data: { number: {}, to: "flying" } }),
      event(2, { type: "list.ordered", data: { phases: "x", revision: 1 } }),
      event(3, { type: "todo.blessed", data: { deep: [[[]]] } }),
    ];
    writeFileSync(file, `${[start, ...odd, end(3)].join("\n")}\n`);
    expect(run(`import ${file} --store ${store}`).exit).toBe(0);
    expect(records(run(`call --store ${store}`, call({ add: ["a"] }, { session: "x" })).out)).toMatchObject([
      { isError: false },
    ]);
    expect(run(`doctor --store ${store}`).exit).toBe(0);
  });
});

test("a store that was named wrongly is not made by commands that read", () => {
  const store = freshFile();
  const file = join(folder, `nothing-${++files}`);
  for (const line of ["events", "export", `backup ${file}`, "forget a --yes"])
    expect(run(`${line} --store ${store}`)).toMatchObject({
      exit: 3,
      out: "",
      err: expect.stringContaining("[no-store]"),
    });
  expect([existsSync(join(store, "..")), existsSync(file)]).toEqual([false, false]);
});

test("a session that was only read from its transcript can be forgotten, and is not exported", async () => {
  const path = freshFile();
  const store = await openStore(path, { projections: [] });
  const transcript = { machine: "here", path: "/a.jsonl", session: "claude:only-read", at: Date.now() };
  await store.keepReadings([{ ...transcript, data: '{"todo":"secret"}' }]);
  await store.close();
  expect(run(`export --store ${path}`).out).not.toContain("secret");
  expect(run(`doctor --store ${path}`)).toMatchObject({
    exit: 0,
    out: expect.stringContaining("cached transcripts 90 days after their last change"),
  });
  expect(run(`forget claude:only-read --yes --store ${path}`)).toMatchObject({
    exit: 0,
    out: "Deleted session claude:only-read: 0 events in 0 streams, and what was read of a transcript.\n",
  });
  expect(run(`forget claude:only-read --yes --store ${path}`)).toMatchObject({ exit: 2 });
  expect(readFileSync(path).includes("secret")).toBe(false);
});

test("an export never overwrites the store it comes from", () => {
  const store = freshFile();
  run(`call --store ${store}`, call({ add: ["a"] }));
  for (const file of [store, `${store}-head`])
    expect(run(`export ${file} --force --store ${store}`)).toMatchObject({
      exit: 1,
      err: expect.stringContaining("[file-exists]"),
    });
  expect(run(`doctor --store ${store}`)).toMatchObject({ exit: 0 });
});

test("an export never takes the place of something that is no plain file", () => {
  const store = freshFile();
  run(`call --store ${store}`, call({ add: ["a"] }));
  const [link, target] = [join(folder, "link"), join(folder, "target")];
  writeFileSync(target, "mine");
  symlinkSync(target, link);
  for (const file of [link, folder, "/dev/null"].filter((path) => existsSync(path)))
    expect(run(`export ${file} --force --store ${store}`)).toMatchObject({
      exit: 3,
      err: expect.stringContaining("[not-a-file]"),
    });
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(run(`export ${target} --store ${store}`)).toMatchObject({
    exit: 1,
    err: expect.stringContaining("[file-exists]"),
  });
  expect(run(`export ${target} --force --store ${store}`)).toMatchObject({ exit: 0 });
});

test("a folder for the store is made when it is first used, and not before", () => {
  const store = freshFile();
  run(`doctor --store ${store}`);
  run("--help");
  expect(existsSync(join(store, ".."))).toBe(false);
});
