import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { planStream } from "../src/app/plans/plan-views.js";
import { editPlan, judgePlan, readPlan, sessionPlan } from "../src/app/plans/plans.js";
import { sessionEvent } from "../src/app/session/session-view.js";
import type { Plan } from "../src/core/plan/plan.js";
import { FORM_TIME } from "../src/mcp/plan-state.js";
import { append, type EventStore } from "../src/store/event-store.js";
import { attacksOn } from "./attack-entries.js";
import { connected, McpInProcess } from "./mcp-in-process.js";
import type { Reply } from "./mcp-process.js";
import { runWarm } from "./warm-command.js";

// Our `plan` tool, with the MCP SDK's own client and with lines written by hand, in both eras of the protocol.

const folder = mkdtempSync(join(tmpdir(), "milepost-plans-"));
const SESSION = "s1";
const TEXT = "# Rename the helper\n\n1. Rename it\n2. Run the tests";
let made = 0;
const servers: McpInProcess[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function freshStore(): string {
  made += 1;
  return join(folder, `${made}.db`);
}

function start(store: string, more: readonly string[] = ["--session", SESSION]): McpInProcess {
  const environment = { MILEPOST_HOME: join(folder, "home") };
  const server = new McpInProcess({ args: ["--plans", "--store", store, ...more], environment, folder });
  servers.push(server);
  return server;
}

/** The same store beside the server, as a command has it. */
async function inStore<T>(store: string, work: (store: EventStore) => Promise<T>): Promise<T> {
  const milepost = await openMilepost({ store });
  try {
    return await work(milepost.store);
  } finally {
    await milepost.close();
  }
}

const planIn = (store: string) => inStore(store, (open) => sessionPlan(open, SESSION));

async function decisionsIn(store: string, plan: Plan | undefined): Promise<readonly unknown[]> {
  return inStore(store, async (open) => {
    const pages = await open.read({ stream: planStream(plan?.id ?? "") });
    const events = [];
    for await (const page of pages.ok ? pages.value : []) events.push(...page.events);
    return events.filter(({ type }) => type === "plan.approved" || type === "plan.rejected");
  });
}

const ERAS = [
  { era: "2025-06-18", options: { supportedProtocolVersions: ["2025-06-18"], versionNegotiation: { mode: "legacy" } } },
  { era: "2025-11-25", options: { versionNegotiation: { mode: "legacy" } } },
  { era: "2026-07-28", options: { versionNegotiation: { mode: { pin: "2026-07-28" } } } },
] as const;

type Handler = (params: { readonly message: string; readonly requestedSchema?: unknown }) => Promise<unknown>;

/** A client whose person answers as `handler` does. */
async function clientOf(store: string, options: object, handler?: Handler): Promise<Client> {
  const capabilities = handler ? { elicitation: { form: {} } } : {};
  const client = await connected(start(store), { ...options, capabilities });
  if (handler) client.setRequestHandler("elicitation/create", ({ params }) => handler(params as never) as never);
  return client;
}

async function call(client: Client, input: object): Promise<string> {
  const { content, isError } = await client.callTool({ name: "plan", arguments: { ...input } });
  const [first] = content as readonly { readonly text: string }[];
  return `${isError ? "ERROR " : ""}${first?.text}`;
}

describe.each(ERAS)("$era, the SDK's own client", ({ era, options }) => {
  test.each<[string, unknown, Plan["status"], RegExp]>([
    ["approved", { action: "accept", content: { decision: "approve" } }, "approved", /is approved: start\.$/],
    [
      "approved with words",
      { action: "accept", content: { decision: "approve", comment: "Mind the docs" } },
      "approved",
      /approved: start\. The person said: "Mind the docs"/,
    ],
    [
      "rejected",
      { action: "accept", content: { decision: "reject", comment: "Too large" } },
      "rejected",
      /is rejected\. The person said: "Too large"\. Change it/,
    ],
    ["changes", { action: "accept", content: { decision: "changes" } }, "rejected", /rejected\. Ask what to change/],
    ["declined", { action: "decline" }, "proposed", /^The form was declined.*milepost plan approve/s],
    ["cancelled", { action: "cancel" }, "proposed", /^The form was closed.*milepost plan approve/s],
    ["no content", { action: "accept" }, "proposed", /^The form came back without.*milepost plan approve/s],
    ["malformed", { action: "accept", content: { decision: 7 } }, "proposed", /milepost plan approve \S+ --hash /],
  ])("%s", async (_, result, status, text) => {
    const store = freshStore();
    const shown: string[] = [];
    const client = await clientOf(store, options, async ({ message, requestedSchema }) => {
      shown.push(message, JSON.stringify(requestedSchema));
      return result;
    });
    expect(await call(client, { text: TEXT })).toMatch(text);
    const plan = await planIn(store);
    expect(plan).toMatchObject({ status, text: TEXT, session: SESSION, client: "probe" });
    expect(shown[0]).toContain(`plan ${plan?.id}: Rename the helper\nThe whole plan: milepost plan show ${plan?.id}`);
    expect(shown[1]).toContain(era === "2025-06-18" ? "enumNames" : "oneOf");
    if (status === "proposed") expect(plan?.decision).toBeUndefined();
    else
      expect(plan?.decision).toMatchObject({ by: expect.stringContaining("@"), via: "elicitation", hash: plan?.hash });
    // What was decided is told again, and nobody is asked.
    expect(await call(client, {})).toContain(`helper" is ${status}`);
    expect(shown).toHaveLength(2);
  });

  test("a host without forms gets the commands at once, and later the decision", async () => {
    const store = freshStore();
    const client = await clientOf(store, options);
    const text = await call(client, { text: TEXT });
    const plan = await planIn(store);
    expect(text.split("\n").slice(1, 3)).toEqual([
      `milepost plan approve ${plan?.id} --hash ${plan?.hash.slice(0, 8)} --store ${store}`,
      `milepost plan reject ${plan?.id} --reason TEXT --store ${store}`,
    ]);
    // The same text again is the same plan.
    expect(await call(client, { text: TEXT })).toBe(text);
    await inStore(store, (open) =>
      judgePlan(open, { id: plan?.id ?? "", type: "approve", by: "ann", via: "command", seen: plan?.hash }),
    );
    expect(await call(client, {})).toContain("is approved: start.");
    expect(await call(client, { text: TEXT })).toContain("is approved: start.");
    // A changed plan needs a new approval.
    expect(await call(client, { text: `${TEXT}\n3. Ship it` })).toContain("is proposed and waits");
    expect(await planIn(store)).toMatchObject({ status: "proposed", supersedes: plan?.id });
  });
});

test.each([
  ["no forms, only addresses", { elicitation: { url: {} } }, false],
  ["forms, as clients said it before there were kinds", { elicitation: {} }, true],
])("%s", async (_, capabilities, isAsked) => {
  const server = start(freshStore());
  await greet(server, capabilities);
  const answer = server.ask("tools/call", { name: "plan", arguments: { text: TEXT } });
  if (isAsked) await answerForm(server, { action: "decline" });
  expect(textOf(await answer)).toContain("is proposed and waits");
  expect(server.lines.some(({ method }) => method === "elicitation/create")).toBe(isAsked);
});

test("a call that is sent again tells what was decided meanwhile, and nobody is asked", async () => {
  const store = freshStore();
  const server = start(store);
  await greet(server, {});
  const params = { name: "plan", arguments: { text: TEXT }, _meta: { callId: "call_1" } };
  expect(textOf(await server.ask("tools/call", params))).toContain("is proposed and waits");
  const { id = "" } = (await planIn(store)) ?? {};
  await inStore(store, (open) => judgePlan(open, { id, type: "approve", by: "ann", via: "command" }));
  expect(textOf(await server.ask("tools/call", params))).toContain("is approved: start.");
});

test("the text of a plan whose work is finished is a new plan", async () => {
  const store = freshStore();
  const server = start(store);
  await greet(server, {});
  const params = { name: "plan", arguments: { text: TEXT } };
  await server.ask("tools/call", params);
  const { id = "" } = (await planIn(store)) ?? {};
  await inStore(store, async (open) => {
    await judgePlan(open, { id, type: "approve", by: "ann", via: "command" });
    const finished = sessionEvent({ type: "plan.finished", plan: id });
    await open.commit(append([{ stream: `session:${SESSION}`, events: [finished] }]));
  });
  expect(textOf(await server.ask("tools/call", params))).toContain("is proposed and waits");
  expect((await planIn(store))?.id).not.toBe(id);
});

const FORMS = { elicitation: { form: {} } };

async function greet(server: McpInProcess, capabilities: object = FORMS, name = "raw"): Promise<void> {
  const clientInfo = { name, version: "1" };
  await server.ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
}

const textOf = ({ result, error }: Reply) => result?.content?.[0]?.text ?? JSON.stringify(error);

const propose = (server: McpInProcess, text = TEXT) =>
  server.ask("tools/call", { name: "plan", arguments: { text }, _meta: { progressToken: 1 } });

const formIn = (server: McpInProcess) => server.line(({ method }) => method === "elicitation/create");

async function answerForm(server: McpInProcess, result: object): Promise<void> {
  const { id } = await formIn(server);
  await server.send({ jsonrpc: "2.0", id, result });
}

const APPROVED = { action: "accept", content: { decision: "approve" } };

describe("while the form is open (until 2025)", () => {
  test("other calls are answered", async () => {
    const server = start(freshStore());
    await greet(server);
    const waiting = propose(server);
    await formIn(server);
    const todo = await server.ask("tools/call", { name: "todo", arguments: { add: ["meanwhile"] } });
    expect(todo.result?.isError).toBe(false);
    expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toContain("is proposed");
    await answerForm(server, APPROVED);
    expect(textOf(await waiting)).toContain("is approved: start");
  });

  test("an unknown action, an error and a wrong answer leave the plan proposed", async () => {
    for (const answer of [
      { result: { action: "approve", content: { decision: "approve" } } },
      { error: { code: -32601, message: "no" } },
      { result: 7 },
      { result: { action: "accept", content: "approve" } },
    ]) {
      const store = freshStore();
      const server = start(store);
      await greet(server);
      const waiting = propose(server);
      const { id } = await formIn(server);
      await server.send({ jsonrpc: "2.0", id, ...answer });
      expect(textOf(await waiting)).toMatch(/milepost plan approve/);
      expect(await planIn(store)).toMatchObject({ status: "proposed" });
    }
  });

  test("only an answer to a request of ours is heard, and only once", async () => {
    const store = freshStore();
    const server = start(store);
    await greet(server);
    const waiting = propose(server);
    const { id } = await formIn(server);
    for (const other of [String(id), Number(id) + 1, "q1", null, ""])
      await server.send({ jsonrpc: "2.0", id: other, result: APPROVED });
    expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toContain("is proposed");
    await server.send({ jsonrpc: "2.0", id, result: { action: "decline" } });
    await server.send({ jsonrpc: "2.0", id, result: APPROVED });
    expect(textOf(await waiting)).toContain("The form was declined");
    expect(await planIn(store)).toMatchObject({ status: "proposed" });
  });

  test("a decision by command ends the wait, closes the form, and counts", async () => {
    const store = freshStore();
    const server = start(store);
    await greet(server);
    const waiting = propose(server);
    const { id } = await formIn(server);
    const plan = await planIn(store);
    const verdict = { id: plan?.id ?? "", type: "reject", by: "ann", via: "command", reason: "Not now" } as const;
    await inStore(store, (open) => judgePlan(open, verdict));
    expect(textOf(await waiting)).toContain('is rejected. The person said: "Not now"');
    const closed = await server.line(({ method }) => method === "notifications/cancelled");
    expect(closed).toMatchObject({ params: { requestId: id } });
    await server.send({ jsonrpc: "2.0", id, result: APPROVED });
    expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toContain("is rejected");
    expect(await decisionsIn(store, plan)).toMatchObject([{ type: "plan.rejected", data: { by: "ann" } }]);
  });

  test("a newer proposal closes the form of the older one", async () => {
    const server = start(freshStore());
    await greet(server);
    const first = propose(server);
    const { id } = await formIn(server);
    const second = propose(server, "# Another");
    expect(textOf(await first)).toMatch(/is superseded by .*do not start/);
    await server.line(({ method }) => method === "notifications/cancelled");
    const form = await server.line((line) => line.method === "elicitation/create" && line.id !== id);
    await server.send({ jsonrpc: "2.0", id: form.id, result: APPROVED });
    expect(textOf(await second)).toMatch(/"Another" is approved/);
  });

  test("a text that a person changed meanwhile is not approved by the form", async () => {
    const store = freshStore();
    const server = start(store);
    await greet(server);
    const waiting = propose(server);
    await formIn(server);
    const plan = await planIn(store);
    await inStore(store, (open) => editPlan(open, { id: plan?.id ?? "", text: "# Less", by: "ann" }));
    await answerForm(server, APPROVED);
    expect(textOf(await waiting)).toMatch(/^The plan was changed while.*is proposed/s);
    await inStore(store, (open) => judgePlan(open, { id: plan?.id ?? "", type: "approve", by: "ann", via: "command" }));
    expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toMatch(
      /is approved: start\.\nThe person changed it first\. This is what was approved:\n> # Less$/,
    );
  });

  test("two decide at once: one decision, and both hear it", async () => {
    const store = freshStore();
    const server = start(store);
    await greet(server);
    const waiting = propose(server);
    await formIn(server);
    const plan = await planIn(store);
    const id = plan?.id ?? "";
    const [, byCommand, answer] = await Promise.all([
      answerForm(server, APPROVED),
      inStore(store, (open) => judgePlan(open, { id, type: "reject", by: "ann", via: "command" })),
      waiting,
    ]);
    const decisions = await decisionsIn(store, plan);
    expect(decisions).toHaveLength(1);
    const after = await inStore(store, (open) => readPlan(open, id));
    expect(byCommand.ok).toBe(after?.status === "rejected");
    expect(textOf(answer)).toContain(`helper" is ${after?.status}`);
  });

  test("a call that is cancelled, and a client that goes away, leave the plan proposed", async () => {
    const store = freshStore();
    const server = start(store);
    await greet(server);
    void propose(server);
    const { id } = await formIn(server);
    const requestId = "q2";
    await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    await server.line(({ method }) => method === "notifications/cancelled");
    await server.send({ jsonrpc: "2.0", id, result: APPROVED });
    expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toContain("is proposed");
    void propose(server, "# Another");
    await server.line((line) => line.method === "elicitation/create" && line.id !== id);
    await server.close();
    expect(await server.ended).toBe(0);
    expect(await planIn(store)).toMatchObject({ status: "proposed", text: "# Another" });
  });

  test("many forms at once are bounded; the rest get the commands", async () => {
    const server = start(freshStore(), []);
    await greet(server);
    const calls = Array.from({ length: 9 }, (_, index) =>
      server.ask("tools/call", { name: "plan", arguments: { text: TEXT }, _meta: { threadId: `t${index}` } }),
    );
    expect(textOf(await Promise.race(calls))).toContain("is proposed and waits");
    const forms = server.lines.filter(({ method }) => method === "elicitation/create");
    expect(forms).toHaveLength(8);
    for (const { id } of forms) await server.send({ jsonrpc: "2.0", id, result: APPROVED });
    const texts = (await Promise.all(calls)).map(textOf);
    expect(texts.filter((text) => text?.includes("is approved: start"))).toHaveLength(8);
  });
});

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
};

