import { expect, test } from "vitest";
import { readSettings } from "../settings.js";
import { listName } from "../tasks/list-name.js";
import { boardOf } from "../transcripts/session-board.js";
import { DEMO_SESSIONS } from "./demo-client.js";
import { demoContext } from "./demo-context.js";
import { openDemoStage } from "./demo-stage.js";

const PROMPT = { type: "hook", event: "UserPromptSubmit", fields: { prompt: "go" } } as const;
const now = async () => undefined;

test("its board has the sessions of its store, and reads no transcript", async () => {
  const stage = await openDemoStage();
  await stage.act({ ...PROMPT, agent: "claude-code" }, now);
  await stage.act({ ...PROMPT, agent: "codex" }, now);
  const { attachment, stored } = await stage.board();
  const reports = await boardOf(attachment, stored, { limit: 10, now: Date.now() });
  expect(attachment.folders).toEqual([]);
  // Nobody looks for the process of a client that was never there.
  expect(reports.map(({ id, state, project }) => [id, state, project])).toEqual([
    [DEMO_SESSIONS.codex, "running", "shop"],
    [DEMO_SESSIONS["claude-code"], "running", "shop"],
  ]);
  await stage.close();
});

test("whoever follows its store in the same process hears of each act", async () => {
  const stage = await openDemoStage();
  const { store } = stage.milepost;
  const pages = await store.follow({ after: await store.head(), signal: AbortSignal.timeout(5000) });
  const heard = (async () => {
    if (pages.ok) for await (const { events } of pages.value) if (events.length > 0) return events[0]?.stream;
    return undefined;
  })();
  await stage.act({ ...PROMPT, agent: "codex" }, now);
  expect(await heard).toBe(`session:${DEMO_SESSIONS.codex}`);
  await stage.close();
});

test("two stages know nothing of each other", async () => {
  const [one, other] = await Promise.all([openDemoStage(), openDemoStage()]);
  await one.act({ ...PROMPT, agent: "codex" }, now);
  expect((await one.look([])).codex?.state).toBe("running");
  expect((await other.look([])).codex).toBeUndefined();
  await Promise.all([one.close(), other.close()]);
});

test("of the person's environment only what a terminal needs comes in", async () => {
  const stage = await openDemoStage();
  const person = {
    ...stage.context(),
    environment: {
      TERM: "xterm",
      LC_ALL: "C",
      MILEPOST_HOME: "/p",
      MILEPOST_STORE: "x",
      CLAUDECODE: "1",
      CODEX_HOME: "/c",
    },
  };
  const { environment, folder, program } = demoContext(stage.milepost, person);
  expect(environment).toEqual({ TERM: "xterm", LC_ALL: "C", HOME: "/demo", MILEPOST_LIST: "shop" });
  expect(program.userFolder).toBe("/demo");
  expect(listName(undefined, environment, folder)).toEqual({ ok: true, value: "shop" });
  expect(readSettings(environment)).toEqual(readSettings({ HOME: "/nowhere" }));
  await stage.close();
});

test("a clock that never stands still: facts of one moment keep their order", async () => {
  const stage = await openDemoStage();
  for (let at = 0; at < 5; at += 1) await stage.act({ ...PROMPT, agent: "codex", fields: { prompt: `go ${at}` } }, now);
  const pages = await stage.milepost.store.read({ stream: `session:${DEMO_SESSIONS.codex}` });
  const times: number[] = [];
  if (pages.ok) for await (const { events } of pages.value) times.push(...events.map((event) => event.at));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBeGreaterThanOrEqual(5);
  await stage.close();
});
