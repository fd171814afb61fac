import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json.js";
import { AcpReader, type AcpSender } from "./acp-reader.js";

const RUNS = 300;

const method = fc.constantFrom(
  "initialize",
  "session/new",
  "session/load",
  "session/prompt",
  "session/update",
  "session/request_permission",
  "session/close",
  "__proto__",
);
const id = fc.oneof(fc.nat(5), fc.string({ maxLength: 3 }), fc.constant(null), fc.object());
const kind = fc.constantFrom("tool_call", "tool_call_update", "plan", "plan_update", "agent_message_chunk", "x");
const update = fc.oneof(
  fc.record(
    {
      sessionUpdate: kind,
      toolCallId: fc.oneof(fc.constantFrom("a", "b"), fc.anything()),
      title: fc.oneof(fc.string(), fc.anything()),
      status: fc.oneof(fc.constantFrom("pending", "in_progress", "completed", "failed"), fc.anything()),
      rawInput: fc.anything(),
      rawOutput: fc.anything(),
      content: fc.anything(),
      entries: fc.oneof(fc.array(fc.record({ content: fc.anything(), status: fc.anything() })), fc.anything()),
    },
    { requiredKeys: ["sessionUpdate"] },
  ),
  fc.anything(),
);
const params = fc.record({ sessionId: fc.oneof(fc.constantFrom("s1", "s2"), fc.anything()), update, toolCall: update });
const message = fc.oneof(
  fc.record({ id, method, params }, { requiredKeys: ["method"] }),
  fc.record({ id, result: fc.oneof(fc.object(), fc.record({ sessionId: fc.constantFrom("s1") })) }),
  fc.object(),
);
const stream = fc.array(fc.tuple(fc.constantFrom<AcpSender>("editor", "agent"), message), { maxLength: 40 });

const isSession = (session: string) => /^[\w.:-]+$/.test(session);

test("whatever is said, it never throws; ends follow their starts, each once until it starts again", () => {
  fc.assert(
    fc.property(stream, (lines) => {
      const reader = new AcpReader(["agent"]);
      const open = new Set<string>();
      for (const [from, said] of lines) {
        for (const fact of reader.read(from, said as JsonObject, 0)) {
          expect(isSession(fact.session)).toBe(true);
          if (fact.type !== "call.started" && fact.type !== "call.ended") continue;
          const key = `${fact.session} ${fact.call}`;
          expect(open.has(key)).toBe(fact.type === "call.ended");
          if (fact.type === "call.started") open.add(key);
          else open.delete(key);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
