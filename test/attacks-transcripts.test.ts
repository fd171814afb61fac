import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { showSessions } from "../src/app/terminal/sessions/session-detail.js";
import { tableRows } from "../src/app/terminal/sessions/session-table.js";
import { transcriptRoots } from "../src/app/transcripts/agents/agent-roots.js";
import { Attachment } from "../src/app/transcripts/attachment.js";
import { FollowedFile } from "../src/app/transcripts/follow/followed-file.js";
import { restore } from "../src/app/transcripts/restore-sessions.js";
import { reportOf } from "../src/app/transcripts/session-report.js";
import { findTranscripts } from "../src/app/transcripts/transcript-files.js";
import type { SessionView } from "../src/core/session/session-facts.js";
import { todosOf } from "../src/core/todo/list.js";
import { Transcript } from "../src/readers/transcript.js";
import { FORMATS } from "../src/readers/transcript-formats.js";
import { type Attack, attacksOn, evaluate } from "./attack-entries.js";
import { answers, as, calls, chained, type Line, says, todos, user } from "./readers/claude-lines.js";
import { reportWith } from "./readers/session-reports.js";
import { sized } from "./sizes.js";

// What hostile bytes in a transcript can do: the entries of "json" and "limits" that apply to files, and those of "fs" that
// apply to where the files are. The same entries as input of commands are in attacks.test.ts and attacks-fs.test.ts.

const attacks = attacksOn("json", "limits", "fs", "prompt");
const find = (id: string): Attack => {
  const found = attacks.find((one) => one.id === id);
  if (!found) throw new Error(`No attack is called ${id}`);
  return found;
};

const folder = mkdtempSync(join(tmpdir(), "milepost-transcripts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const fresh = (name = "s1.jsonl") => {
  const place = join(folder, `${++made}`);
  mkdirSync(place);
  return join(place, name);
};

const json = (value: unknown) => `${JSON.stringify(value)}\n`;
const text = (lines: readonly Line[]) => chained(lines).map(json).join("");
/** The same prompt with a session, so that somebody is there to be told of. */
const inSession = (bytes: string) => bytes.replaceAll('{"type":"user"', '{"type":"user","sessionId":"s1"');
const START = text([as("start", user("go"))]);

function read(bytes: string | Uint8Array, size = 1_000_003): Transcript {
  const transcript = new Transcript({ file: "s1.jsonl" });
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) transcript.push(all.subarray(at, at + size));
  return transcript;
}
const view = (transcript: Transcript): SessionView => {
  const found = transcript.views.get("s1");
  if (!found) throw new Error("No session was read");
  return found;
};
/** What it keeps can be written down, and read by another. */
const kept = (transcript: Transcript): string => JSON.stringify(transcript.save()) ?? "";

/** What is very large is not put into each place, or each reader, at each push. */
function atPush<Place>(places: readonly Place[], bytes: number): readonly Place[] {
  return places.filter((_, at) => at % (bytes > 1_000_000 ? sized(3, 1) : 1) === 0);
}

