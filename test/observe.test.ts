import { describe, expect, test } from "vitest";
import { CALLS } from "../src/app/session/session-view.js";
import { append, type CallReport, openMilepost } from "../src/index.js";

async function host(environment: Record<string, string> = {}) {
  const milepost = await openMilepost({ store: "memory:", environment });
  return {
    milepost,
    observe: async (reports: CallReport | readonly CallReport[]) => {
      const observed = await milepost.observe(reports);
      return observed.ok ? observed.value.said : observed.error.code;
    },
    async events(type: string) {
      const pages = await milepost.store.read();
      const found = [];
      if (pages.ok) for await (const page of pages.value) found.push(...page.events);
      return found.filter((event) => event.type === type);
    },
  };
}

const place = { session: "s1", call: "c1", tool: "Bash" } as const;
const ended = (call: string, more: object = {}): CallReport => ({
  ...{ ...place, type: "call.ended", call, input: { command: "npm test" }, output: "ok", milliseconds: 5 },
  ...more,
});

describe("a host tells of its own calls", () => {
  test("each fact is one event, however often it is told", async () => {
    const { observe, events, milepost } = await host();
    for (let times = 0; times < 2; times += 1) {
      await observe({ ...place, type: "call.started", input: { command: "npm test" }, title: "Tests" });
      await observe({ ...place, type: "call.updated", title: "3 of 9 files", progress: 0.3 });
    }
    await observe({ ...place, type: "call.updated", title: "6 of 9 files", progress: 0.6 });
    const { open } = await milepost.store.view(CALLS, "calls:s1");
    expect(open).toMatchObject([{ call: "c1", tool: "Bash", subject: "6 of 9 files", progress: 0.6 }]);
    await observe(ended("c1"));
    await observe(ended("c1"));
    const counts = await Promise.all(["call.started", "call.updated", "call.ended", "reply.ended"].map(events));
    expect(counts.map(({ length }) => length)).toEqual([1, 2, 1, 1]);
    expect((await events("call.ended"))[0]?.data).toMatchObject({ facts: { check: "tests", result: "passed" } });
    expect((await milepost.store.view(CALLS, "calls:s1")).open).toEqual([]);
    await milepost.close();
  });

  test("calls of one reply are one round", async () => {
    const { observe, events, milepost } = await host();
    await observe([ended("a"), ended("b", { tool: "Read", input: { path: "x" }, error: "No such file" })]);
    const [reply, ...others] = await events("reply.ended");
    expect(others).toEqual([]);
    expect(reply?.data).toMatchObject({
      batch: true,
      calls: 2,
      round: [
        { tool: "Bash", status: "completed" },
        { tool: "Read", status: "failed", files: ["x"] },
      ],
    });
    await milepost.close();
  });

  test("its model is told what hooks would tell it", async () => {
    const { observe, milepost } = await host();
    await milepost.call({
      session: "s1",
      tool: "todo",
      input: { add: ["Fix it"] },
      origin: { client: "mine", call: "l1" },
    });
    const stream = "session:s1";
    await milepost.store.commit(append([{ stream, events: [{ type: "notice.left", data: { text: "Read this." } }] }]));
    expect(await observe(ended("c1"))).toEqual([expect.stringContaining("Read this.")]);
    expect(await observe(ended("c2"))).toEqual([]);
    await milepost.close();
  });

  test("a person's own commands are checks, too", async () => {
    const { observe, events } = await host({ MILEPOST_CHECK_PATTERNS: "just verify" });
    await observe(ended("c1", { input: { command: "just verify all" }, exit: 0 }));
    await observe(ended("c2", { input: { command: "just release" }, exit: 0 }));
    const facts = (await events("call.ended")).map(({ data }) => (data as { facts: { check?: string } }).facts.check);
    expect(facts).toEqual(["tests", undefined]);
  });

  test("secrets, arguments and answers are not kept", async () => {
    const { observe, events, milepost } = await host();
    const secret = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    await observe(ended("c1", { title: `with ${secret}`, input: { command: `x ${secret}` }, output: "a long answer" }));
    const text = JSON.stringify(await events("call.ended"));
    expect([text.includes(secret), text.includes("a long answer")]).toEqual([false, false]);
    await milepost.close();
  });

  test.each<[string, CallReport | readonly CallReport[], string]>([
    ["a session that is none", ended("c1", { session: "../x" }), "bad-id"],
    ["an agent that is none", ended("c1", { agent: "" }), "bad-id"],
    ["a call without an id", ended(""), "bad-id"],
    ["an id with a space", ended("a b"), "bad-id"],
    ["nothing", [], "no-calls"],
    ["calls of two sessions", [ended("a"), ended("b", { session: "s2" })], "several-places"],
  ])("refused: %s", async (_, reports, code) => {
    const { observe, milepost } = await host();
    expect(await observe(reports)).toBe(code);
    await milepost.close();
  });
});