interface Retry {
  readonly text?: string;
  readonly state?: unknown;
  readonly answer?: unknown;
  readonly meta?: object;
}

/** A call of the era of 2026, first or again. */
function modern(server: McpInProcess, { text = TEXT, state, answer, meta }: Retry = {}): Promise<Reply> {
  return server.ask("tools/call", {
    name: "plan",
    arguments: { text },
    _meta: { ...ENVELOPE, ...meta },
    ...(state === undefined ? undefined : { requestState: state }),
    ...(answer === undefined ? undefined : { inputResponses: { approval: answer } }),
  });
}

const stateOf = ({ result }: Reply) => String(result?.requestState);

describe("a state that comes back (since 2026)", () => {
  test("approves once; the second time it is refused", async () => {
    const store = freshStore();
    const server = start(store);
    const asked = await modern(server);
    expect(asked.result).toMatchObject({ resultType: "input_required", inputRequests: { approval: {} } });
    const retry = { state: stateOf(asked), answer: APPROVED };
    expect(textOf(await modern(server, retry))).toContain("is approved: start.");
    const again = await modern(server, retry);
    expect(again.result?.isError).toBe(true);
    expect(textOf(again)).toMatch(/^This answer was used before.*is approved/s);
    expect(await decisionsIn(store, await planIn(store))).toHaveLength(1);
  });

  test("two arrivals at once: one decision", async () => {
    const store = freshStore();
    const server = start(store);
    const state = stateOf(await modern(server));
    const rejected = { action: "accept", content: { decision: "reject" } };
    const both = await Promise.all([
      modern(server, { state, answer: APPROVED }),
      modern(server, { state, answer: rejected }),
    ]);
    expect(both.map(({ result }) => result?.isError).sort()).toEqual([false, true]);
    expect(await decisionsIn(store, await planIn(store))).toHaveLength(1);
  });

  test.each<[string, (state: string, server: McpInProcess, store: string) => Retry | Promise<Retry>]>([
    ["forged", () => ({ state: "eyJhcHByb3ZlZCI6dHJ1ZX0=" })],
    ["changed", (state) => ({ state: state.replace(/^..../, "zzzz") })],
    ["no text", () => ({ state: "" })],
    ["for other arguments", (state) => ({ state, text: "# Another" })],
    ["in another session", (state) => ({ state, meta: { threadId: "t2" } })],
    [
      "used for a decline",
      async (state, server) => {
        await modern(server, { state, answer: { action: "decline" }, meta: THREAD });
        return { state };
      },
    ],
    [
      "expired",
      (state) => {
        const now = performance.now();
        vi.spyOn(performance, "now").mockImplementation(() => now + FORM_TIME + 1);
        return { state };
      },
    ],
    [
      "of a server that was started anew",
      async (_state, _server, store) => {
        const other = start(store, []);
        return { state: stateOf(await modern(other, { meta: THREAD })) };
      },
    ],
  ])("%s: refused, and the plan stays proposed", async (_, change) => {
    const store = freshStore();
    const server = start(store, []);
    const state = stateOf(await modern(server, { meta: THREAD }));
    const retry = await change(state, server, store);
    const { result } = await modern(server, { meta: THREAD, answer: APPROVED, ...retry });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Nothing was changed") }],
    });
    const plan = await inStore(store, (open) => sessionPlan(open, "t1"));
    expect(plan).toMatchObject({ status: "proposed", text: TEXT });
    expect(await decisionsIn(store, plan)).toEqual([]);
  });

  test("of a plan that was replaced, or decided by command: that counts", async () => {
    const store = freshStore();
    const server = start(store);
    const first = stateOf(await modern(server));
    const second = stateOf(await modern(server, { text: "# Another" }));
    expect(textOf(await modern(server, { state: first, answer: APPROVED }))).toContain("is superseded by");
    const plan = await planIn(store);
    await inStore(store, (open) => judgePlan(open, { id: plan?.id ?? "", type: "reject", by: "ann", via: "command" }));
    expect(textOf(await modern(server, { text: "# Another", state: second, answer: APPROVED }))).toContain(
      "is rejected",
    );
    expect(await decisionsIn(store, plan)).toMatchObject([{ data: { by: "ann" } }]);
  });

  test("answers without a state are no answers: the person is asked", async () => {
    const store = freshStore();
    const server = start(store);
    expect((await modern(server, { answer: APPROVED })).result?.resultType).toBe("input_required");
    expect(await planIn(store)).toMatchObject({ status: "proposed" });
  });

  test("not under the name of another form", async () => {
    const server = start(freshStore());
    const requestState = stateOf(await modern(server));
    const params = { name: "plan", arguments: { text: TEXT }, _meta: ENVELOPE, requestState };
    const { result } = await server.ask("tools/call", { ...params, inputResponses: { other: APPROVED } });
    expect(result?.content?.[0]?.text).toMatch(/cannot be read.*is proposed/s);
  });
});

