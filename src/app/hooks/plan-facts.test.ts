import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import type { Plan } from "../../core/plan/plan.js";
import { append } from "../../store/event-store.js";
import { PLANS } from "../plans/plan-views.js";
import { judgePlan, proposePlan } from "../plans/plans.js";
import { sessionEvent } from "../session/session-view.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { markedStore } from "../spool/marked-store.js";
import { decodeSpooled, encodeSpooled } from "../spool/spool-format.js";
import { factsOf, recordFact } from "./hook-facts.js";
import { readHookInput } from "./hook-input.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-plans-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Fields = { readonly hook_event_name: string; readonly session_id: string; readonly transcript_path: string } & {
  readonly [name: string]: unknown;
};
type Client = Awaited<ReturnType<typeof client>>;

async function plansOf({ store }: Client): Promise<readonly Plan[]> {
  const streams = await store.recent("plan", 20);
  const plans = await Promise.all(streams.map(({ stream }) => store.view(PLANS, stream)));
  return plans.sort((one, other) => one.proposedAt - other.proposedAt || (other.supersedes === one.id ? -1 : 1));
}

/** `status title: reason (how)`, the oldest first. */
const rows = (plans: readonly Plan[]) =>
  plans.map(({ status, text, decision, isEdited, supersedes }) =>
    [
      status,
      text.replaceAll(/\s+/g, " ").trim(),
      ...(decision ? [`${decision.via}`] : []),
      ...(decision?.reason ? [decision.reason] : []),
      ...(isEdited ? ["edited"] : []),
      ...(supersedes ? ["after another"] : []),
    ].join(" | "),
  );

interface Replay {
  /** How often each hook is heard, and which. */
  readonly times?: number;
  readonly isHeard?: (fields: Fields) => boolean;
  /** Told after each hook. */
  readonly look?: (one: Client, fields: Fields) => Promise<void>;
}

