import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Client, ClientEnd, ClientRun } from "./drivers/client.js";
import { jsonLines } from "./drivers/run-process.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { answers, injected, news, turns } from "./model/requests.js";
import { type ModelRequest, type RequestText, say, shell, todo } from "./model/script.js";
import { begin, DONE, given, ITEMS, isAsked, itemTexts, OPEN, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// The real Claude Code and the real Codex, wired by `milepost setup`, with a scripted model.
const goOn = "Go on.";

const endedSchema = z.looseObject({
  type: z.literal("call.ended"),
  data: z.looseObject({ call: z.string(), tool: z.string() }),
});
const isScript = ({ tool }: { tool: string }) => tool === "exec";

describe.runIf(isAsked).each(CLIENTS)("$name, hooks by $hooks", (wiring) => {
  const stage = openStage("block");
  let client: Client;
  let sandbox: Sandbox;

  beforeAll(async () => {
    client = stage.client(wiring.agent);
    sandbox = await stage.sandbox(wiring);
  });

  const run = (prompt: string, script: ClientRun["script"], resume?: string) =>
    runTurn(client, { sandbox, prompt, script, ...(resume === undefined ? {} : { resume }) });

  /** The list of a session as `milepost call` shows it. */
  const stored = async ({ session }: ClientEnd): Promise<string> => {
    const call = JSON.stringify({ tool: "todo", input: { show: true } });
    const { out } = await sandbox.milepost(["call", "--session", session], call);
    return JSON.parse(out).text;
  };

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

  test("its transcript tells the same, and nothing twice", { timeout: SCENARIO_MS }, async () => {
    const end = await run("Plan the work.", [...begin, shell("ls"), shell("exit 3"), say("Stopping.")]);
    // Younger facts are left to hooks.
    await setTimeout(12_000);
    const { out } = await sandbox.milepost(["sessions", end.session, "--json"]);
    const [session] = JSON.parse(out).sessions;
    print("the session", [out]);
    expect(session).toMatchObject({ agent: client.agent, turns: 1, calls: { failed: 1 }, state: "ended" });
    expect(
      session.list.phases[0].todos.map(({ text, status }: { text: string; status: string }) => [text, status]),
    ).toEqual([
      [DONE, "completed"],
      [OPEN[0], "in_progress"],
      [OPEN[1], "pending"],
    ]);
    const { out: log } = await sandbox.milepost(["events", "--stream", `calls:${end.session}`]);
    const calls = jsonLines(log).flatMap((line) => endedSchema.safeParse(line).data?.data ?? []);
    print("calls in the log", calls);
    // In code mode a model's call is a script, and what the script calls is told apart.
    const [scripts, others] = [calls.filter(isScript), calls.filter((call) => !isScript(call))];
    expect(others).toHaveLength(4);
    expect(scripts).toHaveLength(client.agent === "codex" ? 2 : 0);
    expect(new Set(calls.map(({ call }) => call)).size).toBe(calls.length);
    expect(session.calls.total).toBe(calls.length);
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
