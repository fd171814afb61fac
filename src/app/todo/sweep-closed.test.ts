import { afterEach, describe, expect, test, vi } from "vitest";
import { todosOf } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { openStore } from "../../store/open.js";
import { createMilepost, openMilepost } from "../milepost.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { PROJECTIONS } from "../views.js";
import { editList, type ListEdit } from "./person-edit.js";

afterEach(() => void vi.useRealTimers());

async function opened(seconds: string) {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
  const milepost = await openMilepost({ store: "memory:", environment: { MILEPOST_LIST_CLEAR: seconds } });
  const todo = async (input: object) => {
    const answer = await milepost.call({ tool: "todo", input });
    return answer.ok ? answer.value.text : "";
  };
  const texts = async () => {
    const list = await milepost.list();
    return list.ok ? todosOf(list.value).map(({ text }) => text) : [];
  };
  const later = (by: number) => vi.setSystemTime(Date.now() + by * 1000);
  return { milepost, todo, texts, later };
}

describe("closed todos leave the list", () => {
  test("never by default, however old they are", async () => {
    const { todo, texts, later } = await opened("-1");
    await todo({ add: ["a", "b"] });
    await todo({ done: 1 });
    later(1e7);
    await todo({ note: "still there" });
    expect(await texts()).toEqual(["a", "b"]);
  });

  test("at once with 0: the answer still shows it, the next one does not", async () => {
    const { todo, texts } = await opened("0");
    await todo({ add: ["a", "b"] });
    expect(await todo({ done: 1, show: true })).toContain("[x] 1. a");
    expect(await texts()).toEqual(["b"]);
    expect(await todo({ show: true })).not.toContain("1. a");
  });

  test("after the time that was set, and not before; each by its own closing", async () => {
    const { todo, texts, later } = await opened("60");
    await todo({ add: ["a", "b", "c"] });
    await todo({ done: 1 });
    later(30);
    await todo({ done: 2 });
    later(29);
    expect(await texts()).toEqual(["a", "b", "c"]);
    later(1);
    expect(await texts()).toEqual(["b", "c"]);
    later(30);
    await todo({ note: "anything" });
    expect(await texts()).toEqual(["c"]);
  });

  test.each([
    ["behind", -3600],
    ["ahead", 3600],
  ])("by the store's clock, also where this process is an hour %s", async (_, apart) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    let now = Date.now() - apart * 1000;
    const store = await openStore("memory:", { projections: PROJECTIONS, clock: () => now });
    const milepost = createMilepost(store, { ...DEFAULT_SETTINGS, clearAfter: 60 });
    for (const input of [{ add: ["a", "b"] }, { done: 1 }]) await milepost.call({ tool: "todo", input });
    const count = async () => {
      const list = await milepost.list();
      return list.ok && todosOf(list.value).length;
    };
    now += 59_000;
    expect(await count()).toBe(2);
    now += 1000;
    expect(await count()).toBe(1);
  });

  test("one that was opened again stays, and its time begins anew", async () => {
    const { todo, texts, later } = await opened("60");
    await todo({ add: ["a", "b"] });
    await todo({ done: 1 });
    await todo({ start: 1 });
    later(100);
    expect(await texts()).toEqual(["a", "b"]);
    await todo({ done: 1 });
    later(59);
    expect(await texts()).toEqual(["a", "b"]);
  });

  test("a person's change too, and what a person sees", async () => {
    const { milepost, todo, texts, later } = await opened("60");
    await todo({ add: ["a", "b", "c"] });
    const place = { stream: "session:default", by: "ann", clearAfter: 60 };
    const done = (number: number) => ({
      plan: undefined,
      edit: {
        action: "done",
        command: { type: "edit", edits: [{ type: "move", target: { number }, to: "completed" }] },
        policy: WHOLE_LIST,
      } satisfies ListEdit,
    });
    await editList(milepost.store, place, () => done(1));
    expect(await texts()).toEqual(["a", "b", "c"]);
    later(60);
    const second = await editList(milepost.store, place, () => done(2));
    expect(second.ok && todosOf(second.value.list).map(({ text }) => text)).toEqual(["b", "c"]);
    await editList(milepost.store, { ...place, clearAfter: 0 }, () => done(3));
    expect(await texts()).toEqual([]);
  });

  test("the log says that nobody asked for it", async () => {
    const { milepost, todo } = await opened("0");
    await todo({ add: ["a", "b"] });
    await todo({ done: 1 });
    const pages = await milepost.store.read();
    const removed: unknown[] = [];
    for await (const page of pages.ok ? pages.value : [])
      removed.push(...page.events.filter(({ type }) => type === "todo.removed").map(({ actor }) => actor));
    expect(removed).toEqual(["milepost"]);
  });
});

describe("what sub-agents have", () => {
  type ToolCall = Parameters<Awaited<ReturnType<typeof openMilepost>>["call"]>[0];
  const write: ToolCall = {
    dialect: "codex",
    tool: "update_plan",
    agent: "sub",
    input: { plan: [{ step: "a", status: "pending" }] },
  };
  const seen = async (subAgents: string, call: ToolCall = write) => {
    const milepost = await openMilepost({ store: "memory:", environment: { MILEPOST_LIST_SUB_AGENTS: subAgents } });
    const answer = await milepost.call(call);
    const [own, shared] = [await milepost.list({ agent: "sub" }), await milepost.list()];
    const count = (list: typeof own) => (list.ok ? todosOf(list.value).length : -1);
    return [answer.ok && !answer.value.isError, count(own), count(shared)];
  };

  test.each([
    ["dialect", [true, 1, 0]],
    ["own", [true, 1, 0]],
    ["shared", [true, 1, 1]],
    ["none", [false, 0, 0]],
  ])("%s", async (setting, expected) => {
    expect(await seen(setting)).toEqual(expected);
  });

  const steps = [{ step: "a", status: "pending" }];
  const todos = [{ content: "a", status: "pending", activeForm: "doing a", id: "1" }];
  test.each([
    ["codex: its own list", "codex", "update_plan", { plan: steps }, [true, 1, 0]],
    ["claude: its own list", "claude", "TodoWrite", { todos }, [true, 1, 0]],
    ["hermes: its own list", "hermes", "todo_list", { todos }, [true, 1, 0]],
    ["nexo: the session's list", "nexo", "TodoWrite", { todos }, [true, 0, 1]],
    ["gencode: the session's list", "gencode", "TodoWrite", { todos }, [true, 0, 1]],
    ["oh-my-pi: none", "oh-my-pi", "todo_write", { ops: [{ op: "append", phase: "P", items: ["a"] }] }, [false, 0, 0]],
    ["openclaw: none", "openclaw", "progress_card", { plan: steps }, [false, 0, 0]],
  ])("where nothing is set, %s", async (_, dialect, tool, input, expected) => {
    expect(await seen("dialect", { ...write, dialect, tool, input })).toEqual(expected);
  });
});
