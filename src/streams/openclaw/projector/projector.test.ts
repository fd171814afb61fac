import { describe, expect, test } from "vitest";
import { createOpenclawProjector, type OpenclawProjectorOptions, type ProjectedMessage } from "./projector.js";

const text = (said: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } });
const started = (id: unknown, fields: object = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId: id,
  title: "Read a.ts",
  status: "in_progress",
  ...fields,
});
const changed = (id: unknown, fields: object) => ({ sessionUpdate: "tool_call_update", toolCallId: id, ...fields });
const ended = (id: unknown, status = "completed") => changed(id, { status });
const usage = (used: number, size = 100) => ({ sessionUpdate: "usage_update", used, size });
const said = (words: string) => ({ sessionUpdate: "news", text: words });

const ALL_TAGS = [
  "tool_call",
  "tool_call_update",
  "usage_update",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "plan",
  "agent_thought_chunk",
];
const LOUD = Object.fromEntries(ALL_TAGS.map((tag) => [tag, true]));

function options(stream: object, fullDetails?: boolean): OpenclawProjectorOptions {
  return { config: { acp: { stream } }, fullDetails };
}
const FINAL = options({});
const LIVE = options({ deliveryMode: "live" });
const LOUD_FINAL = options({ tagVisibility: LOUD });
const LOUD_LIVE = options({ deliveryMode: "live", tagVisibility: LOUD });
const REPEATING = options({ deliveryMode: "live", tagVisibility: LOUD, repeatSuppression: false });

/** `"..."` a text, else as it is; `@id` what it edits. */
function brief({ type, text: words, edits }: ProjectedMessage): string {
  const shown = type === "text" ? JSON.stringify(words) : words;
  return edits === undefined ? shown : `${shown} @${edits}`;
}

/** All updates at the same time, and the end. */
function project(updates: readonly unknown[], given: OpenclawProjectorOptions): readonly string[] {
  const projector = createOpenclawProjector(given);
  return [...updates.flatMap((update) => projector.tell(update, 0)), ...projector.end(0)].map(brief);
}

interface Row {
  readonly name: string;
  readonly as?: OpenclawProjectorOptions;
  readonly given: readonly unknown[];
  readonly then: readonly string[];
}

const RUNNING = "🧰 Tool Call: Read a.ts · status=in_progress";
const DONE = "🧰 Tool Call: Read a.ts · status=completed";

function table(rows: readonly Row[]) {
  test.each(rows)("$name", ({ given, as = FINAL, then }) => {
    expect(project(given, as)).toEqual(then);
  });
}

describe("hidden calls part the text", () => {
  table([
    { name: "by a blank line", given: [text("Look."), started("1"), text("Found.")], then: ['"Look.\\n\\nFound."'] },
    { name: "live: by a space", as: LIVE, given: [text("a"), started("1"), text("b")], then: ['"a b"'] },
    {
      name: "once for many",
      given: [text("a"), started("1"), ended("1"), started("2"), text("b"), text("c")],
      then: ['"a\\n\\nbc"'],
    },
    { name: "an end does", given: [text("a"), ended("1", "failed"), text("b")], then: ['"a\\n\\nb"'] },
    {
      name: "other updates of a call do not",
      given: [text("a"), ended("1", "in_progress"), text("b")],
      then: ['"ab"'],
    },
    { name: "not after whitespace", given: [text("a\n"), started("1"), text("b")], then: ['"a\\nb"'] },
    { name: "not before whitespace", given: [text("a"), started("1"), text(" b")], then: ['"a b"'] },
    { name: "not before the first text", given: [started("1"), text("b")], then: ['"b"'] },
    { name: "not after the last text", given: [text("a"), started("1")], then: ['"a"'] },
    {
      name: "an empty chunk leaves it to the next",
      given: [text("a"), started("1"), text(""), text("b")],
      then: ['"a\\n\\nb"'],
    },
    {
      name: "a shown call does not",
      as: LOUD_FINAL,
      given: [text("a"), started("1"), text("b")],
      then: [RUNNING, '"ab"'],
    },
    {
      name: "a hidden end of a shown call does",
      as: options({ tagVisibility: { tool_call: true } }),
      given: [text("a"), started("1"), ended("1"), text("b")],
      then: [RUNNING, '"a\\n\\nb"'],
    },
  ]);
});

