import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { createClaude } from "./claude.js";
import type { Client, ClientEnd, ClientRun } from "./client.js";
import { type ClientBinaries, ensureClients } from "./clients.js";
import { createCodex } from "./codex.js";
import { afterCompaction, answers, injected, news, turns } from "./requests.js";
import { openSandbox, type Sandbox } from "./sandbox.js";
import { type ModelRequest, type RequestText, say, shell, todo } from "./script.js";

// The real Claude Code and the real Codex, wired by `milepost setup`, with a scripted model. They are 800 MB, so only
// MILEPOST_TESTS=real runs this.
const isAsked = process.env.MILEPOST_TESTS === "real";
const INSTALL_MS = 600_000;
const SCENARIO_MS = 240_000;

const ITEMS = ["Read the code", "Fix the bug", "Run tests"];
const [DONE = "", ...OPEN] = ITEMS;
const begin = [todo({ add: ITEMS }), todo({ done: 1 })];
const goOn = "Go on.";

const clients: { name: string; create: (binaries: ClientBinaries) => Client }[] = [
  { name: "Claude Code", create: ({ claude }) => createClaude(claude) },
  { name: "Codex", create: ({ codex }) => createCodex(codex) },
];

describe.runIf(isAsked).each(clients)("$name", ({ create }) => {
  let client: Client;
  let sandbox: Sandbox;

  beforeAll(async () => {
    client = create(await ensureClients());
    sandbox = await openSandbox();
    expect(await sandbox.milepost(["setup", client.agent, "--yes"])).toMatchObject({ exit: 0 });
  }, INSTALL_MS);
  afterAll(() => sandbox?.remove());

  const run = async (prompt: string, script: ClientRun["script"], resume?: string) => {
    const end = await client.run({ sandbox, prompt, script, ...(resume === undefined ? {} : { resume }) });
    onTestFailed(() => print(`what the model read in "${prompt}"`, end.requests.map(gist)));
    expect(end, end.err).toMatchObject({ exit: 0 });
    return end;
  };

  /** The list of a session as `milepost call` shows it. */
  const stored = async ({ session }: ClientEnd): Promise<string> => {
    const call = JSON.stringify({ tool: "todo", input: { show: true } });
    const { out } = await sandbox.milepost(["call", "--session", session], call);
    return JSON.parse(out).text;
  };

  test("calls our todo through MCP", { timeout: SCENARIO_MS }, async () => {
    const { requests } = await run("Plan the work.", [...begin, say("Stopping.")]);
    const [, added, done] = turns(requests).map(answers);
    print("answers", [added, done]);
    expect(added).toContain("Added 1-3. 0/3 now #1 Read the code");
    expect(done).toContain("1/3 now #2 Fix the bug");
  });

  test("after a compaction the model reads exactly the unfinished items", { timeout: SCENARIO_MS }, async () => {
    const full = { ...shell("ls"), contextFull: true };
    const { requests } = await run("Plan the work.", [...begin, full, say("Stopping.")]);
    const request = given(afterCompaction(requests));
    const digests = itemTexts(injected(request.texts));
    print("digest after compaction", digests);
    expect(digests).toHaveLength(1);
    for (const item of OPEN) expect(digests[0]).toContain(item);
    expect(request.texts.filter(({ text }) => text.includes(DONE))).toEqual([]);
  });

  // "newest" is `--continue` and `resume --last`: the client learns late which session it is.
  test.each(["its id", "newest"])(
    "a session resumed by %s shows the same list",
    { timeout: SCENARIO_MS },
    async (by) => {
      const first = await run("Plan the work.", [...begin, say("Stopping.")]);
      const before = await stored(first);
      for (const item of ITEMS) expect(before).toContain(item);
      const resume = by === "newest" ? by : first.session;
      const second = await run(goOn, [todo({ show: true }), say("Stopping.")], resume);
      const [asked, shown] = turns(second.requests);
      const digests = itemTexts(injected(news(given(asked))));
      print("digest on resume", digests);
      expect(second.session).toBe(first.session);
      expect(digests).toHaveLength(1);
      for (const item of OPEN) expect(digests[0]).toContain(item);
      expect(digests[0]).not.toContain(DONE);
      expect(answers(given(shown))).toContain(before);
      expect(await stored(second)).toBe(before);
    },
  );

  test("an agent that stops with open items is asked once, then let go", { timeout: SCENARIO_MS }, async () => {
    const { requests } = await run("Plan the work.", [...begin, say("I stop."), say("I stop all the same.")]);
    const asked = turns(requests);
    const question = itemTexts(injected(news(given(asked.at(-1)))));
    print("question at the stop", question);
    expect(asked).toHaveLength(begin.length + 2); // one for each answer, one for the question, none after it
    expect(question).toHaveLength(1);
    for (const item of OPEN) expect(question[0]).toContain(item);
    expect(question[0]).not.toContain(DONE);
  });

  test("its transcript tells the same, and nothing twice", { timeout: SCENARIO_MS }, async () => {
    const end = await run("Plan the work.", [...begin, shell("ls"), shell("exit 3"), say("Stopping.")]);
    // Younger facts are left to hooks.
    await setTimeout(12_000);
    const { out } = await sandbox.milepost(["sessions", end.session, "--json"]);
    const [session] = JSON.parse(out).sessions;
    print("the session", [out]);
    expect(session).toMatchObject({ agent: client.agent, turns: 1, calls: { total: 4, failed: 1 }, state: "ended" });
    expect(
      session.list.phases[0].todos.map(({ text, status }: { text: string; status: string }) => [text, status]),
    ).toEqual([
      [DONE, "completed"],
      [OPEN[0], "in_progress"],
      [OPEN[1], "pending"],
    ]);
    const { out: log } = await sandbox.milepost(["events", "--stream", `calls:${end.session}`]);
    const calls = log
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "call.ended")
      .map(({ data }) => data.call);
    print("calls in the log", calls);
    expect(calls).toHaveLength(4);
    expect(new Set(calls).size).toBe(4);
  });

  test("two sessions at once do not mix", { timeout: SCENARIO_MS }, async () => {
    const meet = meeting(2);
    const session = (name: string) => {
      const look = () => meet().then(() => todo({ show: true }));
      return run(`Work on ${name}.`, [todo({ add: [`${name} one`, `${name} two`] }), look, say("Stopping.")]);
    };
    const ends = await Promise.all(["Alpha", "Beta"].map(session));
    const shown = ends.map(({ requests }) => answers(given(turns(requests)[2])));
    print("each session's own list", shown);
    expect(shown[0]).toMatch(/Alpha one[\s\S]*Alpha two/);
    expect(shown[1]).toMatch(/Beta one[\s\S]*Beta two/);
    expect(ends.map(({ requests }) => wordsOf(requests))).toEqual([["Alpha"], ["Beta"]]);
    expect(new Set(ends.map((end) => end.session)).size).toBe(2);
  });
});

const itemTexts = (texts: readonly string[]) => texts.filter((text) => ITEMS.some((item) => text.includes(item)));

const gist = (request: ModelRequest) => ({
  kind: request.kind,
  news: news(request).map(({ text }) => text.slice(-300)),
});

/** Which of the two sessions' words a session was ever told. */
function wordsOf(requests: readonly ModelRequest[]): string[] {
  const texts: RequestText[] = requests.flatMap((request) => request.texts);
  return ["Alpha", "Beta"].filter((word) => texts.some(({ text }) => text.includes(word)));
}

/** Everybody waits until all are there. */
function meeting(size: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === size) for (const go of waiting) go();
    });
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The client sent no such request.");
  return value;
}

function print(label: string, texts: readonly unknown[]): void {
  console.log(`${label}:\n${texts.map((text) => JSON.stringify(text)).join("\n")}`);
}