describe("json", () => {
  test("json-bom: it is skipped at the beginning, and nowhere else", () => {
    const line = inSession(`${find("json-bom").input}\n`);
    const transcript = read(line + line, 1);
    expect(view(transcript).turns).toBe(1);
    expect(transcript.problems).toEqual({ lines: 1, first: [{ offset: Buffer.byteLength(line), why: "no JSON" }] });
  });

  test("json-truncated-line: the first record counts, the rest waits and is told of", async () => {
    const bytes = inSession(String(evaluate(find("json-truncated-line").input)));
    const rest = '{"type":"assist'.length;
    const transcript = read(bytes, 1);
    expect([view(transcript).turns, transcript.problems.lines, transcript.unfinished]).toEqual([1, 0, rest]);
    transcript.push(
      Buffer.from('ant","sessionId":"s1","uuid":"2","message":{"content":[{"type":"text","text":"Hi"}]}}\n'),
    );
    expect([view(transcript).phase, transcript.problems.lines, transcript.unfinished]).toEqual(["resting", 0, 0]);

    const path = fresh();
    writeFileSync(path, bytes);
    const restored = await restore([path], undefined);
    expect(restored).toMatchObject({ ok: true, value: { sessions: [{ unfinished: rest, problems: { lines: 0 } }] } });
  });

  test("json-garbage-line: two records, and one bad line by its place", () => {
    const bytes = inSession(String(evaluate(find("json-garbage-line").input)));
    for (const size of [1, 3, 1000]) {
      const transcript = read(bytes, size);
      expect(view(transcript).turns).toBe(2);
      expect(transcript.problems).toEqual({ lines: 1, first: [{ offset: bytes.indexOf("\n") + 1, why: "no JSON" }] });
    }
  });

  test("json-garbage-line: of very many only the first are kept", () => {
    const { problems } = read(START + "\0\n".repeat(100_000));
    expect([problems.lines, problems.first.length <= 20]).toEqual([100_000, true]);
  });

  test("json-invalid-utf8: no crash, and later offsets are exact", () => {
    const line = evaluate(find("json-invalid-utf8").input) as Buffer;
    const prompt = Buffer.from(json({ type: "user", sessionId: "s1", message: { content: "?" } }));
    const [before, after] = [prompt.subarray(0, prompt.indexOf("?")), prompt.subarray(prompt.indexOf("?") + 1)];
    const hostile = Buffer.concat([before, line.subarray(6, 12), after]);
    const transcript = read(Buffer.concat([line, hostile, Buffer.from("bad\n")]), 5);
    expect(view(transcript).title).toMatch(/\ufffd/);
    expect(transcript.problems).toEqual({
      lines: 1,
      first: [{ offset: line.length + hostile.length, why: "no JSON" }],
    });
  });

  test("json-split-utf8: an emoji over chunks, and over two appends to a file", async () => {
    const bytes = Buffer.from(text([user("a😀b"), ...[says("Done.")]]));
    for (const size of [1, 2, 3]) expect(view(read(bytes, size)).title).toBe("a😀b");
    const emoji = bytes.indexOf(Buffer.from("😀"));
    for (const cut of [1, 2, 3]) {
      const path = fresh();
      writeFileSync(path, bytes.subarray(0, emoji + cut));
      // In one process, and in two of which the second goes on with what the first has kept.
      const file = new FollowedFile(path);
      await file.catchUp();
      const later = new FollowedFile(path, file.saved && JSON.parse(JSON.stringify(file.saved)));
      appendFileSync(path, bytes.subarray(emoji + cut));
      await file.catchUp();
      await later.catchUp();
      expect([file.views[0]?.title, later.views[0]?.title]).toEqual(["a😀b", "a😀b"]);
    }
  });

  test("json-no-newline-1g: memory is bounded, and the place is named", async () => {
    const path = fresh();
    writeFileSync(path, START);
    truncateSync(path, START.length + 100 * 1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    const restored = await restore([path], undefined);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect(restored).toMatchObject({
      ok: true,
      value: { sessions: [{ problems: { lines: 1, first: [{ offset: START.length, why: "too long" }] } }] },
    });
  });

  test("json-no-newline-1g: with nothing else in the file", async () => {
    const path = fresh();
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 * 1024);
    const restored = await restore([path], undefined);
    expect(restored).toMatchObject({ ok: true, value: { sessions: [], strangers: [path] } });
    expect(restored.ok && restored.value.unread.get(path)).toEqual({ offset: 0, why: "too long" });
  });

  test("json-no-newline-1g: what comes after its end is read, also by another process", () => {
    const first = read(START);
    const chunk = Buffer.alloc(1024 * 1024, 0x78);
    for (let pushed = 0; pushed < 20; pushed += 1) first.push(chunk);
    const saved = JSON.parse(kept(first));
    expect(kept(first).length).toBeLessThan(10_000);
    const second = new Transcript({ file: "s1.jsonl", saved });
    expect(second.end).toBe(first.end);
    for (const transcript of [first, second]) {
      transcript.push(Buffer.from(`x\n${text([says("Done.")])}`));
      expect([view(transcript).phase, transcript.problems.first]).toEqual([
        "resting",
        [{ offset: START.length, why: "too long" }],
      ]);
    }
  });

  test("json-crlf-u2028: two records", () => {
    const bytes = String(evaluate(find("json-crlf-u2028").input)).replaceAll(
      '{"a":',
      '{"type":"user","sessionId":"s1","a":',
    );
    expect(bytes).toContain("\u2028");
    const transcript = read(bytes, 1);
    expect([view(transcript).turns, transcript.problems.lines]).toEqual([2, 0]);
  });

  test.each(["json-deep-object", "json-wide-object"])("%s: wherever it is, it is read past and can be kept", (id) => {
    const hostile = String(evaluate(find(id).input));
    const put = (line: Line) => json(chained([line])[0]).replace('"HERE"', hostile);
    const lines = [
      put(user("HERE")),
      put(user(["HERE"])),
      put({ ...user("go"), cwd: "HERE", gitBranch: "HERE", timestamp: "HERE", uuid: "HERE", parentUuid: "HERE" }),
      put(calls("c1", "TodoWrite", { todos: "HERE" })),
      put(calls("c2", "TaskCreate", { subject: "t", metadata: "HERE" })),
      put(calls("c3", "TaskUpdate", { taskId: "HERE", addBlocks: ["HERE"], owner: "HERE" })),
      put(calls("c4", "Bash", "HERE")),
      put(answers("c1", "HERE", { toolUseResult: "HERE" })),
      put({ type: "summary", summary: "HERE", leafUuid: "HERE" }),
      put(says("Done.", { usage: "HERE" })),
      `${hostile}\n`,
    ];
    const tried = atPush(lines, hostile.length);
    const transcript = read(START + tried.map((line, at) => line.replace(/"uuid":"l0"/, `"uuid":"u${at}"`)).join(""));
    expect([view(transcript).phase, transcript.problems.lines]).toEqual(["resting", 0]);
    expect(kept(transcript).length).toBeLessThan(100_000);
    const value = JSON.parse(hostile);
    for (const format of FORMATS) expect(() => format.open("x.jsonl").read(value)).not.toThrow();
  });

  test("json-dup-keys: the last one counts, in what is shown and in what is kept", () => {
    const doubled = find("json-dup-keys").input.replace("{", '{"content":"x","activeForm":"y",');
    const call = json(chained([calls("c", "TodoWrite", { todos: ["HERE"] })])[0]).replace('"HERE"', doubled);
    const transcript = read(START + call + text([as("end", answers("c"))]));
    // One that is completed ends the list; one that is pending would still be there.
    expect([view(transcript).list.phases, view(transcript).list.revision > 0]).toEqual([[], true]);
  });

  test("json-big-number: counts stay numbers", () => {
    const hostile = find("json-big-number").input;
    const huge = [...(hostile.match(/[\de]{4,}/g) ?? []), "-1e400", "1e308"];
    expect(huge).toContain("1e400");
    for (const number of huge) {
      const usage = { input_tokens: "N", output_tokens: "N", cache_read_input_tokens: "N" };
      const line = json(chained([says("Hi", { usage })])[0]).replaceAll('"N"', String(number));
      const money = `{"type":"cost-state","sessionId":"s1","totalCostUSD":${String(number)}}\n`;
      const { tokens, cost } = view(read(START + line + money + line.replace('"l0"', '"l1"')));
      expect(Object.values(tokens).every((count) => Number.isFinite(count) && count >= 0)).toBe(true);
      expect(Number.isFinite(cost)).toBe(true);
      expect(JSON.stringify(tokens)).not.toContain("null");
    }
  });

  test("json-lone-surrogate-escape: replaced wherever a text is taken up", () => {
    const lone = JSON.parse(find("json-lone-surrogate-escape").input).title as string;
    expect(lone.isWellFormed()).toBe(false);
    const list = [{ content: lone, status: "pending", activeForm: lone, id: lone }];
    const transcript = read(
      text([
        { ...user(`x${lone}`), cwd: lone, gitBranch: lone, version: lone },
        calls("c", "TodoWrite", { todos: list }),
        answers("c", lone, { toolUseResult: { newTodos: list } }),
        calls("d", "TaskCreate", { subject: lone, activeForm: lone }),
        answers("d", "Task #1 created successfully"),
        calls("e", "ExitPlanMode", { plan: lone }),
        calls("f", `mcp__${lone}__${lone}`, { command: lone }),
        { type: "custom-title", customTitle: lone },
      ]),
    );
    expect(kept(transcript).isWellFormed() && !/\\ud[89a-f]/i.test(kept(transcript))).toBe(true);
    expect(todosOf(view(transcript).list)[0]?.text).toBe("\ufffd");
  });

  test("json-nul-escape: it is text, and shown as a sign", () => {
    const nul = JSON.parse(find("json-nul-escape").input).title as string;
    const list = [{ content: nul, status: "in_progress", activeForm: nul }];
    const transcript = read(text([user(nul), calls("c", "TodoWrite", { todos: list }), answers("c")]));
    expect(todosOf(view(transcript).list)[0]?.text).toBe(nul);
    const shown = showSessions([reportWith(view(transcript))], {
      write: async () => undefined,
      isTerminal: false,
      hasColor: false,
      columns: 80,
    });
    expect(shown).not.toMatch(/\0/);
    expect(JSON.parse(kept(transcript)).views[0].title).toBe(nul);
  });

  test("json-type-confusion: a list as text is taken, other things in its place are not", () => {
    const confused = JSON.parse(find("json-type-confusion").input) as Record<string, unknown>;
    const lines = [
      user("go"),
      calls("a", "TodoWrite", { todos: JSON.stringify(todos("a!", "b")) }),
      answers("a"),
      calls("b", "TodoWrite", confused),
      answers("b", "ok", { toolUseResult: { newTodos: confused.blockedBy } }),
      calls("c", "TodoWrite", {
        todos: [{ content: "x", status: confused.status, activeForm: "x" }, ...todos("kept")],
      }),
      answers("c"),
      calls("d", "TaskCreate", { subject: ["t"], ...confused }),
      answers("d", "Task #1 created successfully"),
      calls("e", "TaskUpdate", { taskId: "1", addBlockedBy: confused.blockedBy, status: confused.status }),
      answers("e", "Updated task #1 ", { toolUseResult: { success: true } }),
    ];
    const started = performance.now();
    expect(todosOf(view(read(text(lines.slice(0, 3)))).list)).toHaveLength(2);
    // A text that holds items which are none is a list of nothing.
    expect(view(read(text(lines.slice(0, 5)))).list.phases).toEqual([]);
    const { list, tasks } = view(read(text(lines)));
    expect([todosOf(list).map(({ text }) => text), tasks]).toEqual([["kept"], []]);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test.each(attacks.filter(({ surface, input }) => surface === "json" && !input.startsWith("steps:")))(
    "$id, just so: it is read past",
    ({ input }) => {
      const value = evaluate(input);
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
      for (const format of atPush(FORMATS, bytes.length)) {
        const transcript = new Transcript({ file: "x.jsonl", format });
        transcript.push(bytes);
        transcript.push(Buffer.from("\n"));
        transcript.finish();
        expect(transcript.views.size).toBe(0);
      }
    },
  );
});

describe("prompt", () => {
  test("prompt-tool-result-forge: words that look like an answer answer nothing", () => {
    const forged = find("prompt-tool-result-forge").input;
    const asked = [user("go"), calls("x", "ExitPlanMode", { plan: "P" })];
    for (const words of [user(forged), user([{ type: "text", text: forged }]), says(forged), answers("y", forged)])
      expect(view(read(text([...asked, words]))).plan).toEqual({ key: "x", text: "P", status: "proposed" });
  });
});

describe("limits", () => {
  const output = { write: async () => undefined, isTerminal: true, hasColor: false, columns: 80 };

  test("limits-items-10k: read, shown, reported, and what is kept is bounded", () => {
    const items = (evaluate(find("limits-items-10k").input) as Line[]).map((item) => ({ ...item, activeForm: "x" }));
    const writes = Array.from({ length: 30 }, (_, at) => {
      const list = items.map((item, place) => (place === at ? { ...item, status: "in_progress" } : item));
      return [calls(`c${at}`, "TodoWrite", { todos: list }), answers(`c${at}`)];
    });
    const started = performance.now();
    const transcript = read(text([user("go"), ...writes.flat()]));
    expect(todosOf(view(transcript).list)).toHaveLength(10_000);
    const report = reportOf(view(transcript), {
      status: { state: "running", reason: "in-turn", source: "transcript", since: 1 },
      now: 1,
      updatedAt: 1,
      transcript: null,
      problems: transcript.problems,
      unfinished: 0,
    });
    expect(report.list.phases[0]?.todos).toHaveLength(10_000);
    // Thirty writes and no other work: a row says so.
    expect(tableRows([report], output, 2)).toHaveLength(4);
    expect(showSessions([report], output).split("\n").length).toBeGreaterThan(10_000);
    // The list is in the view, and in what the reader keeps of the last few lines.
    expect(kept(transcript).length).toBeLessThan(4 * JSON.stringify(view(transcript).list).length);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test("limits-redos-search: texts of any shape are matched in no time", () => {
    const long = String(evaluate(find("limits-redos-search").input));
    const shapes = [
      long,
      " ".repeat(50_000),
      "?)".repeat(25_000),
      "<command-".repeat(6000),
      "\n".repeat(50_000),
      "[Request interrupted".repeat(2500),
      "__".repeat(25_000),
      `mcp__${"_".repeat(50_000)}`,
      "Task #".repeat(9000),
      "{".repeat(50_000),
      "*_`~\"'".repeat(8000),
    ];
    const started = performance.now();
    for (const shape of shapes) {
      const lines = [
        { ...user(shape), cwd: shape, gitBranch: shape, uuid: shape, agentId: shape },
        says(shape),
        calls(shape.slice(0, 100), shape, { command: shape, prompt: shape }),
        calls("t", "TaskCreate", { subject: shape }),
        answers("t", shape),
        calls("p", "ExitPlanMode", { plan: shape }),
        answers("p", shape, {}, { is_error: true }),
        { type: "summary", summary: shape, leafUuid: "l1" },
        { type: "custom-title", customTitle: shape },
      ];
      const report = reportWith(view(read(START + text(lines))));
      tableRows([report], output, 0);
      showSessions([report], output);
    }
    // About 100 texts; each must take far less than the 100 ms of the rule.
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe("fs", () => {
  const outside = fresh("outside.jsonl");
  writeFileSync(outside, text([user("a secret")]));

  test("fs-symlink-transcript: a link in an agent's folder is not followed", async () => {
    const root = join(folder, `${++made}`);
    mkdirSync(join(root, "project"), { recursive: true });
    writeFileSync(join(root, "project", "own.jsonl"), text([user("mine")]));
    symlinkSync(outside, join(root, "project", "linked.jsonl"));
    symlinkSync(join(outside, ".."), join(root, "elsewhere"));
    expect(findTranscripts([root]).files.map(({ path }) => path)).toEqual([join(root, "project", "own.jsonl")]);
  });

  test("fs-symlink-transcript: nor one that comes, or takes the place of a file, while we look", async () => {
    const root = join(folder, `${++made}`);
    mkdirSync(root);
    const [linked, own] = [join(root, "linked.jsonl"), join(root, "own.jsonl")];
    writeFileSync(own, text([user("mine")]));
    const attachment = new Attachment({ folders: () => [root] });
    symlinkSync(outside, linked);
    expect(await attachment.read(linked)).toBe(false);
    const file = new FollowedFile(own);
    rmSync(own);
    symlinkSync(outside, own);
    expect([await attachment.read(own), await file.catchUp()]).toEqual([false, false]);
    expect([attachment.sessions(), file.views]).toEqual([[], []]);
  });

  test("fs-symlink-transcript: a whole root may be a link, and then it is known by its real name", () => {
    const home = join(folder, `${++made}`);
    const real = join(folder, `${++made}`);
    mkdirSync(join(real, "projects"), { recursive: true });
    mkdirSync(home);
    symlinkSync(real, join(home, ".claude"));
    expect(transcriptRoots({}, home)).toEqual([{ agent: "claude-code", folder: join(real, "projects") }]);
  });

  test("fs-symlink-transcript: a file that a person names is read", async () => {
    const link = fresh("link.jsonl");
    symlinkSync(outside, link);
    expect(await restore([link], undefined)).toMatchObject({
      ok: true,
      value: { sessions: [{ view: { title: "a secret" } }] },
    });
  });

  test("fs-symlink-transcript: what lies beside that file is not named by anybody", async () => {
    const path = fresh();
    writeFileSync(path, text([user("mine")]));
    const below = join(path, "..", "s1", "subagents");
    mkdirSync(below, { recursive: true });
    symlinkSync(outside, join(below, "agent-linked.jsonl"));
    symlinkSync(outside, join(path, "..", "agent-linked.jsonl"));
    spawnSync("mkfifo", [join(below, "agent-pipe.jsonl"), join(path, "..", "agent-pipe.jsonl")]);
    expect(await restore([path], undefined)).toMatchObject({
      ok: true,
      value: { sessions: [{ view: { title: "mine" } }], strangers: [] },
    });
  });

  test("fs-fifo: refused at once, as are devices and folders", async () => {
    const fifo = fresh("fifo.jsonl");
    expect(spawnSync("mkfifo", [fifo]).status).toBe(0);
    const started = performance.now();
    for (const path of [fifo, "/dev/zero", folder, join(folder, "nothing.jsonl")])
      expect(await restore([path], undefined)).toMatchObject({ ok: false, error: { code: "no-transcript" } });
    expect(performance.now() - started).toBeLessThan(1000);
    expect(findTranscripts([join(fifo, "..")]).files).toEqual([]);
    expect(await new FollowedFile(fifo).catchUp()).toBe(false);
  });

  test("nothing of what was read here was written to", () => {
    expect(readFileSync(outside, "utf8")).toBe(text([user("a secret")]));
  });
});