describe("what is shown", () => {
  table([
    {
      name: "by default only answers",
      given: [started("1"), usage(1), { sessionUpdate: "plan", entries: [] }, text("a")],
      then: ['"a"'],
    },
    {
      name: "no answers, if they are hidden",
      as: options({ tagVisibility: { agent_message_chunk: false } }),
      given: [text("a")],
      then: [],
    },
    {
      name: "thoughts, if they are shown, are text like any other",
      as: LOUD_FINAL,
      given: [{ ...text("Hm. "), sessionUpdate: "agent_thought_chunk" }, text("a")],
      then: ['"Hm. a"'],
    },
    {
      name: "words of the person that a child repeats never are",
      as: LOUD_FINAL,
      given: [{ ...text("Do it"), sessionUpdate: "user_message_chunk" }],
      then: [],
    },
    { name: "text under an unknown tag is a status line", given: [said("Retrying")], then: ["⚙️ Retrying"] },
    { name: "text without a tag, too", given: [{ content: { type: "text", text: "Retrying" } }], then: ["⚙️ Retrying"] },
    { name: "an unknown tag without text is nothing", given: [{ sessionUpdate: "news" }], then: [] },
    {
      name: "a chunk that is an image is nothing",
      given: [{ ...text(""), content: { type: "image", data: "x" } }],
      then: [],
    },
    {
      name: "held: calls and status lines in their order, then the text",
      as: LOUD_FINAL,
      given: [text("a"), usage(1), started("1"), text("b")],
      then: ["⚙️ usage: 1/100", RUNNING, '"ab"'],
    },
    {
      name: "live: text before them is sent first",
      as: LOUD_LIVE,
      given: [text("a"), usage(1), text("b"), started("1")],
      then: ['"a"', "⚙️ usage: 1/100", '"b"', RUNNING],
    },
    {
      name: "live: blank text is no message",
      as: LOUD_LIVE,
      given: [text("\n\n"), started("1"), text("  ")],
      then: [RUNNING],
    },
  ]);
});

describe("summaries", () => {
  const one = (fields: object) => [started("1", fields)];
  table([
    { name: "the title and the status", as: LOUD_FINAL, given: one({}), then: [RUNNING] },
    { name: "the title alone", as: LOUD_FINAL, given: one({ status: undefined }), then: ["🧰 Tool Call: Read a.ts"] },
    {
      name: "the status alone",
      as: LOUD_FINAL,
      given: one({ title: " " }),
      then: ["🧰 Tool Call: status=in_progress"],
    },
    { name: "nothing known", as: LOUD_FINAL, given: [changed("1", {})], then: ["🧰 Tool Call: tool call"] },
    {
      name: "no title of a command",
      as: LOUD_FINAL,
      given: one({ kind: "execute" }),
      then: ["🧰 Tool Call: status=in_progress"],
    },
    {
      name: "nor of one that tells its title later",
      as: LOUD_FINAL,
      given: [started("1", { kind: "execute" }), changed("1", { title: "rm x", status: "failed" })],
      then: ["🧰 Tool Call: status=in_progress", "🧰 Tool Call: status=failed @1"],
    },
    {
      name: "but with full details",
      as: options({ tagVisibility: LOUD }, true),
      given: one({ kind: "execute" }),
      then: [RUNNING],
    },
    {
      name: "cut, the sign of the cut among its units",
      as: LOUD_FINAL,
      given: one({ title: "x".repeat(400) }),
      then: [`🧰 Tool Call: ${"x".repeat(305)}…`],
    },
    {
      name: "cut before a pair that does not fit",
      as: LOUD_FINAL,
      given: one({ title: `${"x".repeat(304)}😀y` }),
      then: [`🧰 Tool Call: ${"x".repeat(304)}…`],
    },
    {
      name: "cut where the configuration says",
      as: options({ tagVisibility: LOUD, maxSessionUpdateChars: 64 }),
      given: one({ title: "x".repeat(400) }),
      then: [`🧰 Tool Call: ${"x".repeat(49)}…`],
    },
  ]);
});