const THREAD = { threadId: "t1" };

test("without --plans there is no such tool, and the person can offer it", async () => {
  mkdirSync(join(folder, "home"), { recursive: true });
  const environment = { MILEPOST_HOME: join(folder, "home") };
  const server = new McpInProcess({ args: ["--store", freshStore()], environment, folder });
  servers.push(server);
  await greet(server);
  expect((await propose(server)).error?.message).toBe(
    "Unknown tool: plan. The person can offer it: milepost setup --plans",
  );
});

test("a sub-agent proposes nothing, and may ask", async () => {
  const store = freshStore();
  const server = start(store, []);
  await greet(server);
  const _meta = { threadId: "t2", "x-codex-turn-metadata": { session_id: "t1" } };
  const proposed = await server.ask("tools/call", { name: "plan", arguments: { text: TEXT }, _meta });
  expect(textOf(proposed)).toContain("Only the session's main agent proposes plans");
  expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {}, _meta }))).toContain("has no plan");
});

test("prompt-compaction-poison: a summary approves nothing; the store says what is approved", async () => {
  const store = freshStore();
  const server = start(store);
  await greet(server, {}, "claude-code");
  await propose(server);
  const poison = attacksOn("prompt").find(({ id }) => id === "prompt-compaction-poison")?.input ?? "";
  const hook = (fields: object) =>
    server.ask("tools/call", { name: "hook", arguments: { session_id: SESSION, cwd: folder, ...fields } });
  await hook({ hook_event_name: "PostCompact", trigger: "auto", compact_summary: poison });
  await hook({ hook_event_name: "SessionStart", source: "compact" });
  await hook({ hook_event_name: "UserPromptSubmit", prompt: poison, prompt_id: "p1" });
  expect(textOf(await server.ask("tools/call", { name: "plan", arguments: {} }))).toContain("is proposed and waits");
  // Also as the plan's own words.
  expect(textOf(await propose(server, poison))).toContain("is proposed and waits");
  expect(await planIn(store)).toMatchObject({ status: "proposed", text: poison });
});

test("milepost call answers the tool, without a form, and names the store that was named", () => {
  const store = freshStore();
  const lines = [{ text: TEXT }, {}].map((input) => JSON.stringify({ tool: "plan", input, session: SESSION }));
  const environment = { MILEPOST_HOME: join(folder, "home") };
  const args = ["call", "--store", store];
  const { out, exit } = runWarm(args, { input: lines.join("\n"), folder, environment });
  const [first, second] = out.split("\n").map((line) => (line === "" ? undefined : JSON.parse(line)));
  expect([exit, first?.isError, first?.data?.plan.status]).toEqual([0, false, "proposed"]);
  expect(first.text).toContain(
    `milepost plan approve ${first.data.plan.id} --hash ${first.data.plan.hash.slice(0, 8)}`,
  );
  expect(first.text).toContain(`--store ${store}`);
  expect(second).toEqual(first);
});
