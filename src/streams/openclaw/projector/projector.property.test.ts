import fc from "fast-check";
import { expect, test } from "vitest";
import { createOpenclawProjector, type OpenclawProjectorOptions } from "./projector.js";

const tag = fc.constantFrom(
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "usage_update",
  "plan",
  "__proto__",
);
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("Yes. ", "\n\n", "\ud83d", "\ude00", "x".repeat(500), "word ".repeat(900)),
);
const status = fc.constantFrom("pending", "in_progress", "completed", "failed", "done");
const update = fc.oneof(
  fc.record(
    {
      sessionUpdate: tag,
      content: fc.oneof(fc.record({ type: fc.constant("text"), text: words }), fc.anything()),
      toolCallId: fc.oneof(fc.constantFrom("a", "b", "__proto__"), fc.anything()),
      title: fc.oneof(words, fc.anything()),
      kind: fc.oneof(fc.constantFrom("read", "execute"), fc.anything()),
      status: fc.oneof(status, fc.anything()),
      used: fc.oneof(fc.nat(3), fc.anything()),
      size: fc.nat(3),
      entries: fc.anything(),
    },
    { requiredKeys: ["sessionUpdate"] },
  ),
  fc.anything({ withNullPrototype: true }),
);
const shown = fc.dictionary(tag, fc.boolean());
const stream = fc.record({
  deliveryMode: fc.constantFrom("live", "final_only"),
  repeatSuppression: fc.boolean(),
  tagVisibility: shown,
  maxOutputChars: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 3000 })),
  maxSessionUpdateChars: fc.oneof(fc.constant(undefined), fc.integer({ min: 64, max: 400 })),
});
const steps = (one: fc.Arbitrary<unknown>) => fc.array(fc.tuple(fc.nat(900), one), { maxLength: 30 });

function play(given: readonly (readonly [number, unknown])[], options: OpenclawProjectorOptions, isLazy = false) {
  const projector = createOpenclawProjector(options);
  let now = 0;
  const sent = given.flatMap(([wait, told]) => {
    const due = [];
    for (const end = now + wait; now < end; now += 1) if (!isLazy) due.push(...projector.advance(now));
    return [...due, ...projector.tell(told, now)];
  });
  return [...sent, ...projector.end(now)];
}

test("whatever is told, it never throws, and what it gives is whole and within its limits", () => {
  fc.assert(
    fc.property(steps(update), stream, (given, settings) => {
      const sent = play(given, { config: { acp: { stream: settings } } });
      let output = 0;
      for (const { type, text } of sent) {
        expect(text.isWellFormed()).toBe(true);
        expect(text.trim()).not.toBe("");
        expect(text.length).toBeLessThanOrEqual(type === "text" ? 1800 : (settings.maxSessionUpdateChars ?? 320));
        if (type === "text") output += text.length;
      }
      expect(output).toBeLessThanOrEqual(settings.maxOutputChars ?? 24_000);
    }),
  );
});

test("how often it is asked in between changes nothing", () => {
  fc.assert(
    fc.property(steps(update), stream, (given, settings) => {
      const options = { config: { acp: { stream: settings } } };
      expect(play(given, options, true)).toEqual(play(given, options));
    }),
  );
});

test("text gets there in its order, live or held, only blanks are lost", () => {
  const piece = words.map((text) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }));
  fc.assert(
    fc.property(steps(piece), fc.constantFrom("live" as const, "final_only" as const), (given, deliveryMode) => {
      const sent = play(given, { config: { acp: { stream: { deliveryMode, maxOutputChars: 500_000 } } } });
      const whole = given.map(([, told]) => (told as { content: { text: string } }).content.text).join("");
      const bare = (text: string) => text.replace(/\s/g, "");
      const unfinished = /[\ud800-\udbff]$/;
      expect(bare(sent.map(({ text }) => text).join(""))).toBe(bare(whole.replace(unfinished, "").toWellFormed()));
    }),
  );
});
