import { describe, expect, test } from "vitest";
import type { Sandbox } from "./drivers/sandbox.js";
import { turns } from "./model/requests.js";
import { type ModelRequest, own, say, shell, todo } from "./model/script.js";
import { expectGood, isAsked, print, reminders, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage, type Wiring } from "./stage.js";

// Work that is called done with no check: what each client makes of a remark, and of a stop that is refused.
const EDIT = shell("printf 'export const days = 365;\\n' > days.mjs");
const CHECK = shell("node --test");
const work = [todo({ add: ["Fix the leap year"] }), EDIT, todo({ done: 1 })];

/** Every text that asks for a check, once, in the order in which the model read them. */
const asked = (requests: readonly ModelRequest[]) => [
  ...new Set(
    requests
      .flatMap(({ texts }) => texts.filter(({ text }) => /no check has run|only after a check/.test(text)))
      .map(({ text }) => text),
  ),
];

describe.runIf(isAsked)("evidence", () => {
  const stage = openStage("test");

  const required = async (wiring: Wiring, ...flags: readonly string[]) => {
    const sandbox = await stage.sandbox(wiring, ...flags);
    await expectGood(sandbox.milepost(["config", "evidence", "require"]));
    return sandbox;
  };

  /** Claude Code would ask before each command that writes a file. */
  const person = async (wiring: Wiring, sandbox: Sandbox) => {
    const args = wiring.agent === "codex" ? [] : ["--permission-mode", "acceptEdits", "--allowedTools=Bash"];
    return stage.person({ ...wiring, sandbox, args });
  };

  test.each(CLIENTS)(
    "a list that closes with no check is brought up once, and the answer stays: $name, hooks by $hooks",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await stage.sandbox(wiring);
      const script = [...work, say("The leap year is mended.")];
      const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Mend it.", script });
      const requests = turns(end.requests);
      print("what the model was told", requests.flatMap(reminders));
      expect(requests).toHaveLength(script.length);
      expect(requests.at(-1)?.texts.filter(({ text }) => text.includes("no check has run since"))).toHaveLength(1);
      expect(end.out).toContain("The leap year is mended.");
    },
  );

  test.each(CLIENTS)(
    "nobody sits before it: $name, hooks by $hooks, is not kept from stopping",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await required(wiring);
      const script = [...work, say("The leap year is mended.")];
      const end = await runTurn(stage.client(wiring.agent), { sandbox, prompt: "Mend it.", script });
      expect(turns(end.requests)).toHaveLength(script.length);
      expect(end.out).toContain("The leap year is mended.");
    },
  );

  test.each(CLIENTS)(
    "a stop is refused twice, then let go: $name, hooks by $hooks",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await required(wiring);
      const session = await person(wiring, sandbox);
      await session.connected();
      const script = [...work, say("It is mended."), say("It is mended, really."), say("I stop here.")];
      const spoken = turns(await session.turn("Mend it.", script));
      print("what the model was told", asked(spoken));
      expect(spoken).toHaveLength(script.length);
      expect(asked(spoken).filter((text) => text.includes("only after a check"))).not.toEqual([]);
      const events = (await expectGood(sandbox.milepost(["events"]))).out;
      expect(events.split("\n").filter((line) => line.includes('"require"'))).toHaveLength(2);
      expect(events).toContain("check.missed");
      expect(session.app.history()).not.toMatch(/hook error/i);
    },
  );

  test.each(CLIENTS)(
    "a check, or the words that there can be none, end it: $name, hooks by $hooks",
    { timeout: SCENARIO_MS },
    async (wiring) => {
      const sandbox = await required(wiring);
      const session = await person(wiring, sandbox);
      await session.connected();
      const script = [...work, say("It is mended."), CHECK, say("It is mended, and checked.")];
      expect(turns(await session.turn("Mend it.", script))).toHaveLength(script.length);
      const more = [todo({ add: ["Draw it"] }), shell("printf '//\\n' >> days.mjs"), todo({ done: 2 })];
      const waived = [...more, say("Drawn. Cannot be checked here: there is no display.")];
      expect(turns(await session.turn("Draw it.", waived))).toHaveLength(waived.length);
      expect((await expectGood(sandbox.milepost(["events"]))).out).toContain('"reason":"there is no display."');
    },
  );

  test("Claude Code's own tasks stay open when their completion is refused", { timeout: SCENARIO_MS }, async () => {
    const wiring = { agent: "claude-code", hooks: "commands" } as const;
    const session = await person(wiring, await required(wiring, "--todo", "client"));
    const finish = own("TaskUpdate", { taskId: "1", status: "completed" });
    const script = [
      own("TaskCreate", { subject: "Fix the leap year", description: "All of it" }),
      EDIT,
      finish,
      CHECK,
      finish,
      say("It is mended."),
    ];
    const spoken = turns(await session.turn("Mend it.", script));
    const answers = (spoken.at(-1)?.texts ?? []).filter(({ from }) => from === "tool").map(({ text }) => text);
    print("what the tools answered", answers);
    // It looks up its task tools first, so there are more requests than steps; but none after the answer.
    expect(spoken.flatMap(reminders)).toEqual([]);
    expect(answers.filter((text) => text.includes("only after a check"))).toHaveLength(1);
    expect(answers.at(-1)).not.toContain("only after a check");
  });
});
