import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { HostMessages } from "../src/app/streams-out/host-messages.js";
import { type Milepost, openMilepost } from "../src/index.js";
import { HOST_FORMAT_NAMES, HOST_FORMATS } from "../src/streams/host-formats.js";
import { expectAcp } from "./acp-schema.js";
import { sized } from "./sizes.js";
import { runWarm } from "./warm-command.js";

// `milepost events --format acp | codex`, from real stores.

const home = mkdtempSync(join(tmpdir(), "milepost-host-messages-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const environment = { ...process.env, MILEPOST_HOME: home, HOME: home, MILEPOST_STORE: undefined };
const run = (args: readonly string[], input = "") => runWarm(args, { folder: home, environment, input });

interface Message {
  readonly method: string;
  readonly params: {
    readonly sessionId?: string;
    readonly threadId?: string;
    readonly turnId?: string;
    readonly update?: { readonly sessionUpdate: string };
  };
}
const messages = (...args: readonly string[]): readonly Message[] => {
  const { exit, out, err } = run(["events", ...args]);
  expect([exit, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Message);
};
const call = (session: string, input: object) => JSON.stringify({ tool: "todo", session, input });
const hook = (input: object) =>
  run(["hook"], JSON.stringify({ session_id: "abc", transcript_path: "", cwd: home, ...input }));

describe("milepost events --format", () => {
  test("acp: the official schema takes every message; a list is told once for each write", () => {
    run(
      ["call"],
      [call("one", { add: ["Read\u001b[31m", "Fix"] }), call("two", { add: ["x"] }), call("one", { done: 1 })].join(
        "\n",
      ),
    );
    const told = messages("--format", "acp");
    for (const { params } of told) expectAcp(params);
    const plans = told.filter(({ params }) => params.update?.sessionUpdate === "plan");
    expect(plans.map(({ params }) => [params.sessionId, params.update])).toEqual([
      [
        "one",
        {
          sessionUpdate: "plan",
          entries: [
            { content: "Read␛[31m", priority: "medium", status: "in_progress" },
            { content: "Fix", priority: "medium", status: "pending" },
          ],
        },
      ],
      ["two", { sessionUpdate: "plan", entries: [{ content: "x", priority: "medium", status: "in_progress" }] }],
      [
        "one",
        {
          sessionUpdate: "plan",
          entries: [
            { content: "Read␛[31m", priority: "medium", status: "completed" },
            { content: "Fix", priority: "medium", status: "in_progress" },
          ],
        },
      ],
    ]);
    const only = messages("--format", "acp", "--session", "two");
    expect(new Set(only.map(({ params }) => params.sessionId))).toEqual(new Set(["two"]));
    const raw = messages("--session", "two").map((event) => (event as unknown as { stream: string }).stream);
    expect(new Set(raw)).toEqual(new Set(["session:two"]));
  });

  test("codex: lists and plans, in the turn that they belong to", () => {
    hook({ hook_event_name: "SessionStart", source: "startup" });
    hook({ hook_event_name: "UserPromptSubmit", prompt: "Go" });
    run(["plan", "propose", "-", "--session", "abc"], "# Rename it\n\n1. Look\n2. Rename\n");
    hook({ hook_event_name: "UserPromptSubmit", prompt: "Do it" });
    run(["call", "--dialect", "codex", "--session", "abc"], '{"tool":"update_plan","input":{"plan":[]}}');
    run(["todo", "add", "Look", "--session", "abc"]);
    const told = messages("--format", "codex", "--session", "abc");
    expect(told.map(({ method, params }) => [method, params.turnId])).toEqual([
      ["item/started", "abc-turn-1"],
      ["item/plan/delta", "abc-turn-1"],
      ["item/completed", "abc-turn-1"],
      ["turn/plan/updated", "abc-turn-2"],
    ]);
    expect(told[1]?.params).toMatchObject({ threadId: "abc", delta: "# Rename it\n\n1. Look\n2. Rename\n" });
    expect(told[3]?.params).toMatchObject({ plan: [{ step: "Look", status: "pending" }] });
  });

  test("a session that is not there, a format that nobody speaks", () => {
    expect(run(["events", "--session", "nobody"])).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/unknown-session/),
    });
    expect(run(["events", "--format", "zed"])).toMatchObject({ exit: 2, err: expect.stringMatching(/acp, codex/) });
  });
});

/** Calls of our tool that are taken, whatever the list is. */
const write = fc.record({
  session: fc.constantFrom("one", "two"),
  input: fc.oneof(
    fc.record({ add: fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }) }),
    fc.record({ done: fc.nat(4) }),
    fc.record({ drop: fc.nat(4) }),
    fc.record({ clear: fc.constant(true) }),
  ),
});

async function told(milepost: Milepost, format: (typeof HOST_FORMAT_NAMES)[number], after: string) {
  const host = new HostMessages(milepost.store, HOST_FORMATS[format]());
  const pages = await milepost.store.read({ after });
  const all: object[] = [];
  if (pages.ok) for await (const page of pages.value) for await (const message of host.of(page)) all.push(message);
  return all;
}

test("who starts in the middle of the log is told of lists as who has seen it from the beginning", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), fc.nat(12), async (writes, cut) => {
      const milepost = await openMilepost({ store: "memory:", environment: {} });
      let middle = "0";
      for (const [at, { session, input }] of writes.entries()) {
        if (at === cut) middle = await milepost.store.head();
        await milepost.call({ session, tool: "todo", input });
      }
      for (const format of HOST_FORMAT_NAMES) {
        const [whole, tail] = [await told(milepost, format, "0"), await told(milepost, format, middle)];
        expect(whole.slice(whole.length - tail.length)).toEqual(tail);
        if (middle === "0") expect(tail).toEqual(whole);
      }
      await milepost.close();
    }),
    { numRuns: sized(25, 1000) },
  );
});
