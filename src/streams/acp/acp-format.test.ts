import { describe, expect, test } from "vitest";
import { expectAcp } from "../../../test/acp-schema.js";
import type { CallEvent } from "../../core/call/call-event.js";
import type { SessionEvent } from "../../core/session/events.js";
import { EMPTY_LIST } from "../../core/todo/list.js";
import type { HostNews, NewsPlace } from "../host-format.js";
import { AcpFormat } from "./acp-format.js";

const place: NewsPlace = { session: "s1", turn: 1, at: 1000, version: 7, folder: "/app/", cursor: "42" };
const started = (more: Partial<CallEvent> = {}): HostNews => ({
  type: "call",
  event: { type: "call.started", call: "c1", tool: "Bash", ...more } as CallEvent,
});
const updated = (more: Partial<CallEvent> = {}): HostNews => ({
  type: "call",
  event: { type: "call.updated", call: "c1", tool: "Bash", ...more } as CallEvent,
});
const ended = (more: Partial<CallEvent> = {}): HostNews => ({
  type: "call",
  event: { type: "call.ended", call: "c1", tool: "Bash", outcome: "completed", isWork: true, ...more } as CallEvent,
});
const session = (event: SessionEvent): HostNews => ({ type: "session", event });
const plan = (status: "proposed" | "approved" | "rejected" | "superseded", title = "Move it"): HostNews => ({
  type: "plan",
  id: "42y9-4juep",
  title,
  status,
  text: "# Move it",
});

/** What is told, without what every message has. */
function told(news: readonly HostNews[], at: NewsPlace = place) {
  const format = new AcpFormat();
  return news.flatMap((one) =>
    format.messages(one, at).map(({ jsonrpc, method, params }) => {
      expect({ jsonrpc, method }).toEqual({ jsonrpc: "2.0", method: "session/update" });
      expect([params.sessionId, params._meta]).toEqual([at.session, { milepost: { cursor: "42" } }]);
      expectAcp(params);
      return params.update;
    }),
  );
}

const call = { sessionUpdate: "tool_call", toolCallId: "c1", name: "Bash", kind: "other", title: "Bash" };
const more = { sessionUpdate: "tool_call_update", toolCallId: "c1" };

const rows: readonly (readonly [name: string, news: readonly HostNews[], updates: readonly object[]])[] = [
  [
    "a call that starts, goes on and ends",
    [started({ subject: "npm test" }), updated({ subject: "3 of 9" }), ended({ outcome: "failed" })],
    [
      { ...call, title: "Bash: npm test", status: "in_progress" },
      { ...more, title: "Bash: 3 of 9", status: "in_progress" },
      { ...more, status: "failed" },
    ],
  ],
  [
    "a start that is told again is an update",
    [started(), started()],
    [
      { ...call, status: "in_progress" },
      { ...more, status: "in_progress" },
    ],
  ],
  ["an end without a start is a call", [ended()], [{ ...call, status: "completed" }]],
  [
    "an end without an id is named by its place",
    [ended({ call: undefined })],
    [{ ...call, toolCallId: "call-7", status: "completed" }],
  ],
  [
    "an id that comes back after its end is another call",
    [started(), ended(), started()],
    [
      { ...call, status: "in_progress" },
      { ...more, status: "completed" },
      { ...call, status: "in_progress" },
    ],
  ],
  ["a call that was cut short has failed", [ended({ outcome: "cancelled" })], [{ ...call, status: "failed" }]],
  ["a tool without a name", [ended({ tool: "" })], [{ ...call, name: "", title: "tool", status: "completed" }]],
  [
    "files are absolute paths",
    [ended({ facts: { kind: "edit", files: ["src/a.ts", "/etc/b", "C:\\c"] } })],
    [
      {
        ...call,
        kind: "edit",
        status: "completed",
        locations: [{ path: "/app/src/a.ts" }, { path: "/etc/b" }, { path: "C:\\c" }],
      },
    ],
  ],
  ["a list that was cleared", [{ type: "list", list: EMPTY_LIST }], [{ sessionUpdate: "plan", entries: [] }]],
  [
    "a compaction keeps its id",
    [
      session({ type: "compaction.started", trigger: "auto" }),
      session({ type: "compaction.ended", trigger: "auto" }),
      session({ type: "compaction.ended", trigger: "manual" }),
    ],
    [
      { sessionUpdate: "compaction_update", compactionId: "compaction-7", status: "in_progress" },
      { sessionUpdate: "compaction_update", compactionId: "compaction-7", status: "completed" },
      { sessionUpdate: "compaction_update", compactionId: "compaction-7", status: "completed" },
    ],
  ],
  [
    "the mode",
    [session({ type: "mode.changed", mode: "plan" })],
    [{ sessionUpdate: "current_mode_update", currentModeId: "plan" }],
  ],
  [
    "an alert is a notice",
    [
      session({
        type: "alert.raised",
        id: 1,
        detector: "same-failure",
        level: "block",
        count: 6,
        at: 5,
        message: "npm test failed 6 times.",
      }),
    ],
    [
      {
        sessionUpdate: "notice",
        severity: "error",
        title: "Milepost: same-failure",
        description: "npm test failed 6 times.",
      },
    ],
  ],
  [
    "a plan",
    [plan("proposed"), plan("approved"), plan("rejected", ""), plan("superseded")],
    [
      {
        sessionUpdate: "notice",
        severity: "info",
        title: "Plan proposed: Move it",
        description: "To read it: milepost plan show 42y9-4juep. To approve it: milepost plan approve 42y9-4juep",
      },
      { sessionUpdate: "notice", severity: "info", title: "Plan approved: Move it" },
      { sessionUpdate: "notice", severity: "warning", title: "Plan rejected: a plan without a title" },
    ],
  ],
  [
    "a subject that has the tool's name in it already",
    [ended({ tool: "edit", subject: "Edit src/a.ts" })],
    [{ ...call, name: "edit", title: "Edit src/a.ts", status: "completed" }],
  ],
  ["turns have no words", [session({ type: "turn.started", isStop: false })], []],
  [
    "half a pair of surrogates is no text",
    [ended({ subject: "a\ud800" })],
    [{ ...call, title: "Bash: a\ufffd", status: "completed" }],
  ],
];

describe("our events as session updates", () => {
  test.each(rows)("%s", (_name, news, updates) => {
    expect(told(news)).toEqual(updates);
  });

  test("without a folder a path stays as it was told", () => {
    const [update] = told([ended({ facts: { files: ["a.ts"] } })], { ...place, folder: undefined });
    expect(update).toMatchObject({ locations: [{ path: "a.ts" }] });
  });

  test("calls that never end are forgotten some time", () => {
    const format = new AcpFormat();
    for (let id = 0; id < 10_001; id += 1) format.messages(started({ call: `c${id}` }), place);
    const kinds = ["c0", "c10000"].map(
      (id) => format.messages(ended({ call: id }), place)[0]?.params.update.sessionUpdate,
    );
    expect(kinds).toEqual(["tool_call", "tool_call_update"]);
  });
});
