import { describe, expect, test } from "vitest";
import { addTable, parseToml, removeTable, replaceToml, tomlAt } from "./toml-document.js";

const PATH = ["mcp_servers", "milepost"];
const SERVER = { command: "/bin/node", args: ["/m/milepost.cjs", "mcp"] };
const BLOCK = '[mcp_servers.milepost]\ncommand = "/bin/node"\nargs = ["/m/milepost.cjs", "mcp"]\n';
const INLINE = 'milepost = { command = "/bin/node", args = ["/m/milepost.cjs", "mcp"] }';

describe("a table goes in, and every other byte stays", () => {
  test.each([
    ["an empty file", "", BLOCK],
    ["a file", 'model = "x"\n', `model = "x"\n\n${BLOCK}`],
    ["no line break at the end", 'model = "x"', `model = "x"\n\n${BLOCK}`],
    ["CRLF", 'model = "x"\r\n', `model = "x"\r\n\r\n${BLOCK.replaceAll("\n", "\r\n")}`],
    ["a comment at the end", "a = 1\n# end", `a = 1\n# end\n\n${BLOCK}`],
    ["a byte order mark", "\ufeffa = 1\n", `\ufeffa = 1\n\n${BLOCK}`],
    ["another server", '[mcp_servers.x]\ncommand = "x"\n', `[mcp_servers.x]\ncommand = "x"\n\n${BLOCK}`],
    ["the table is there", "[mcp_servers]\n", `[mcp_servers]\n\n${BLOCK}`],
    [
      "servers as inline tables",
      '[mcp_servers]\nx = { command = "x" }\n',
      `[mcp_servers]\nx = { command = "x" }\n\n${BLOCK}`,
    ],
    ["dotted keys", 'mcp_servers.x.command = "x"\n', `mcp_servers.x.command = "x"\n\n${BLOCK}`],
    ["quoted keys", '["mcp_servers"."x"]\ncommand = "x"\n', `["mcp_servers"."x"]\ncommand = "x"\n\n${BLOCK}`],
    ["tables in a list at the end", "[[x]]\na = 1\n\n[[x]]\na = 2\n", `[[x]]\na = 1\n\n[[x]]\na = 2\n\n${BLOCK}`],
    ["a text that looks like a table", 'a = """\n[mcp_servers]\n"""\n', `a = """\n[mcp_servers]\n"""\n\n${BLOCK}`],
    [
      "an inline table",
      'mcp_servers = { x = { command = "x" } }\n',
      `mcp_servers = { x = { command = "x" }, ${INLINE} }\n`,
    ],
    ["an empty inline table", "mcp_servers = {}\n[t]\n", `mcp_servers = { ${INLINE} }\n[t]\n`],
    ["an empty inline table with a blank", "mcp_servers = { } # c\n", `mcp_servers = { ${INLINE}  } # c\n`],
    [
      "an inline table with odd texts",
      'mcp_servers = {x={args=[\'}\',"\\"}"]}}',
      `mcp_servers = {x={args=['}',"\\"}"]}, ${INLINE}}`,
    ],
  ])("%s", (_name, before, after) => {
    expect(addTable(before, PATH, SERVER)).toBe(after);
    expect(tomlAt(after, PATH)).toEqual(SERVER);
    const back = removeTable(after, PATH);
    const isSame = before === "" || /\}|\n$/.test(before);
    expect(back).toBe(isSame ? before : `${before}\n`);
  });
});

test("a table that cannot be added without touching the rest is not added", () => {
  expect(addTable("mcp_servers = 5\n", PATH, SERVER)).toBeUndefined();
  expect(addTable("[[mcp_servers]]\na = 1\n", PATH, SERVER)).toBeUndefined();
});

describe("a value is replaced where it stands", () => {
  test.each([
    ["in a table", "[a.b]\nc = true # mine\nd = 1\n", "[a.b]\nc = false # mine\nd = 1\n"],
    ["by a dotted key", "a.b.c = true\n", "a.b.c = false\n"],
    ["in an inline table", "[a]\nb = { d = 1, c = true }\n", "[a]\nb = { d = 1, c = false }\n"],
    ["deep inside", "a = { b = { c = true }, x = [1, 2] }\n", "a = { b = { c = false }, x = [1, 2] }\n"],
    ["with quoted keys", "[a . 'b']\n\"c\" = true\n", "[a . 'b']\n\"c\" = false\n"],
  ])("%s", (_name, before, after) => {
    expect(replaceToml(before, ["a", "b", "c"], false)).toBe(after);
    expect(replaceToml(after, ["a", "b", "c"], true)).toBe(before);
  });

  test("and nothing happens when it is not there", () => {
    expect(replaceToml("a = 1\n", ["b"], 2)).toBeUndefined();
  });
});

describe("what belongs to a table goes with it", () => {
  test.each([
    [
      "its sub-tables, wherever they are",
      `${BLOCK}\n[x]\na = 1\n\n[mcp_servers.milepost.tools.todo]\nm = "y"\n`,
      "\n[x]\na = 1\n",
    ],
    ["a comment of somebody else stays", `a = 1\n\n${BLOCK}# mine\n[x]\n`, "a = 1\n# mine\n[x]\n"],
    ["dotted", 'mcp_servers.milepost.command = "x"\na = [\n  1, # one\n]\n', "a = [\n  1, # one\n]\n"],
    ["the first of several", `mcp_servers = { ${INLINE}, x = 1 }\n`, "mcp_servers = { x = 1 }\n"],
  ])("%s", (_name, before, after) => {
    expect(removeTable(before, PATH)).toBe(after);
  });
});

test("a file that is no TOML says so in one line", () => {
  const parsed = parseToml("a = \n[b\n");
  expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^is not TOML \(.*\)$/) } });
});