describe("repeated summaries", () => {
  table([
    {
      name: "a start and an end: the end may take its place, and keeps the title",
      as: LOUD_LIVE,
      given: [started("1"), ended("1")],
      then: [RUNNING, `${DONE} @1`],
    },
    {
      name: "one start of a call",
      as: LOUD_LIVE,
      given: [started("1"), started("1", { title: "Other" })],
      then: [RUNNING],
    },
    {
      name: "one end, and nothing after it",
      as: LOUD_LIVE,
      given: [started("1"), ended("1"), ended("1", "failed"), ended("1", "in_progress")],
      then: [RUNNING, `${DONE} @1`],
    },
    ...["completed", "done", "failed", "error", "cancelled"].map((status) => ({
      name: `${status} is an end`,
      as: LOUD_LIVE,
      given: [ended("1", status), changed("1", { title: "x" })],
      then: [`🧰 Tool Call: status=${status}`],
    })),
    {
      name: "not the same text of a call again",
      as: LOUD_LIVE,
      given: [started("1"), changed("1", { content: [] }), changed("1", { title: "B" })],
      then: [RUNNING, "🧰 Tool Call: B · status=in_progress @1"],
    },
    { name: "each call for itself", as: LOUD_LIVE, given: [started("1"), started("2")], then: [RUNNING, RUNNING] },
    {
      name: "without an id: not the last summary again",
      as: LOUD_LIVE,
      given: [started(undefined), started(7), ended(""), started(null)],
      then: [RUNNING, "🧰 Tool Call: status=completed", RUNNING],
    },
    {
      name: "an id without end is none",
      as: LOUD_LIVE,
      given: [started("x".repeat(1001)), started("y".repeat(1001))],
      then: [RUNNING],
    },
    {
      name: "what was hidden has no message to edit",
      as: options({ tagVisibility: { tool_call_update: true } }),
      given: [started("1"), ended("1")],
      then: [DONE],
    },
    {
      name: "held ones are sent, too",
      as: LOUD_FINAL,
      given: [started("1"), ended("1"), ended("1")],
      then: [RUNNING, `${DONE} @1`],
    },
    {
      name: "shown, if suppression is off",
      as: REPEATING,
      given: [started("1"), started("1"), ended("1"), ended("1")],
      then: [RUNNING, `${RUNNING} @1`, `${DONE} @1`, `${DONE} @1`],
    },
    {
      name: "ids are keys like any other",
      as: LOUD_LIVE,
      given: [started("__proto__"), ended("__proto__")],
      then: [RUNNING, `${DONE} @__proto__`],
    },
  ]);
});

describe("status lines", () => {
  const entries = [{ content: "A", status: "completed" }, { content: "B", status: "in_progress" }, null];
  table([
    {
      name: "not the one before again, whatever was between",
      as: LOUD_LIVE,
      given: [said("A"), started("1"), said(" A "), said("B"), said("A")],
      then: ["⚙️ A", RUNNING, "⚙️ B", "⚙️ A"],
    },
    {
      name: "no usage that did not change, also after others",
      as: LOUD_LIVE,
      given: [usage(1), said("A"), usage(1), usage(2), usage(2, 9)],
      then: ["⚙️ usage: 1/100", "⚙️ A", "⚙️ usage: 2/100", "⚙️ usage: 2/9"],
    },
    {
      name: "all, if suppression is off",
      as: REPEATING,
      given: [said("A"), said("A"), usage(1), usage(1)],
      then: ["⚙️ A", "⚙️ A", "⚙️ usage: 1/100", "⚙️ usage: 1/100"],
    },
    { name: "cut as summaries are", given: [said("x".repeat(400))], then: [`⚙️ ${"x".repeat(316)}…`] },
    {
      name: "usage that is no number is nothing",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "usage_update", used: "1", size: Number.NaN }],
      then: [],
    },
    {
      name: "a plan",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "plan", entries }],
      then: ["⚙️ plan: 1 of 3 steps done, now B"],
    },
    {
      name: "a plan without entries",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "plan", entries: "x" }],
      then: ["⚙️ plan: 0 of 0 steps done"],
    },
    {
      name: "commands",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "available_commands_update", availableCommands: [1, 2] }],
      then: ["⚙️ available commands: 2"],
    },
    {
      name: "a mode",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "current_mode_update", currentModeId: "ask" }],
      then: ["⚙️ mode: ask"],
    },
    { name: "options", as: LOUD_LIVE, given: [{ sessionUpdate: "config_option_update" }], then: ["⚙️ options changed"] },
    {
      name: "a title",
      as: LOUD_LIVE,
      given: [{ sessionUpdate: "session_info_update", title: "T" }, { sessionUpdate: "session_info_update" }],
      then: ["⚙️ session: T"],
    },
  ]);
});

