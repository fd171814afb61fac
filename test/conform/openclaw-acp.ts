import { listAt, objectAt } from "../../src/core/json.js";
import { createOpenclawTranslator } from "../../src/streams/openclaw/translator/translator.js";
import { type Check, mismatches } from "./case.js";

const PROMPT = { sessionKey: "key1", runId: "run1" };

/** The updates that a client gets. An event is of our prompt's session unless its `payload` says otherwise. */
export const openclawAcp: Check = async ({ events, expect }) => {
  const translator = createOpenclawTranslator(PROMPT);
  const actual = listAt(events).flatMap((event) => {
    const { data, payload } = objectAt(event);
    const told = { stream: "tool", sessionKey: PROMPT.sessionKey, data, ...objectAt(payload) };
    return translator.translate(told) ?? [];
  });
  return mismatches([{ expected: expect, actual }]);
};
