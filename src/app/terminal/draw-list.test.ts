import { expect, test } from "vitest";
import { DIALECTS } from "../../dialects/registry.js";
import { listTodos } from "../commands/todo/list-todos.js";

test("a list can be drawn as every agent draws it that draws one", () => {
  const drawing = DIALECTS.filter(({ panel }) => panel !== undefined).map(({ name }) => name);
  expect(listTodos.input.view.choices).toEqual(["rows", "markdown", "tree", ...drawing]);
});