describe("the cap of the output", () => {
  const capped = (max: unknown, stream: object = {}) => options({ ...stream, maxOutputChars: max });
  const CUT = "⚙️ output truncated";
  const lengths = (updates: readonly unknown[], as: OpenclawProjectorOptions) => {
    const projector = createOpenclawProjector(as);
    const sent = [...updates.flatMap((update) => projector.tell(update, 0)), ...projector.end(0)];
    return sent.reduce((sum, message) => sum + (message.type === "text" ? message.text.length : 0), 0);
  };
  table([
    {
      name: "told once, after the text that is sent at the end",
      as: capped(3),
      given: [text("abcd"), text("e")],
      then: ['"abc"', CUT],
    },
    {
      name: "live: at once",
      as: capped(3, { deliveryMode: "live" }),
      given: [text("abcd"), said("A"), text("e")],
      then: ['"abc"', CUT, "⚙️ A"],
    },
    { name: "not told where all fits", as: capped(3), given: [text("abc")], then: ['"abc"'] },
    { name: "told for the unit after it", as: capped(3), given: [text("abc"), text("d")], then: ['"abc"', CUT] },
    { name: "separators count", as: capped(3), given: [text("a"), started("1"), text("b")], then: ['"a\\n\\n"', CUT] },
    {
      name: "summaries do not",
      as: options({ tagVisibility: LOUD, maxOutputChars: 1 }),
      given: [text("ab"), started("1")],
      then: [RUNNING, '"a"', CUT],
    },
    { name: "no pair is cut", as: capped(2), given: [text("a😀")], then: ['"a"', CUT] },
    { name: "nor one after the cap", as: capped(3), given: [text("abc😀")], then: ['"abc"', CUT] },
    {
      name: "no pair of two pieces is cut",
      as: capped(2),
      given: [text("a\ud83d"), text("\ude00")],
      then: ['"a"', CUT],
    },
  ]);
  test.each([
    ["the default", undefined, 24_000],
    ["no number", "9", 24_000],
    ["not finite", Number.NaN, 24_000],
    ["too small", -5, 1],
    ["a part", 9.9, 9],
    ["too large", 1e9, 500_000],
  ])("%s", (_, max, length) => {
    expect(lengths([text("x".repeat(600_000))], capped(max))).toBe(length);
    const mebi = Array.from({ length: 600 }, () => text("x".repeat(1000)));
    expect(lengths(mebi, capped(max, { deliveryMode: "live" }))).toBe(length);
  });
});

describe("pieces and chunks", () => {
  table([
    {
      name: "halves of a pair in two pieces are one",
      as: LIVE,
      given: [text("\ud83d"), text("\ude00")],
      then: ['"😀"'],
    },
    {
      name: "also around a call",
      as: LOUD_LIVE,
      given: [text("a\ud83d"), started("1"), text("\ude00")],
      then: ['"a"', RUNNING, '"😀"'],
    },
    { name: "a half that stays alone at the end is dropped", given: [text("a\ud83d")], then: ['"a"'] },
    { name: "other halves are marked", given: [text("a\ude00b\ud83dc")], then: ['"a\ufffdb\ufffdc"'] },
    {
      name: "a chunk ends after a blank",
      given: [text(`${"x".repeat(1000)} ${"y".repeat(1000)}`)],
      then: [`"${"x".repeat(1000)} "`, `"${"y".repeat(1000)}"`],
    },
    {
      name: "but not after an early one",
      given: [text(`x ${"y".repeat(1800)}`)],
      then: [`"x ${"y".repeat(1798)}"`, '"yy"'],
    },
    { name: "no chunk cuts a pair", given: [text(`${"y".repeat(1799)}😀`)], then: [`"${"y".repeat(1799)}"`, '"😀"'] },
    { name: "blank chunks are no messages", given: [text(" ".repeat(5000))], then: [] },
  ]);
});

