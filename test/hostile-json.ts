import fc from "fast-check";

/** Names under which JavaScript looks for something of its own. */
const KEYS = ["toString", "valueOf", "toJSON", "constructor", "__proto__", "length", "hasOwnProperty", "then"];

const value = fc.oneof(fc.constantFrom<unknown>(0, null, "", "x", -1, 1e308, [], {}, true), fc.string());

/** From its text, as it arrives: there `__proto__` is a key like any other. */
const object = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), value), { minLength: 1, maxLength: 3 })
  .map((entries) => entries.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`))
  .map((members): unknown => JSON.parse(`{${members.join(",")}}`));

/** An object that cannot be cast to a text or a number, alone or in a list. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>({ toString: 0 }, [{ toString: 0 }], { toString: 0, valueOf: 0 }),
  object,
  fc.array(object, { minLength: 1, maxLength: 2 }),
);