/** A recorded run of a real client: its hooks, and the lines that its transcript had by then. */
async function replay(name: string, { times = 1, isHeard = () => true, look }: Replay = {}) {
  const recorded = fileURLToPath(new URL(`../../../test/fixtures/plan-hooks/${name}.jsonl`, import.meta.url));
  const one = await client();
  const own = mkdtempSync(join(folder, "run-"));
  const records = readFileSync(recorded, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const first: Fields = records.find(({ hook }) => hook).hook;
  const transcript_path = join(own, basename(first.transcript_path));
  writeFileSync(transcript_path, "");
  for (const { line, hook } of records) {
    if (line) appendFileSync(transcript_path, `${JSON.stringify(line)}\n`);
    else if (isHeard(hook)) {
      for (let time = 0; time < times; time += 1)
        await one.hook(hook.hook_event_name, { ...hook, transcript_path }, "m:7");
      await look?.(one, hook);
    }
  }
  return { one, session: first.session_id, plans: await plansOf(one), first: { ...first, transcript_path } };
}

const RENAME = "# Rename helper - Rename x to y - Run the tests";
const LONGER = `${RENAME} - Tell the users`;
const EDITED = "# Rename helper - Rename x to z, said the person";

const RUNS: readonly [name: string, rows: readonly string[]][] = [
  [
    "claude-rejected-approved",
    [
      `rejected | ${RENAME} | client | Do not rename, tell me why first.`,
      `approved | ${LONGER} | client | after another`,
    ],
  ],
  ["claude-edited", [`approved | ${EDITED} | client | edited`]],
  ["claude-escaped", [`rejected | ${RENAME} | client`, `rejected | ${LONGER} | client | after another`]],
  ["claude-host-denied", [`rejected | ${RENAME} | client | No: too short, said the person.`]],
  ["codex-implemented", [`approved | ${RENAME} | client`]],
];

const isPlanCall = ({ tool_name: tool }: Fields) => tool === "ExitPlanMode";
const planEvents = async ({ events }: Client) => (await events()).filter(({ type }) => type.startsWith("plan."));

describe.each(RUNS)("a recorded run of a real client: %s", (name, expected) => {
  test("its plans, with the person's words", async () => {
    const { one, plans, session } = await replay(name);
    expect(rows(plans)).toEqual(expected);
    expect(plans.every((plan) => plan.session === session && plan.folder === "/home/dev/app")).toBe(true);
    expect((await one.session(session)).plan).toMatchObject({ plan: plans.at(-1)?.id, title: "Rename helper" });
  });

  test("each hook heard twice changes nothing", async () => {
    const once = await replay(name);
    const twice = await replay(name, { times: 2 });
    expect(rows(twice.plans)).toEqual(expected);
    expect((await planEvents(twice.one)).length).toBe((await planEvents(once.one)).length);
  });

  test("without hooks before a call, as they are wired with commands alone", async () => {
    const { plans } = await replay(name, { isHeard: ({ hook_event_name: event }) => event !== "PreToolUse" });
    expect(rows(plans)).toEqual(expected);
  });

  test("without the report of the approval: the transcript tells", async () => {
    const isHeard = (fields: Fields) => fields.hook_event_name !== "PostToolUse" || !isPlanCall(fields);
    expect(rows((await replay(name, { isHeard })).plans)).toEqual(expected);
  });

  test("a plan says nothing about work", async () => {
    const isHeard = ({ tool_name: tool }: Fields) => tool !== "update_plan";
    const { one, session } = await replay(name, { isHeard });
    expect(await one.open(session)).toEqual([]);
  });
});

test("what Claude Code asks in its dialogue is what the session waits for, and its mode is known throughout", async () => {
  const seen: string[] = [];
  await replay("claude-rejected-approved", {
    async look(one, { hook_event_name: event, session_id: id, tool_name: tool }) {
      const { state, why, mode, plan } = await one.session(id);
      if (tool === "ExitPlanMode" || event === "Stop")
        seen.push([event, state, why.reason, mode, plan?.status].join(" "));
    },
  });
  expect(seen).toEqual([
    "PreToolUse running in-turn plan proposed",
    "PermissionRequest waiting plan plan proposed",
    "PreToolUse running in-turn plan proposed",
    "PermissionRequest waiting plan plan proposed",
    "PostToolUse running in-turn default approved",
    "Stop idle turn-ended default approved",
  ]);
});

test("a turn of Codex that ends with a plan waits for the person; its refused update_plan wrote nothing", async () => {
  const seen: unknown[] = [];
  await replay("codex-implemented", {
    async look(one, { hook_event_name: event, session_id: id }) {
      const { state, why, mode, plan } = await one.session(id);
      const list = (await one.open(id)).length;
      if (event === "UserPromptSubmit" || event === "Stop")
        seen.push([event, state, why.reason, why.text, mode, plan?.status, list].join(" "));
    },
  });
  expect(seen).toEqual([
    "UserPromptSubmit running in-turn  plan  0",
    "Stop waiting plan Rename helper plan proposed 0",
    "UserPromptSubmit running in-turn  default approved 0",
    "Stop idle turn-ended  default approved 2",
  ]);
});

describe("hooks of Claude Code that are heard late", () => {
  const asked = { tool_name: "ExitPlanMode", tool_input: { plan: "# P" }, permission_mode: "plan", prompt_id: "p1" };
  const answered = { ...asked, tool_input: {}, tool_response: { plan: "# P" }, permission_mode: "default" };

  test.each(["PreToolUse", "PermissionRequest"])("%s does not take an approval back", async (event) => {
    const one = await client();
    await one.hook("UserPromptSubmit", { prompt: "go", permission_mode: "plan", prompt_id: "p1" });
    await one.hook("PostToolUse", { ...answered, tool_use_id: "t1" });
    await one.hook(event, {
      ...asked,
      ...(event === "PreToolUse" && { tool_use_id: "t1", permission_mode: "default" }),
    });
    expect(rows(await plansOf(one))).toEqual(["approved | # P | client"]);
    expect(await one.session()).toMatchObject({ mode: "default", plan: { status: "approved" } });
  });

  test.each<[string, object]>([
    ["a sub-agent's", { agent_id: "a1" }],
    ["one that its leader decides on", { tool_response: { plan: "# P", awaitingLeaderApproval: true } }],
    ["one without a text", { tool_response: "User has approved exiting plan mode." }],
    ["one without an id", { tool_use_id: undefined }],
  ])("no approval: %s", async (_, fields) => {
    const one = await client();
    await one.hook("PostToolUse", { ...answered, tool_use_id: "t1", ...fields });
    expect((await plansOf(one)).filter(({ status }) => status === "approved")).toEqual([]);
  });

  test("a plan that is too long is cut, and says so", async () => {
    const one = await client();
    await one.hook("PreToolUse", { ...asked, tool_input: { plan: "x".repeat(2_000_000) }, tool_use_id: "t1" });
    const [plan] = await plansOf(one);
    expect(plan?.text.length).toBeLessThanOrEqual(200_000);
    expect(plan?.text).toMatch(/\[cut by Milepost\]$/);
  });
});

test("a new plan of the same session takes the place of one that nobody decided on", async () => {
  const one = await client();
  const propose = (id: string) => ({ tool_name: "ExitPlanMode", tool_input: { plan: `# ${id}` }, tool_use_id: id });
  await one.hook("PreToolUse", propose("a"));
  await one.hook("PreToolUse", propose("b"));
  expect(rows(await plansOf(one))).toEqual(["superseded | # a", "proposed | # b | after another"]);
});

describe("a plan that is carried out in a new session", () => {
  const WORDS = {
    codex: "A previous agent produced the plan below to accomplish the user's task. Implement the plan.\n\n",
    "claude-code": "Implement the following plan:\n\n",
  };

  test.each<[keyof typeof WORDS, object]>([
    ["codex", { turn_id: "t2" }],
    ["claude-code", { prompt_id: "p2" }],
  ])("%s: is approved by the prompt that hands it over", async (agent, turn) => {
    const one = await client();
    const transcript_path = join(folder, agent === "codex" ? "rollout-x.jsonl" : "s2.jsonl");
    const proposal = { session: "s1", client: agent, folder: "/work", key: "k", text: "# P\n\n- do it\n" };
    await proposePlan(one.store, proposal);
    await proposePlan(one.store, { ...proposal, folder: "/other", session: "s3" });
    await proposePlan(one.store, { ...proposal, client: "other", session: "s4" });
    const told = { session_id: "s2", transcript_path, ...turn };
    await one.hook("UserPromptSubmit", { ...told, prompt: `${WORDS[agent]}# Q\n\n- do it` });
    expect((await plansOf(one)).map(({ status }) => status)).toEqual(["proposed", "proposed", "proposed"]);
    await one.hook("UserPromptSubmit", { ...told, prompt: `${WORDS[agent]}# P\n\n- do it` });
    expect((await plansOf(one)).map(({ session, status }) => `${session} ${status}`).sort()).toEqual([
      "s1 approved",
      "s3 proposed",
      "s4 proposed",
    ]);
  });
});

describe("an approval that a person has taken back stays so", () => {
  const takeBack = async ({ store }: Client, id = "") => {
    const back = { id, type: "reject", by: "ann", via: "command", isWithdrawal: true } as const;
    expect((await judgePlan(store, back)).ok).toBe(true);
  };

  test("though Codex's transcript tells of it in each later turn", async () => {
    const { one, session, plans, first } = await replay("codex-implemented");
    await takeBack(one, plans[0]?.id);
    await one.store.commit(
      append([{ stream: `session:${session}`, events: [sessionEvent({ type: "mode.changed", mode: "plan" })] }]),
    );
    await one.hook("Stop", { ...first, hook_event_name: "Stop", turn_id: "later" }, "m:7");
    expect((await plansOf(one)).map(({ status }) => status)).toEqual(["rejected"]);
  });

  test("though the hook that told it is heard only now", async () => {
    const one = await client();
    const told = { tool_name: "ExitPlanMode", tool_use_id: "t1", tool_response: { plan: "# P" } };
    await one.hook("PostToolUse", told);
    await takeBack(one, (await plansOf(one))[0]?.id);
    const read = readHookInput(JSON.stringify({ session_id: "s1", hook_event_name: "PostToolUse", ...told }), "m:7");
    if (!read.ok) throw new Error(read.error);
    const facts = await factsOf(read.value);
    const kept = decodeSpooled(encodeSpooled({ store: "x", at: 1000, mark: "hook/2", first: 0, facts }));
    if (typeof kept !== "object") throw new Error("It cannot be read again.");
    for (const [index, fact] of kept.facts.entries())
      await recordFact(markedStore(one.store, `${kept.mark}/${index}`, { at: kept.at }), fact, DEFAULT_SETTINGS);
    expect((await plansOf(one)).map(({ status }) => status)).toEqual(["rejected"]);
  });
});

test("facts about plans can wait in a file, and are recorded once", async () => {
  const one = await client();
  await one.hook("UserPromptSubmit", { prompt: "go" });
  const read = readHookInput(
    JSON.stringify({
      session_id: "s1",
      hook_event_name: "PostToolUse",
      tool_name: "ExitPlanMode",
      tool_use_id: "t1",
      tool_response: { plan: "# P", planWasEdited: true },
    }),
    "m:7",
  );
  if (!read.ok) throw new Error(read.error);
  const facts = await factsOf(read.value);
  const kept = decodeSpooled(encodeSpooled({ store: "x", at: 1000, mark: "hook/1", first: 0, facts }));
  if (typeof kept !== "object") throw new Error("It cannot be read again.");
  expect(kept.facts.map(({ kind }) => kind)).toEqual(["sighting", "plan", "plan"]);
  for (let time = 0; time < 2; time += 1)
    for (const [index, fact] of kept.facts.entries())
      await recordFact(markedStore(one.store, `${kept.mark}/${index}`, { at: kept.at }), fact, DEFAULT_SETTINGS);
  const [plan, ...others] = await plansOf(one);
  expect([plan?.status, plan?.proposedAt, plan?.decision?.at, others]).toEqual(["approved", 1000, 1000, []]);
  expect(await planEvents(one)).toHaveLength(4);
});
