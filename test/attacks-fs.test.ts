import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, type TestContext, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { todosOf } from "../src/core/todo/list.js";
import { runHook } from "../src/hook/run.js";
import { append } from "../src/store/event-store.js";
import { attacksOn, testedIn } from "./attack-entries.js";
import { freshDatabase } from "./databases.js";
import { randomFrom } from "./random.js";
import { readableCommand } from "./readable-command.js";
import { SEED, sized } from "./sizes.js";
import { runWarm } from "./warm-command.js";

// The entries of surface "fs": the built command as users run it, on real files. Those of "sql" are in attacks-store.test.ts.

const attacks = attacksOn("fs");

/** Entries about things that do not exist yet; the issue that builds them brings their test. */
const LATER: Readonly<Record<string, string>> = {
  "fs-token-file": "tokens come with HTTP",
  "fs-zip-slip": "nothing reads archives; an export is one file of lines",
};

/** Entries about transcripts alone are tested where those are. */
const tested = new Set<string>(testedIn("attacks-transcripts.test.ts", ["fs-symlink-transcript"]));
function attack(id: string, name: string, run: (context: TestContext) => Promise<void>): void {
  tested.add(id);
  test(`${id}: ${name}`, run);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "milepost.cjs");
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-fs-")));
chmodSync(folder, 0o755); // another user must get through to the stores that are given to it
const mounts: string[] = [];
const locked: string[] = [];
const alive: Live[] = [];
let made = 0;
const fresh = () => join(folder, `${++made}`);

