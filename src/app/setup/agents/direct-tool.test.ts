import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import { isObject } from "../../../core/json.js";
import { parseToml } from "../edits/toml-document.js";
import { hidesTool, isDirect, madeForDirect, makeDirect, undoDirect } from "./direct-tool.js";

const LIST = 'direct_only_tool_namespaces = ["mcp__milepost"]';
const INLINE = `{ enabled = true, ${LIST} }`;

describe("our tool is made direct, and every other byte stays", () => {
  test.each([
    ["an empty file", "", `[features.code_mode]\n${LIST}\n`],
    ["other features", "[features]\ngoals = true\n", `[features]\ngoals = true\n\n[features.code_mode]\n${LIST}\n`],
    ["dotted features", "features.goals = true\n", `features.goals = true\n\n[features.code_mode]\n${LIST}\n`],
    [
      "features in one row",
      "features = { goals = true } # mine\n",
      `features = { goals = true, code_mode = { ${LIST} } } # mine\n`,
    ],
    ["switched on", "[features]\ncode_mode = true\n", `[features]\ncode_mode = ${INLINE} # milepost: was true\n`],
    [
      "switched off, with a comment",
      "[features]\ncode_mode = false # no\ngoals = true\n",
      `[features]\ncode_mode = ${INLINE.replace("true", "false")} # no # milepost: was false\ngoals = true\n`,
    ],
    ["a dotted switch", "features.code_mode = true", `features.code_mode = ${INLINE} # milepost: was true`],
    [
      "a switch in one row with others",
      "features = { code_mode = true, goals = true }\n",
      `features = { code_mode = ${INLINE}, goals = true } # milepost: was true\n`,
    ],
    [
      "a table",
      "[features.code_mode]\nenabled = true\n\n[tui]\nx = 1\n",
      `[features.code_mode]\nenabled = true\n${LIST}\n\n[tui]\nx = 1\n`,
    ],
    ["an empty table", "[features.code_mode]\n[tui]\n", `[features.code_mode]\n${LIST}\n[tui]\n`],
    ["a table at the very end", "[features.code_mode]", `[features.code_mode]\n${LIST}`],
    [
      "a table at the very end, with CRLF",
      "[a]\r\n[features.code_mode]\r\nenabled = true",
      `[a]\r\n[features.code_mode]\r\nenabled = true\r\n${LIST}`,
    ],
    [
      "a table with quoted keys",
      '["features" . "code_mode"]\n"enabled" = false\n',
      `["features" . "code_mode"]\n"enabled" = false\n${LIST}\n`,
    ],
    [
      "dotted keys",
      "features.code_mode.enabled = true\nx = 1\n",
      `features.code_mode.enabled = true\nfeatures.code_mode.${LIST}\nx = 1\n`,
    ],
    [
      "dotted keys in a table",
      "[features]\ncode_mode.enabled = true\n",
      `[features]\ncode_mode.enabled = true\ncode_mode.${LIST}\n`,
    ],
    ["an inline table", "[features]\ncode_mode = { enabled = true }\n", `[features]\ncode_mode = ${INLINE}\n`],
    ["an empty inline table", "[features]\ncode_mode = {}\n", `[features]\ncode_mode = { ${LIST} }\n`],
    ["one with a blank", "[features]\ncode_mode = { }\n", `[features]\ncode_mode = { ${LIST}  }\n`],
    [
      "inline tables in one another",
      "features = { code_mode = { enabled = true }, goals = true }\n",
      `features = { code_mode = ${INLINE}, goals = true }\n`,
    ],
    [
      "dotted keys in an inline table",
      "features = { code_mode.enabled = true }\n",
      `features = { code_mode.enabled = true, code_mode.${LIST} }\n`,
    ],
    [
      "other names",
      '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__a", "b"]\n',
      '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__a", "b", "mcp__milepost"]\n',
    ],
    [
      "other names in rows",
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  "a", # one\n  "b", # two\n]\n',
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  "a", # one\n  "b", "mcp__milepost", # two\n]\n',
    ],
    [
      "a list with nothing in it but a comment",
      "[features.code_mode]\ndirect_only_tool_namespaces = [ # none\n]\n",
      '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__milepost" # none\n]\n',
    ],
    [
      "left out of code mode by the person",
      '[features.code_mode]\nexcluded_tool_namespaces = ["mcp__milepost"]\n',
      `[features.code_mode]\nexcluded_tool_namespaces = ["mcp__milepost"]\n${LIST}\n`,
    ],
    [
      "names without their beginning",
      "[features]\nnon_prefixed_mcp_tool_names = true\n",
      `[features]\nnon_prefixed_mcp_tool_names = true\n\n[features.code_mode]\n${LIST.replace("mcp__", "")}\n`,
    ],
  ])("%s", (_name, before, after) => {
    expect(makeDirect(before)).toBe(after);
    expect(isDirect(before)).toBe(false);
    expect(isDirect(after)).toBe(true);
    expect(makeDirect(after)).toBe(after);
    expect(undoDirect(after, madeForDirect(before, after))).toBe(before);
    // Nobody remembers: what was empty around it may be gone.
    expect(parseable(undoDirect(after, undefined))).toEqual(parseable(before));
  });

  test("a person's own name stays, when it is known to be the person's", () => {
    const own = `[features.code_mode]\n${LIST}\n`;
    expect(makeDirect(own)).toBe(own);
    expect(undoDirect(own, [])).toBe(own);
  });

  test.each([
    ["features are no table", "features = 5\n"],
    ["features are a list of tables", "[[features]]\ngoals = true\n"],
    ["a switch that is none", '[features]\ncode_mode = "on"\n'],
    ["a text for a list", '[features.code_mode]\ndirect_only_tool_namespaces = "mcp__a"\n'],
    ["a list of other things", "[features.code_mode]\ndirect_only_tool_namespaces = [5]\n"],
    ["no TOML", "a = \n"],
  ])("what cannot be done is not done: %s", (_name, text) => {
    expect(makeDirect(text)).toBeUndefined();
    expect(undoDirect(text, undefined)).toBe(text);
  });
});

