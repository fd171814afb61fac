import { expect, test } from "vitest";
import * as api from "../src/index.js";

/** Growing the API is a decision: it shows here. */
const NAMES = [
  "DIALECTS",
  "EMPTY_LIST",
  "PRIORITIES",
  "PROMPT_TEXT_MAX",
  "StoreTrouble",
  "TASK_DIALECTS",
  "TODO_STATUSES",
  "append",
  "createHermesUpdates",
  "createOpenclawProjector",
  "createOpenclawRelay",
  "createOpenclawTranslator",
  "decide",
  "detectToolLoop",
  "diffLists",
  "evolve",
  "evolveAll",
  "findDialect",
  "listRows",
  "openMilepost",
  "progressOf",
  "promptText",
  "renderList",
  "speak",
  "terminalLines",
  "terminalText",
  "transitionLines",
];

test("the library exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual(NAMES);
});

test("the built library exports the same", async () => {
  // The path is a variable, so that types are not looked for: this is the file that users load.
  const built = "../dist/index.js";
  expect(Object.keys(await import(built)).sort()).toEqual(NAMES);
});
