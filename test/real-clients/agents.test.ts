import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFailed, test } from "vitest";
import { DRIVEN_AGENTS, isAgentAsked } from "./drivers/agents/agent-table.js";
import type { DrivenAgent } from "./drivers/agents/driven-agent.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { afterCompaction, turns } from "./model/requests.js";
import { type ModelRequest, type ModelScript, say } from "./model/script.js";
import { DONE, expectGood, given, ITEMS, isAsked, OPEN, print } from "./scenario.js";

// Agents of other makers, each by its real program: what a person has after `milepost setup AGENT`.

const LIMIT_MS = 900_000;
const RUN_MS = 240_000;

interface Report {
  readonly id: string;
  readonly agent: string;
  readonly state: string;
  readonly resume: string | null;
  readonly list: { readonly phases: readonly { readonly todos: readonly { text: string; status: string }[] }[] };
  readonly calls: { readonly total: number; readonly failed: number };
  readonly turns: number;
  readonly compactions: number;
}

/** Every file below these places, by its path. */
function filesIn({ home }: Sandbox, { files }: DrivenAgent): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const look = (path: string) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
    else found[path] = readFileSync(path, "base64");
  };
  for (const file of files) look(join(home, file));
  return found;
}

/** One agent with its model, in a sandbox that goes with it. */
async function onStage<T>(driven: DrivenAgent, script: ModelScript, act: (stage: Stage) => Promise<T>): Promise<T> {
  const words = await driven.install();
  const sandbox = await openSandbox();
  const model = await driven.startModel(script);
  try {
    const env = { ...sandbox.env, ...driven.configure(sandbox, model.url) };
    const prompt: Stage["prompt"] = async (text, session) => {
      const [command = "", ...args] = [...words, ...driven.prompt(text, session)];
      const before = model.requests.length;
      const end = await runProcess({ command, args, cwd: sandbox.project, env, timeoutMs: RUN_MS });
      onTestFailed(() => print(`"${text}"`, [end.out.slice(-2000), end.err.slice(-2000), ...model.failures]));
      expect(end, end.err).toMatchObject({ exit: 0 });
      return model.requests.slice(before);
    };
    return await act({ sandbox, prompt });
  } finally {
    await model.close();
    await sandbox.remove();
  }
}

interface Stage {
  readonly sandbox: Sandbox;
  /** The requests that it led to. */
  readonly prompt: (text: string, session?: string) => Promise<readonly ModelRequest[]>;
}

async function onlySession(sandbox: Sandbox): Promise<Report> {
  const { out } = await expectGood(sandbox.milepost(["sessions", "--all", "--json"]));
  const { sessions } = JSON.parse(out) as { sessions: readonly Report[] };
  expect(sessions.map(({ id }) => id)).toHaveLength(1);
  return given(sessions[0]);
}

const todosOf = ({ list }: Report) => list.phases.flatMap(({ todos }) => todos.map((todo) => [todo.text, todo.status]));

/** What a request says of the list outside of the model's own calls and their answers. */
const digestIn = ({ texts }: ModelRequest) =>
  texts
    .filter(
      ({ from, text }) => from !== "model" && from !== "tool" && /Milepost: the open todos of this session/.test(text),
    )
    .map(({ text }) => text.slice(text.indexOf("Milepost: the open todos")))
    .join("\n");

const begin = ({ todo }: DrivenAgent) => [...todo({ add: ITEMS }), ...todo({ done: 1 })];

for (const driven of DRIVEN_AGENTS) {
  describe.runIf(isAsked && isAgentAsked(driven))(`${driven.agent} ${driven.version}`, () => {
    test(
      "its model finds and calls our todo; the session is shown; a resumed one is told what is open; unsetup leaves nothing",
      async () => {
        const script = [
          ...begin(driven),
          driven.shell("echo first"),
          say("First part done."),
          driven.shell("echo second"),
          say("All of it is over now."),
        ];
        await onStage(driven, script, async ({ sandbox, prompt }) => {
          const before = filesIn(sandbox, driven);
          await expectGood(sandbox.milepost(["setup", driven.agent, "--yes"]));
          const wired = filesIn(sandbox, driven);
          expect(wired).not.toEqual(before);
          const first = turns(await prompt("Start the work."));
          expect(driven.isTold(given(first[0]))).toBe(true);
          const answers = first.flatMap(({ texts }) => texts.filter(({ from }) => from === "tool"));
          expect(answers.map(({ text }) => text).join("\n")).toContain("Added 1-3. 0/3 now #1");

          const session = await onlySession(sandbox);
          expect(session).toMatchObject({ agent: driven.agent, resume: driven.resumeCommand(session.id), turns: 1 });
          const [second, third] = OPEN;
          expect(todosOf(session)).toEqual([
            [DONE, "completed"],
            [second, "in_progress"],
            [third, "pending"],
          ]);
          // Two of our todo, one of the shell; how the model looks for a tool may be a call, too.
          expect(session.calls.total).toBeGreaterThanOrEqual(3);
          expect(session.calls.failed).toBe(0);
          expect(["idle", "waiting", "ended"]).toContain(session.state);

          const resumed = turns(await prompt("Go on.", session.id));
          const digest = digestIn(given(resumed[0]));
          for (const item of OPEN) expect(digest).toContain(item);
          expect(digest).not.toContain(DONE);
          expect(await onlySession(sandbox)).toMatchObject({ id: session.id, turns: 2 });

          await expectGood(sandbox.milepost(["unsetup", driven.agent, "--yes"]));
          const left = filesIn(sandbox, driven);
          for (const [file, text] of Object.entries(before)) expect(left[file], file).toBe(text);
          const added = Object.keys(wired).filter((file) => !(file in before));
          expect(added.filter((file) => file in left)).toEqual([]);
        });
      },
      LIMIT_MS,
    );

    test(
      "after a compaction the next request has the open todos",
      async () => {
        const script = [...begin(driven), ...driven.compaction(), say("First part done."), say("Over.")];
        await onStage(driven, script, async ({ sandbox, prompt }) => {
          await expectGood(sandbox.milepost(["setup", driven.agent, "--yes"]));
          const first = await prompt("Start the work.");
          const { id } = await onlySession(sandbox);
          // Some compact when the next prompt comes.
          const all = [...first, ...(afterCompaction(first) ? [] : await prompt("Go on.", id))];
          const digest = digestIn(given(afterCompaction(all)));
          for (const item of OPEN) expect(digest).toContain(item);
          expect(digest).not.toContain(DONE);
          expect((await onlySession(sandbox)).compactions).toBeGreaterThanOrEqual(1);
        });
      },
      LIMIT_MS,
    );
  });
}
