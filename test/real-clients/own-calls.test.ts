import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/core/json.js";
import { wireText } from "../../src/dialects/oh-my-pi/wire-text.js";
import { DRIVEN_AGENTS, isAgentAsked } from "./drivers/agents/agent-table.js";
import type { DrivenAgent, OwnList } from "./drivers/agents/driven-agent.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox } from "./drivers/sandbox.js";
import { turns } from "./model/requests.js";
import { type ModelScript, type ModelStep, say } from "./model/script.js";
import { isAsked } from "./scenario.js";

// Each agent's own list tool is asked by a scripted model with the calls of its vector file, in the real program, and
// answers as the file says: what `npm run conform` holds our dialects to is what the programs really say.

const LIMIT_MS = 1_800_000;
const RUN_MS = 240_000;
/** Cases that run at the same time, each in a sandbox of its own. */
const LANES = 2;

interface VectorCase {
  readonly name: string;
  /** The call itself, or the tool's name with its input or its raw arguments. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  readonly expect: readonly { readonly text: string }[];
}

/** Those that begin with an empty list: a real program has no other beginning. */
function casesOf({ vectors, earlier }: OwnList): readonly VectorCase[] {
  const file = JSON.parse(readFileSync(resolve("test/vectors", vectors), "utf8"));
  const cases: readonly VectorCase[] = file.cases;
  return cases.filter((one) => "calls" in one && !("initial" in one) && !earlier?.leftOut.includes(one.name));
}

/** What the program has to answer: the whole text, or how it begins where its version has other words. */
function wantedText(text: string, { tool, earlier }: OwnList): { readonly text: string; readonly isWhole: boolean } {
  if (earlier && text.startsWith(earlier.begin)) return { text: earlier.begin, isWhole: false };
  return { text: tool === undefined ? text : wireText(text), isWhole: true };
}

function stepOf(call: Readonly<Record<string, unknown>>, { tool }: OwnList): ModelStep {
  const [name, input] = tool === undefined ? [String(call.tool), call.input] : [tool, call];
  const raw = typeof call.arguments === "string" ? call.arguments : JSON.stringify(input);
  return { calls: [{ type: "own", name, input: isObject(input) ? input : {}, raw }] };
}

/** What the model reads behind each call of a case. */
async function answersOf(driven: DrivenAgent, list: OwnList, { name, calls }: VectorCase): Promise<readonly string[]> {
  const words = await driven.install();
  const sandbox = await openSandbox();
  const script: ModelScript = [...calls.map((call) => stepOf(call, list)), say("That was all of it.")];
  const model = await driven.startModel(script);
  try {
    const env = { ...sandbox.env, ...driven.configure(sandbox, model.url), ...list.env };
    list.settle?.(sandbox);
    const [command = "", ...args] = [...words, ...driven.prompt(`Try it: ${name}.`)];
    const end = await runProcess({ command, args, cwd: sandbox.project, env, timeoutMs: RUN_MS });
    expect(end, end.err).toMatchObject({ exit: 0 });
    const behind = turns(model.requests).slice(1, calls.length + 1);
    return behind.map(({ texts }) => texts.findLast(({ from }) => from === "tool")?.text ?? "no answer");
  } finally {
    await model.close();
    await sandbox.remove();
  }
}

for (const driven of DRIVEN_AGENTS) {
  const list = driven.ownList;
  if (!list) continue;
  describe.runIf(isAsked && isAgentAsked(driven))(`${driven.agent} ${driven.version}`, () => {
    const cases = casesOf(list);
    const wholes = cases.flatMap((one) => one.expect).filter(({ text }) => wantedText(text, list).isWhole);
    test(
      `answers ${wholes.length} calls as ${list.vectors} says`,
      async () => {
        expect(wholes.length).toBeGreaterThanOrEqual(100);
        const waiting = [...cases];
        const differences: object[] = [];
        const work = async () => {
          for (let one = waiting.shift(); one; one = waiting.shift()) {
            const { name, expect: wanted } = one;
            const answers = await answersOf(driven, list, one);
            for (const [at, { text }] of wanted.entries()) {
              const answered = answers[at] ?? "";
              const whole = wantedText(text, list);
              const isSame = whole.isWhole ? answered === whole.text : answered.startsWith(whole.text);
              if (!isSame) differences.push({ name, at, wanted: text, answered });
            }
          }
        };
        await Promise.all(Array.from({ length: LANES }, work));
        expect(differences).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}
