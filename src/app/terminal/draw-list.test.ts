import { expect, test } from "vitest";
import { DIALECTS } from "../../dialects/registry.js";
import { DRAWINGS } from "./draw-list.js";

test("a list can be drawn as every agent draws it that draws one", () => {
  const drawing = DIALECTS.filter(({ panel }) => panel !== undefined).map(({ name }) => name);
  expect(DRAWINGS).toEqual(["tree", ...drawing]);
});
