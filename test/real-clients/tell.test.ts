import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProcess } from "./drivers/run-process.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { turns } from "./model/requests.js";
import { type ModelRequest, say, shell } from "./model/script.js";
import { given, isAsked, print, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage } from "./stage.js";

// `milepost tell` to a client that sits idle in its terminal: it begins a turn, and the model reads the words once.
const WORDS = "Leave the database alone, I am migrating it";
const LATER = "The staging server is down until noon";
const NOW = "Use the fast tests only";
const WAIT_S = 40; // Codex without its daemon looks into its queue every ten seconds

describe.runIf(isAsked).each(CLIENTS)("tell to $name, hooks by $hooks", (wiring) => {
  const stage = openStage("test");

  const tellIn =
    (sandbox: Sandbox) =>
    async (...words: readonly string[]) => {
      const args = [sandbox.command, "tell", "--json", ...words];
      const env = { ...sandbox.env, PATH: `${join(sandbox.home, "bin")}:${sandbox.env.PATH}` };
      const end = await runProcess({ command: process.execPath, args, cwd: sandbox.project, env });
      expect(end, end.err).toMatchObject({ exit: 0 });
      print(`milepost tell ${words.join(" ")}`, [end.out.trim()]);
      return JSON.parse(end.out);
    };

  test("at once where it is idle, with the next prompt where it shall wait, with the next step at work: each once", {
    timeout: SCENARIO_MS,
  }, async () => {
    const sandbox = await stage.sandbox(wiring);
    const tell = tellIn(sandbox);
    mkdirSync(join(sandbox.home, "bin"));
    symlinkSync(stage.binaries().codex, join(sandbox.home, "bin", "codex")); // as a person has it: on the PATH
    const session = await stage.person({ ...wiring, sandbox });
    const { app, model: fake } = session;
    await session.turn("Say hello.", [say("Hello.")]);

    fake.play([say("I leave it alone.")]);
    expect(await tell(WORDS, "--wait", `${WAIT_S}`)).toMatchObject({ state: "idle", delivery: "seen" });
    await app.see(() => fake.left() === 0);
    await app.quiet();
    const woken = given(turns(fake.requests).at(-1));
    print("what the woken model read", texts(woken, WORDS));
    expect(texts(woken, WORDS)).toHaveLength(1);

    expect(await tell(LATER, "--later")).toMatchObject({ state: "idle", delivery: "stored" });
    const next = given(turns(await session.turn("Go on.", [say("I go on.")])).at(-1));
    print("what it read with the next prompt", texts(next, LATER));
    expect([texts(next, WORDS).length, texts(next, LATER).length]).toEqual([1, 1]);

    const at = async () => {
      expect(await tell(NOW)).toMatchObject({ state: "running", delivery: "stored" });
      return shell("ls");
    };
    const last = given(turns(await session.turn("Look around.", [at, say("I looked.")])).at(-1));
    print("what it read with the next step", texts(last, NOW));
    expect([WORDS, LATER, NOW].map((words) => texts(last, words).length)).toEqual([1, 1, 1]);
    const { words } = await tell();
    expect(words.map(({ text, delivery }: { text: string; delivery: string }) => [text, delivery])).toEqual(
      [WORDS, LATER, NOW].map((text) => [text, "seen"]),
    );
  });
});

/** Everything in the request that has these words, and how often in each: a text may say them twice. */
const texts = (request: ModelRequest, words: string) =>
  request.texts.flatMap(({ from, text }) =>
    text
      .split(words)
      .slice(1)
      .map(() => `${from}: ${text}`),
  );