describe("when live text is sent", () => {
  /** Pieces at their times, then what is sent when, as `time:length`. */
  function schedule(pieces: readonly (readonly [number, string])[]): readonly string[] {
    const projector = createOpenclawProjector(LIVE);
    const sent: string[] = [];
    const note = (at: number, messages: readonly ProjectedMessage[]) =>
      sent.push(...messages.map((message) => `${at}:${message.text.length}`));
    const runTo = (now: number) => {
      for (let at = projector.nextTime(); at !== undefined && at <= now; at = projector.nextTime())
        note(at, projector.advance(at));
    };
    for (const [at, piece] of pieces) {
      runTo(at);
      note(at, projector.tell(text(piece), at));
    }
    runTo(1e9);
    const rest = projector.end(1e9).map((message) => `end:${message.text.length}`);
    return [...sent, ...rest];
  }
  const x = (length: number, end = "") => `${"x".repeat(length - end.length)}${end}`;

  test.each<{ name: string; pieces: readonly (readonly [number, string])[]; then: readonly string[] }>([
    { name: "480 units", pieces: [[0, x(480)]], then: ["350:480"] },
    { name: "a blank line", pieces: [[0, x(9, "\n\n")]], then: ["350:9"] },
    { name: "the end of a sentence and a space", pieces: [[0, x(9, "? ")]], then: ["350:9"] },
    { name: "or a newline", pieces: [[0, x(9, ".\n")]], then: ["350:9"] },
    { name: "220 units and a space", pieces: [[0, x(220, " ")]], then: ["350:220"] },
    { name: "219 and a space wait for more, then 350 ms", pieces: [[0, x(219, " ")]], then: ["1100:219"] },
    { name: "80 units", pieces: [[0, x(80)]], then: ["1100:80"] },
    { name: "the end of a sentence", pieces: [[0, x(9, ".")]], then: ["1100:9"] },
    { name: "a newline at the end", pieces: [[0, x(9, "\n")]], then: ["1100:9"] },
    { name: "a newline within waits for more", pieces: [[0, "a\nb"]], then: ["end:3"] },
    { name: "less waits for the end", pieces: [[0, x(79)]], then: ["end:79"] },
    {
      name: "the last piece counts",
      pieces: [
        [0, x(80)],
        [700, "x"],
      ],
      then: ["1800:81"],
    },
    {
      name: "pieces are joined",
      pieces: [
        [0, x(79)],
        [0, "x"],
      ],
      then: ["1100:80"],
    },
    {
      name: "flushed texts within 350 ms are one message",
      pieces: [
        [0, "Yes. "],
        [300, "No. "],
      ],
      then: ["650:9"],
    },
    {
      name: "later ones are not",
      pieces: [
        [0, "Yes. "],
        [351, "No. "],
      ],
      then: ["350:5", "701:4"],
    },
    {
      name: "what is not flushed is no part of it",
      pieces: [
        [0, "Yes. "],
        [10, "And"],
      ],
      then: ["350:5", "end:3"],
    },
    { name: "a whole chunk goes at once", pieces: [[0, x(1800)]], then: ["0:1800"] },
    {
      name: "with what waits",
      pieces: [
        [0, x(1000, ". ")],
        [9, x(1000, ". ")],
      ],
      then: ["9:1000", "359:1000"],
    },
    { name: "blank text is never sent", pieces: [[0, "\n\n"]], then: [] },
  ])("$name", ({ pieces, then }) => {
    expect(schedule(pieces)).toEqual(then);
  });

  test("what was due comes before what is told", () => {
    const projector = createOpenclawProjector(LIVE);
    projector.tell(text("Yes. "), 0);
    expect(projector.tell(said("A"), 5000).map(brief)).toEqual(['"Yes. "', "⚙️ A"]);
  });
  test("held text has no time", () => {
    const projector = createOpenclawProjector(FINAL);
    expect(projector.tell(text("Yes. "), 0)).toEqual([]);
    expect(projector.nextTime()).toBeUndefined();
    expect(projector.advance(1e9)).toEqual([]);
  });
  test("after the end nothing is said", () => {
    const projector = createOpenclawProjector(LIVE);
    projector.tell(text("Yes. "), 0);
    expect(projector.end(0)).toHaveLength(1);
    expect([...projector.tell(text("No. "), 1), ...projector.advance(1e9), ...projector.end(1e9)]).toEqual([]);
    expect(projector.nextTime()).toBeUndefined();
  });
});

describe("bounds", () => {
  test("of what is held, the oldest is dropped", () => {
    const lines = Array.from({ length: 1500 }, (_, at) => said(`${at}`));
    const sent = project([...lines, text("a")], FINAL);
    expect([sent.length, sent[0], sent.at(-1)]).toEqual([1001, "⚙️ 500", '"a"']);
  });
  test("the call that was silent longest is forgotten, and told as a new one", () => {
    const calls = Array.from({ length: 256 }, (_, at) => started(`${at}`));
    const first = [started("a"), started("b"), changed("a", { title: "A" })];
    const sent = project([...first, ...calls.slice(1), ended("a"), ended("b")], LOUD_LIVE);
    expect(sent.slice(-2)).toEqual(["🧰 Tool Call: A · status=completed @a", "🧰 Tool Call: status=completed"]);
  });
  test("updates may be very large and very deep", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 100_000; level += 1) deep = { title: deep, content: [deep] };
    const large = "x".repeat(20_000_000);
    const updates = [started(deep), started("1", { title: large, status: large }), said(large), { title: deep }, deep];
    expect(
      project([...updates, started("2", { title: deep, kind: deep })], LOUD_LIVE).map((line) => line.length),
    ).toEqual([RUNNING.length, 320, 320, 32]);
  });
  test("configuration that makes no sense is the default", () => {
    const stream = { deliveryMode: 7, repeatSuppression: "no", tagVisibility: [1], maxSessionUpdateChars: {} };
    const config = { acp: { stream } } as unknown as OpenclawProjectorOptions["config"];
    expect(project([text("a"), said("A"), said("A")], { config })).toEqual(["⚙️ A", '"a"']);
  });
});