afterEach(() => {
  for (const live of alive.splice(0)) live.process.kill("SIGKILL");
});
afterAll(() => {
  for (const mount of mounts) spawnSync("umount", ["-l", mount]);
  for (const path of locked) chmodSync(path, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

interface World {
  readonly home: string;
  readonly cwd?: string;
  readonly uid?: number | undefined;
  /** A command that starts ours: another umask, a limit. */
  readonly through?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Milliseconds until a command that waits for ever is killed; it has no exit code then. */
  readonly patience?: number;
}

const OPEN_UMASK = ["sh", "-c", 'umask 000; exec "$@"', "sh"];

function start({ home, cwd = folder, uid, through = [], environment }: World, args: readonly string[]) {
  const bundle = uid === undefined ? command : (readableCommand(uid) ?? command);
  const [file = "", ...rest] = [...through, process.execPath, bundle, ...args];
  const { MILEPOST_STORE: _, XDG_STATE_HOME: __, ...inherited } = process.env;
  const env = { ...inherited, HOME: join(folder, "user"), MILEPOST_HOME: home, ...environment };
  return { file, rest, options: { cwd, env, ...(uid === undefined ? undefined : { uid, gid: uid }) } };
}

function run(world: World, args: readonly string[], input = "") {
  const { file, rest, options } = start(world, args);
  const timeout = world.patience ?? 10_000;
  const ended = spawnSync(file, rest, { ...options, input, encoding: "utf8", timeout, maxBuffer: 1 << 28 });
  return { exit: ended.status, out: ended.stdout, err: ended.stderr };
}

/** Without a process of its own where no other user is needed: for what cannot wait for ever. */
function runHere(world: World, args: readonly string[], input = "") {
  if (world.uid !== undefined) return run(world, args, input);
  const { options } = start(world, args);
  return runWarm(args, { input, folder, environment: options.env });
}

/** One process that lives on between two calls. */
class Live {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly #ended: Promise<unknown>;
  #wake: (() => void) | undefined;

  constructor(world: World, args: readonly string[]) {
    const { file, rest, options } = start(world, args);
    this.process = spawn(file, rest, { ...options, stdio: "pipe" });
    this.#ended = once(this.process, "close").then(() => this.#wake?.());
    this.process.stdin.on("error", () => undefined);
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      this.lines.push(line);
      this.#wake?.();
    });
    alive.push(this);
  }

  async line(index: number): Promise<string> {
    while (this.lines[index] === undefined && this.process.exitCode === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.lines[index] ?? "{}";
  }

  async ask(call: object): Promise<{ readonly text: string; readonly isError: boolean }> {
    const index = this.lines.length;
    this.process.stdin.write(`${JSON.stringify(call)}\n`);
    return JSON.parse(await this.line(index));
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.process.kill(signal);
    else this.process.stdin.end();
    await this.#ended;
    return this.process.exitCode;
  }
}

const add = (text: string, more: object = {}) => ({ tool: "todo", input: { add: [text] }, ...more });
const addLine = (text: string, more: object = {}) => JSON.stringify(add(text, more));
const refusal = (exit: number, code: string) => ({
  exit,
  out: "",
  err: expect.stringMatching(new RegExp(`^milepost: [^\\n]*\\[${code}\\]\\n$`)),
});
const modes = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const textsOf = (events: string) =>
  events
    .split("\n")
    .filter((line) => line.includes('"todo.added"'))
    .map((line): string => JSON.parse(line).data.text);

/** A store with one todo. */
function madeHome(text = "first"): string {
  const home = fresh();
  expect(run({ home }, ["call"], addLine(text))).toMatchObject({ exit: 0, err: "" });
  return home;
}

attack("fs-cwd-config", "a cloned repository names no store, no command and no address", async () => {
  const [home, clone, evil] = [fresh(), fresh(), fresh()];
  mkdirSync(join(clone, ".git"), { recursive: true });
  mkdirSync(join(clone, ".milepost"));
  const wishes = {
    store: join(evil, "x.db"),
    MILEPOST_STORE: join(evil, "y.db"),
    home: evil,
    host: "0.0.0.0",
    port: 80,
  };
  const more = {
    "claude-code.hooks": "commands",
    hooks: { SessionStart: `touch ${evil}` },
    node: "/bin/sh",
    editor: "sh",
  };
  writeFileSync(join(clone, ".milepost", "config.json"), JSON.stringify({ ...wishes, ...more }));
  const { options } = start({ home }, []);
  const here = (args: readonly string[], input = "") =>
    runWarm(args, { input, folder: clone, environment: options.env });
  expect(here(["call"], addLine("kept")).exit).toBe(0);
  const started = JSON.stringify({ session_id: "s", hook_event_name: "SessionStart", cwd: clone });
  expect(await runHook({ environment: options.env, process: "m:1", read: () => started })).toBe("");
  expect([existsSync(evil), existsSync(join(home, "milepost.db"))]).toEqual([false, true]);
  const { settings, findings } = JSON.parse(here(["config", "--json"]).out);
  expect(settings.every(({ from }: { readonly from: string }) => from === "default")).toBe(true);
  expect(findings.length).toBeGreaterThan(5);
});

describe("names that would be paths", () => {
  const listed: Readonly<Record<string, readonly string[]>> = {
    "fs-session-dot": [".", "..", "...", "CON", "NUL.jsonl", "a%2f..%2fb"],
    "fs-list-id-hash": ["x".repeat(300), "🚧", "build.", "build ", " build", "", "../x", "a\\b", "aux", "con.txt"],
    "fs-unicode-fold": ["caf\u00e9", "cafe\u0301", "\u212aelvin", "ﬁle"],
  };

  for (const [id, names] of Object.entries(listed)) {
    attack(id, "refused as session and as agent, and nothing is made", async () => {
      const home = fresh();
      const milepost = await openMilepost({ environment: { MILEPOST_HOME: home } });
      for (const name of names) {
        const refused = { ok: false, error: { code: "bad-id" } };
        expect([name, await milepost.call({ ...add("x"), session: name })]).toMatchObject([name, refused]);
        expect([name, await milepost.call({ ...add("x"), agent: name })]).toMatchObject([name, refused]);
        expect([name, await milepost.list({ session: name })]).toMatchObject([name, refused]);
      }
      expect(await milepost.store.totals()).toMatchObject({ streams: 0, events: 0 });
      await milepost.close();
      const { exit, out } = runHere({ home }, ["call"], names.map((session) => addLine("x", { session })).join("\n"));
      const answers = out.trim().split("\n");
      expect([exit, answers.filter((line) => JSON.parse(line).isError)]).toEqual([0, answers]);
      expect(readdirSync(home).filter((name) => !/^milepost\.(?:db(?:-wal|-shm)?|head)$/.test(name))).toEqual([]);
    });
  }

  attack("fs-session-dot", "refused by forget, before a store is looked for", async () => {
    const home = fresh();
    for (const name of listed["fs-session-dot"] ?? [])
      expect(runHere({ home }, ["forget", name, "--yes"])).toEqual(refusal(2, "bad-id"));
    expect(existsSync(home)).toBe(false);
  });

  attack("fs-session-dot", "refused in a file that is imported", async () => {
    const [home, file] = [madeHome(), fresh()];
    for (const name of listed["fs-session-dot"] ?? []) {
      const event = { stream: `session:${name}`, version: 1, type: "todo.added", at: 1, data: {} };
      const lines = [{ milepost: "export", format: 1 }, event, { milepost: "end", events: 1 }];
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
      expect(runHere({ home }, ["import", file])).toEqual(refusal(1, "bad-record"));
    }
  });

  test("the longest name that is one", async () => {
    const milepost = await openMilepost({ environment: { MILEPOST_HOME: fresh() } });
    expect(await milepost.call({ ...add("x"), session: "x".repeat(128) })).toMatchObject({ ok: true });
    expect(await milepost.call({ ...add("x"), session: "x".repeat(129) })).toMatchObject({ ok: false });
    await milepost.close();
  });

  attack("fs-case-fold", "kept apart on every engine, and forgotten apart", async () => {
    for (const store of ["memory:", `${fresh()}.db`, await freshDatabase("folded")]) {
      const milepost = await openMilepost({ store });
      const texts = async (session: string, agent?: string) => {
        const list = await milepost.list({ session, ...(agent ? { agent } : undefined) });
        return list.ok ? todosOf(list.value).map(({ text }) => text) : list.error.code;
      };
      for (const session of ["Build", "build"])
        for (const agent of [undefined, "Sub", "sub"])
          await milepost.call({ ...add(`${session} ${agent}`), session, ...(agent ? { agent } : undefined) });
      for (const session of ["Build", "build"])
        for (const agent of [undefined, "Sub", "sub"])
          expect(await texts(session, agent)).toEqual([`${session} ${agent}`]);
      expect((await milepost.store.forget("Build")).streams).toHaveLength(3);
      expect([await texts("Build"), await texts("build")]).toEqual([[], ["build undefined"]]);
      await milepost.close();
    }
  });
});

describe.skipIf(process.platform === "win32")("files that are not what they seem", () => {
  const madeFifo = (path: string) => {
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
    return path;
  };

  attack("fs-fifo", "import refuses it at once", async () => {
    const home = madeHome();
    expect(run({ home }, ["import", madeFifo(fresh())])).toEqual(refusal(3, "not-a-file"));
  });

  attack("fs-fifo", "it is no store", async () => {
    const [home, fifo] = [fresh(), madeFifo(fresh())];
    expect(run({ home }, ["events", "--store", fifo])).toEqual(refusal(3, "not-a-store"));
    // Not healthy, and not "no store is here yet".
    expect(run({ home }, ["doctor", "--store", fifo])).toMatchObject({ exit: 3 });
  });

  for (const name of ["milepost.head", "milepost.db-wal"])
    attack("fs-fifo", `in the place of ${name} it stops nobody for ever`, async () => {
      const home = madeHome();
      rmSync(join(home, name), { force: true });
      madeFifo(join(home, name));
      const world = { home, patience: 4000 };
      expect([run(world, ["doctor"]).exit, run(world, ["events"]).exit]).not.toContain(null);
    });

  attack("fs-dev-zero", "refused, to import and as a store", async () => {
    const home = madeHome();
    expect(run({ home }, ["import", "/dev/zero"])).toEqual(refusal(3, "not-a-file"));
    expect(run({ home }, ["import", folder])).toEqual(refusal(3, "not-a-file"));
    expect(run({ home }, ["events", "--store", "/dev/zero"])).toEqual(refusal(3, "not-a-store"));
  });

  attack("fs-hardlink", "doctor warns, and an export over one leaves the other name alone", async () => {
    const home = madeHome();
    const database = join(home, "milepost.db");
    expect(runHere({ home }, ["doctor"]).out).not.toContain("[hard-link]");
    linkSync(database, `${fresh()}.db`);
    expect(runHere({ home }, ["doctor"])).toMatchObject({ exit: 0, out: expect.stringContaining("[hard-link]") });
    const [file, other] = [fresh(), fresh()];
    writeFileSync(file, "old");
    linkSync(file, other);
    expect(runHere({ home }, ["backup", file])).toEqual(refusal(1, "file-exists"));
    expect(runHere({ home }, ["export", file])).toEqual(refusal(1, "file-exists"));
    expect(runHere({ home }, ["export", file, "--force"])).toMatchObject({ exit: 0 });
    expect([readFileSync(other, "utf8"), readFileSync(file, "utf8")]).toEqual([
      "old",
      expect.stringContaining("first"),
    ]);
  });
});

describe.skipIf(process.platform === "win32")("rights", () => {
  const PRIVATE = { "milepost.db": "600", "milepost.db-shm": "600", "milepost.db-wal": "600", "milepost.head": "600" };
  /** With the compiled code of commands. */
  const PRIVATE_ALL = { ...PRIVATE, cache: "700" };

  attack("fs-mode-db", "private from the first byte on, whatever the umask", async () => {
    const parent = fresh();
    const world = { home: join(parent, "deep", "home"), through: OPEN_UMASK };
    const follower = new Live(world, ["events", "--follow"]);
    while (!existsSync(join(world.home, "milepost.head"))) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(run(world, ["call"], addLine("x"))).toMatchObject({ exit: 0 });
    await follower.line(0);
    expect([modeOf(parent), modeOf(join(parent, "deep")), modeOf(world.home)]).toEqual(["700", "700", "700"]);
    expect(modes(world.home)).toEqual(PRIVATE_ALL);
    const copies = fresh();
    mkdirSync(copies);
    expect(run(world, ["export", join(copies, "lines")])).toMatchObject({ exit: 0 });
    expect(run(world, ["backup", join(copies, "copy.db")])).toMatchObject({ exit: 0 });
    expect(modes(copies)).toEqual({ "copy.db": "600", lines: "600" });
    expect(await follower.end("SIGTERM")).toBe(0);
    expect(modes(world.home)).toEqual({ cache: "700", "milepost.db": "600", "milepost.head": "600" });
  });

  attack("fs-mode-existing", "an open folder and open files are closed, with a warning", async () => {
    const home = madeHome();
    // While somebody has it open, so that there are journals.
    const follower = new Live({ home }, ["events", "--follow"]);
    await follower.line(0);
    for (const name of Object.keys(PRIVATE)) chmodSync(join(home, name), 0o666);
    chmodSync(home, 0o777);
    const doctor = run({ home }, ["doctor"]);
    expect([doctor.exit, doctor.out]).toEqual([0, expect.stringMatching(/\[open-folder\][\s\S]*\[open-file\]/)]);
    const { exit, err } = run({ home }, ["events"]);
    expect([exit, err]).toEqual([
      0,
      expect.stringMatching(/^Other users had access to the folder [^\n]*\nOther users had access to the file /),
    ]);
    expect([modeOf(home), modes(home)]).toEqual(["700", PRIVATE_ALL]);
    expect(run({ home }, ["events"]).err).toBe("");
  });

  attack("fs-mode-existing", "an open folder without a store is closed before one is made", async () => {
    const home = fresh();
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(run({ home }, ["call"], addLine("x"))).toMatchObject({
      exit: 0,
      err: expect.stringMatching(/^Other users had access to the folder [^\n]*\n$/),
    });
    expect(modeOf(home)).toBe("700");
  });

  attack("fs-mode-existing", "what belongs to another user is refused", async (context) => {
    context.skip(!isRoot, "only root can give files away");
    const [folderOfOther, fileOfOther] = [fresh(), madeHome()];
    mkdirSync(folderOfOther);
    chownSync(folderOfOther, NOBODY, NOBODY);
    expect(run({ home: folderOfOther }, ["call"], addLine("x"))).toEqual(refusal(3, "store-not-yours"));
    expect(readdirSync(folderOfOther)).toEqual([]);
    chownSync(join(fileOfOther, "milepost.db"), NOBODY, NOBODY);
    expect(run({ home: fileOfOther }, ["events"])).toEqual(refusal(3, "store-not-yours"));
    // Works again when the cause is gone.
    chownSync(join(fileOfOther, "milepost.db"), 0, 0);
    expect(run({ home: fileOfOther }, ["events"])).toMatchObject({ exit: 0, err: "" });
  });
});

describe("a file is there whole, or not at all", () => {
  const KILLS = sized(5, 100);
  /** Large enough that it takes a while to write. */
  const events = Array.from({ length: 20_000 }, (_, n) => ({ type: "n.told", data: { n, text: "x".repeat(200) } }));
  const many = `${fresh()}.db`;
  const random = randomFrom(SEED);
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** What is being written, and has not got its name yet. */
  const unfinished = (place: string) => readdirSync(place).filter((name) => name.startsWith("."));

  async function killedWhileWriting(args: readonly string[], place: string, round: number): Promise<boolean> {
    const live = new Live({ home: place }, args);
    // Half of them early or late, by chance; half when it has surely begun.
    if (round % 2 === 0) await wait(random.below(300));
    else while (unfinished(place).length === 0 && live.process.exitCode === null) await wait(1);
    if (round % 2 === 1) await wait(random.below(60));
    await live.end("SIGKILL");
    const isCaught = unfinished(place).length > 0;
    for (const name of unfinished(place)) rmSync(join(place, name));
    return isCaught;
  }

  attack(
    "fs-rename-atomic",
    `killed ${KILLS} times during an export, the old one or the new one is there`,
    async () => {
      const milepost = await openMilepost({ store: many });
      await milepost.store.commit(append([{ stream: "calls:many", events }]));
      await milepost.close();
      const place = fresh();
      mkdirSync(place);
      const args = ["export", join(place, "lines"), "--force", "--store", many];
      expect(run({ home: place }, args)).toMatchObject({ exit: 0 });
      const newLines = readFileSync(join(place, "lines"), "utf8");
      expect(newLines).toMatch(/\n\{"milepost":"end","events":20000\}\n$/);
      const oldLines = '{"milepost":"export","format":1}\n{"milepost":"end","events":0}\n';
      let caught = 0;
      for (let round = 0; round < KILLS; round += 1) {
        writeFileSync(join(place, "lines"), oldLines);
        if (await killedWhileWriting(args, place, round)) caught += 1;
        const found = readFileSync(join(place, "lines"), "utf8");
        expect([oldLines, newLines].includes(found)).toBe(true);
      }
      expect(caught).toBeGreaterThan(0);
    },
  );

  attack("fs-rename-atomic", "killed during a backup, there is none or a whole one", async () => {
    const place = fresh();
    mkdirSync(place);
    let caught = 0;
    for (let round = 0; round < sized(3, 20); round += 1) {
      const file = join(place, `${round}.db`);
      if (await killedWhileWriting(["backup", file, "--store", many], place, round)) caught += 1;
      if (!existsSync(file)) continue;
      const copy = await openMilepost({ store: file });
      expect((await copy.store.totals()).events).toBe(events.length);
      await copy.close();
    }
    expect(caught).toBeGreaterThan(0);
  });

  attack("fs-rename-atomic", "a disk that takes only a part of the last line", async (context) => {
    const limit = (bytes: number) => ["prlimit", `--fsize=${bytes}`];
    context.skip(spawnSync("prlimit", ["--version"]).status !== 0, "no prlimit on this machine");
    const place = fresh();
    mkdirSync(place);
    const file = join(place, "lines");
    const world = { home: place };
    expect(run(world, ["export", file, "--store", many])).toMatchObject({ exit: 0 });
    const { size } = statSync(file);
    for (const short of [3, 20, 1_000_000]) {
      writeFileSync(file, "old");
      const args = ["export", file, "--force", "--store", many];
      const ran = run({ ...world, through: limit(size - short) }, args);
      expect([short, ran.exit, readFileSync(file, "utf8").slice(0, 9)]).toEqual([short, 3, "old"]);
      expect(ran.err).toMatch(/^milepost: [^\n]*\[[a-z-]+\]\n$/);
      expect(ran.err).not.toContain("input cannot be read");
      expect(unfinished(place)).toEqual([]);
    }
  });
});

attack("fs-git-tracked", "nothing appears in the repository one works in", async () => {
  const repository = fresh();
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-C", repository, ...args], { encoding: "utf8", env: { ...process.env, HOME: folder } });
  mkdirSync(repository);
  expect(git("init", "--quiet").status).toBe(0);
  const user = fresh();
  const home = fresh();
  const worlds: readonly World[] = [
    { home, cwd: repository },
    { home: "", cwd: repository, environment: { HOME: user, LOCALAPPDATA: "" } },
  ];
  for (const world of worlds) {
    expect(run(world, ["call"], addLine("x"))).toMatchObject({ exit: 0 });
    for (const args of [["doctor"], ["export"]]) expect(runHere(world, args)).toMatchObject({ exit: 0 });
  }
  expect(git("status", "--porcelain", "--ignored").stdout).toBe("");
  expect(existsSync(join(home, "milepost.db"))).toBe(true);
  expect(existsSync(join(user, ".local", "state", "milepost", "milepost.db"))).toBe(true);
});

function mountSmall(size: string): string | undefined {
  const path = fresh();
  mkdirSync(path);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", path]).status !== 0) return undefined;
  mounts.push(path);
  return path;
}

interface Frozen {
  readonly home: string;
  readonly uid?: number | undefined;
}

/** Makes a store with `fill`, and then a place of it that cannot be written; undefined where that is not possible. */
const freezers: Readonly<Record<string, (fill: (home: string) => Promise<void>) => Promise<Frozen | undefined>>> = {
  "on a disk that is mounted read-only": async (fill) => {
    const disk = mountSmall("8m");
    if (!disk) return undefined;
    await fill(join(disk, "home"));
    return spawnSync("mount", ["-o", "remount,ro", disk]).status === 0 ? { home: join(disk, "home") } : undefined;
  },
  "in a folder without the right to write": async (fill) => {
    const home = fresh();
    await fill(home);
    const uid = isRoot ? NOBODY : undefined;
    if (uid !== undefined && run({ home, uid }, ["--version"]).exit !== 0) return undefined;
    for (const name of readdirSync(home)) {
      if (uid !== undefined) chownSync(join(home, name), uid, uid);
      chmodSync(join(home, name), 0o400);
    }
    if (uid !== undefined) chownSync(home, uid, uid);
    chmodSync(home, 0o500);
    locked.push(home);
    return { home, uid };
  },
};

describe.skipIf(process.platform === "win32").each(Object.entries(freezers))("a store %s", (_, freeze) => {
  const IMPOSSIBLE = "not possible here: no right to mount, or a command that others may not read";

  for (const signal of [undefined, "SIGKILL"] as const) {
    const after = signal ? "after its last writer was killed" : "after its last writer ended";
    attack("fs-readonly-fs", `can be read, ${after}`, async (context) => {
      const frozen = await freeze(async (home) => {
        const live = new Live({ home }, ["call"]);
        expect(await live.ask(add("first"))).toMatchObject({ isError: false });
        await live.end(signal);
      });
      if (!frozen) return context.skip(IMPOSSIBLE);
      const events = runHere(frozen, ["events"]);
      expect([events.exit, events.err, textsOf(events.out)]).toEqual([0, "", ["first"]]);
      const looked = runHere(frozen, ["call"], JSON.stringify({ tool: "todo", input: {} }));
      expect(looked).toEqual({ exit: 0, err: "", out: expect.stringMatching(/1\. first.*"isError":false/) });
      const copies = fresh();
      mkdirSync(copies);
      chmodSync(copies, 0o777);
      expect(runHere(frozen, ["backup", join(copies, "copy.db")])).toMatchObject({ exit: 0, err: "" });
      const doctor = runHere(frozen, ["doctor"]);
      expect([doctor.exit, doctor.out]).toEqual([0, expect.stringContaining("every event, stream and view is intact")]);
    });
  }

  attack("fs-readonly-fs", "says so when it should be written", async (context) => {
    const frozen = await freeze(async (home) => {
      expect(run({ home }, ["call"], addLine("first"))).toMatchObject({ exit: 0 });
    });
    if (!frozen) return context.skip(IMPOSSIBLE);
    const refused = refusal(3, "store-read-only");
    const lines = [addLine("second"), addLine("third", { key: "k" })].join("\n");
    expect(run(frozen, ["call"], lines)).toEqual({
      ...refused,
      out: expect.stringMatching(/^(?:\{"text":"[^\n]*\[store-read-only\]","isError":true\}\n){2}$/),
    });
    expect(runHere(frozen, ["forget", "default", "--yes"])).toEqual(refused);
    const [other, file] = [madeHome("other"), fresh()];
    expect(runHere({ home: other }, ["export", file])).toMatchObject({ exit: 0 });
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("session:default", "session:other"));
    chmodSync(file, 0o644);
    expect(runHere(frozen, ["import", file])).toEqual(refused);
    expect(textsOf(runHere(frozen, ["events"]).out)).toEqual(["first"]);
    // Where there is none yet, none can be made.
    const none = runHere({ ...frozen, home: join(frozen.home, "none") }, ["events"]);
    expect([refused, refusal(3, "store-not-yours")]).toContainEqual(none);
  });
});

interface Tight {
  readonly world: World;
  /** Makes room again, for the process that is running. */
  free(live: Live): void;
}

const tightPlaces: Readonly<Record<string, () => Tight | undefined>> = {
  "on a disk of 2 MB": () => {
    const disk = mountSmall("2m");
    if (!disk) return undefined;
    writeFileSync(join(disk, "filler"), Buffer.alloc(1 << 20));
    return { world: { home: join(disk, "home") }, free: () => rmSync(join(disk, "filler")) };
  },
  // Like a quota: the system refuses to let the file grow, and lets it again when the limit is lifted.
  "under a limit of 1 MB for each file": () => {
    const home = fresh();
    const limit = ["prlimit", `--fsize=${1 << 20}:unlimited`];
    if (spawnSync("prlimit", ["--version"]).status !== 0) return undefined;
    const free = ({ process: { pid } }: Live) =>
      expect(spawnSync("prlimit", [`--pid=${pid}`, "--fsize=unlimited:unlimited"]).status).toBe(0);
    return { world: { home, through: limit }, free };
  },
};

describe.each(Object.entries(tightPlaces))("a store %s", (_, makeTight) => {
  attack(
    "fs-enospc",
    "is full, loses nothing, and goes on when there is room, in the same process",
    async (context) => {
      const tight = makeTight();
      if (!tight) return context.skip("not possible here: no right to mount, or no prlimit");
      const { home } = tight.world;
      const live = new Live(tight.world, ["call"]);
      const kept: string[] = [];
      const full: string[] = [];
      const write = async (number: number) => {
        const text = `${number} ${"x".repeat(3000)}`;
        const { isError, text: said } = await live.ask(add(text, { session: `s${number}` }));
        if (isError) full.push(said);
        else kept.push(text);
      };
      for (let number = 1; number <= 400 && full.length < 3; number += 1) await write(number);
      expect(kept.length).toBeGreaterThan(10);
      expect(full).toEqual(full.map(() => expect.stringMatching(/cannot grow[^\n]*\[store-full\]$/)));
      expect(full).toHaveLength(3);
      // Others still read everything that was answered for.
      expect(textsOf(runHere({ home }, ["events"]).out)).toEqual(kept);
      tight.free(live);
      for (let number = 1001; number <= 1020; number += 1) await write(number);
      expect([full.length, kept.at(-1)?.slice(0, 5)]).toEqual([3, "1020 "]);
      // It did say that there was trouble.
      expect(await live.end()).toBe(3);
      expect(textsOf(runHere({ home }, ["events"]).out)).toEqual(kept);
      expect(runHere({ home }, ["doctor"])).toMatchObject({ exit: 0, err: "" });
    },
  );
});

attack(
  "fs-enospc",
  "a disk that is full when the store is made: told in one line, and made when there is room",
  async (context) => {
    const disk = mountSmall("256k");
    if (!disk) return context.skip("not possible here: no right to mount");
    const [home, filler] = [join(disk, "home"), join(disk, "filler")];
    for (const pages of [0, 4, 12, 28]) {
      writeFileSync(filler, Buffer.alloc((64 - pages) * 4096));
      const ran = run({ home }, ["call"], addLine("x"));
      if (ran.exit !== 0) expect([pages, { ...ran, out: "" }]).toEqual([pages, refusal(3, "store-full")]);
      if (pages === 0) expect(ran.exit).toBe(3);
      truncateSync(filler, 0);
      expect([pages, run({ home }, ["call"], addLine("x"))]).toMatchObject([pages, { exit: 0, err: "" }]);
      expect([pages, run({ home }, ["doctor"])]).toMatchObject([pages, { exit: 0, err: "" }]);
      rmSync(home, { recursive: true });
    }
  },
);

test("every entry of this surface is tested here, or has its reason", () => {
  const open = attacks.filter(({ id }) => !tested.has(id) && !(id in LATER));
  expect(open.map(({ id }) => id)).toEqual([]);
  const named = [...tested, ...Object.keys(LATER)];
  expect(named.filter((id) => !attacks.some((entry) => entry.id === id))).toEqual([]);
  expect([...tested].filter((id) => id in LATER)).toEqual([]);
});