describe("what a person did in between stays", () => {
  test.each([
    [
      "a name more, before ours",
      "",
      '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__a", "mcp__milepost"]\n',
      '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__a"]\n',
    ],
    [
      "a name more, behind ours, in rows",
      "",
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  "mcp__milepost",\n  "mcp__a", # mine\n]\n',
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  \n  "mcp__a", # mine\n]\n',
    ],
    [
      "a comment on the name before",
      "",
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  "mcp__a", # mine\n  "mcp__milepost",\n]\n',
      '[features.code_mode]\ndirect_only_tool_namespaces = [\n  "mcp__a", # mine\n  \n]\n',
    ],
    [
      "a key more in our table",
      "",
      `[features.code_mode]\n${LIST}\nenabled = true\n`,
      "[features.code_mode]\nenabled = true\n",
    ],
    [
      "a key more behind a switch",
      "[features]\ncode_mode = true\n",
      `[features]\ncode_mode = { enabled = true, ${LIST}, default_exec_yield_time_ms = 5 } # milepost: was true\n`,
      "[features]\ncode_mode = { enabled = true, default_exec_yield_time_ms = 5 }\n",
    ],
    [
      "another choice",
      "[features]\ncode_mode = true\n",
      `[features]\ncode_mode = { enabled = false, ${LIST} } # milepost: was true\n`,
      "[features]\ncode_mode = false\n",
    ],
  ])("%s", (_name, before, edited, after) => {
    expect(undoDirect(edited, madeForDirect(before, makeDirect(before) ?? ""))).toBe(after);
    expect(undoDirect(edited, undefined)).toBe(after);
  });
});

test("a profile hides our tool only with a list of its own: Codex lays it over the first", () => {
  expect(hidesTool('model = "x"\n')).toBe(false);
  expect(hidesTool("[features]\ncode_mode = true\n")).toBe(false);
  expect(hidesTool('[features.code_mode]\ndirect_only_tool_namespaces = ["a"]\n')).toBe(true);
  expect(hidesTool(`[features.code_mode]\n${LIST}\n`)).toBe(false);
});

test("for any config: in, in again and out is the same text", () => {
  const names = fc.array(fc.constantFrom("mcp__a", "b", "it's"), { maxLength: 3 });
  const comment = fc.constantFrom("", " # mine", " # [x]");
  const list = fc.tuple(names, fc.constantFrom(", ", ",\n  ", ", # c\n  "), fc.boolean()).map(([all, gap, isOpen]) => {
    const inner = all.map((name) => JSON.stringify(name)).join(gap);
    return `[${inner}${isOpen && all.length > 0 ? ",\n" : ""}]`;
  });
  const pairs = fc
    .record(
      { enabled: fc.boolean().map(String), excluded_tool_namespaces: list, direct_only_tool_namespaces: list },
      { requiredKeys: [] },
    )
    .map((keys) => Object.entries(keys).map(([key, value]) => `${key} = ${value}`));
  const row = fc.tuple(pairs, comment);
  const mode = fc.oneof(
    fc.constant(""),
    fc.tuple(fc.boolean(), comment).map(([on, end]) => `[features]\ngoals = true\ncode_mode = ${on}${end}\n`),
    fc.boolean().map((on) => `features = { code_mode = ${on}, goals = true }\n`),
    row.map(([all, end]) => `[features.code_mode]${end}\n${all.map((one) => `${one}${end}\n`).join("")}`),
    row.map(([all, end]) => all.map((one) => `features.code_mode.${one}${end}\n`).join("")),
    row.map(
      ([all, end]) => `[features]\ncode_mode = { ${all.join(", ").replaceAll(/\s*(?:# c)?\n\s*/g, " ")} }${end}\n`,
    ),
  );
  const before = fc.constantFrom("", '# mine\nmodel = "x"\n', "\n");
  const after = fc.constantFrom("", "\n[tui]\nx = 1\n", "# end\n");
  fc.assert(
    fc.property(before, mode, after, fc.boolean(), fc.boolean(), (start, middle, end, isCrlf, isOpen) => {
      const text = `${start}${middle}${end}`;
      const file = (isOpen ? text.trimEnd() : text).replaceAll("\n", isCrlf ? "\r\n" : "\n");
      if (!parseable(file)) return;
      const wired = makeDirect(file) ?? "";
      expect(isDirect(wired)).toBe(true);
      expect(makeDirect(wired)).toBe(wired);
      const back = undoDirect(wired, madeForDirect(file, wired));
      // A table at the end begins in a row of its own: the record of setup knows whether there was a line break.
      expect(back.trimEnd()).toBe(file.trimEnd());
      expect(parseable(undoDirect(wired, undefined))).toEqual(parseable(file));
    }),
    { numRuns: sized(100, 5000) },
  );
});

/** Without what is empty; undefined for what is no TOML. */
function parseable(text: string): unknown {
  const parsed = parseToml(text);
  return parsed.ok ? (pruned(parsed.value) ?? {}) : undefined;
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const rest = pruned(inner);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
