import * as fc from "fast-check";
import { stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { guidanceText } from "../../core/text/guidance-text.js";
import { hookToolInput } from "../hooks/hook-fields.js";
import type { FileEdit, Wish, World } from "./agents/agent.js";
import { claudeCode } from "./agents/claude-code.js";
import { codex } from "./agents/codex-cli.js";
import { serverCommand, shellCommand } from "./command-line.js";
import { setValue, valueAt } from "./edits/json-document.js";
import { parseToml, tomlAt } from "./edits/toml-document.js";

// The texts of the agents' files, without a file: what setup makes of them, and what unsetup leaves.

const world: World = {
  environment: { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x" },
  program: {
    node: "/bin/node",
    bundle: "/m/dist/milepost.cjs",
    userFolder: "/u",
    temporaryFolder: "/tmp",
    platform: "linux",
  },
  home: "/s/milepost",
};
const wish: Wish = {
  launch: {
    node: "/bin/node",
    script: "/m/dist/milepost.cjs",
    platform: "linux",
    shellFile: "/s/milepost/wiring/milepost.sh",
    isHomeFixed: false,
  },
  guidance: false,
  offer: { todo: "ours", tasks: false },
};
const client: Wish = { ...wish, offer: { todo: "client", tasks: false } };
const commands: Wish = { ...wish, offer: { ...wish.offer, hooks: "commands" } };
const withTasks: Wish = { ...wish, offer: { todo: "ours", tasks: true } };
const moved: Wish = { ...wish, launch: { ...wish.launch, node: "/new node/it's", script: "/n w/dist/milepost.cjs" } };

function editOf(name: string): FileEdit {
  const edit = [...claudeCode.edits(world), ...codex.edits(world)].find(({ file }) => file === name);
  if (!edit) throw new Error(`no edit for ${name}`);
  return edit;
}
const [servers, settings, memo] = ["/c/.claude.json", "/c/settings.json", "/c/CLAUDE.md"].map(editOf) as [
  FileEdit,
  FileEdit,
  FileEdit,
];
const [config, hooks] = ["/x/config.toml", "/x/hooks.json"].map(editOf) as [FileEdit, FileEdit];

function wire(edit: FileEdit, text: string | undefined, wanted = wish): string {
  const wired = edit.wire(text, wanted);
  if (!wired.ok) throw new Error(wired.error.message);
  return wired.value.text ?? "";
}
function unwire(edit: FileEdit, text: string, made?: readonly string[]): string {
  const unwired = edit.unwire(text, made);
  if (!unwired.ok) throw new Error(unwired.error.message);
  return unwired.value.text ?? "";
}
/** In, in again, moved and back, with tasks and without, out: with what was made remembered. */
function goRound(edit: FileEdit, text: string): string {
  const wired = wire(edit, text);
  expect(wire(edit, wired)).toBe(wired);
  for (const other of [moved, withTasks]) expect(wire(edit, wire(edit, wired, other))).toBe(wired);
  const converted = wire(edit, wire(edit, wired, commands));
  expect(parsed(converted)).toEqual(parsed(wired));
  return unwire(edit, wired, edit.made?.(text, wired));
}
const parsed = (text: string) => (/^\s*(?:\ufeff)?\{/.test(text) ? valueAt(text, []) : text);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const group = (command: string) => ({ hooks: [{ type: "command", command }] });
const refusal = (edit: FileEdit, text: string) => {
  const wired = edit.wire(text, wish);
  return wired.ok ? undefined : wired.error;
};

describe("Claude Code's settings", () => {
  test("get hooks, a status line and one permission", () => {
    const wired = JSON.parse(wire(settings, undefined));
    expect(Object.keys(wired.hooks)).toHaveLength(14);
    const tool = (event: string) => ({
      type: "mcp_tool",
      server: "milepost",
      tool: "hook",
      input: hookToolInput("claude-code", event),
      timeout: 5,
    });
    const line = (command: string) => ({ type: "command", command, timeout: 10 });
    expect(wired.hooks.Stop).toEqual([{ hooks: [line(shellCommand(wish.launch, "guard")), tool("Stop")] }]);
    expect(wired.hooks.PreToolUse).toEqual([{ hooks: [tool("PreToolUse")] }]);
    expect(wired.hooks.PostToolUse).toEqual([{ hooks: [tool("PostToolUse")] }]);
    expect(wired.hooks.SessionStart).toEqual([{ hooks: [line(shellCommand(wish.launch, "start"))] }]);
    expect(wired.hooks.SessionEnd).toEqual([{ hooks: [line(shellCommand(wish.launch, "hook"))] }]);
    expect(wired.statusLine).toEqual({ type: "command", command: shellCommand(wish.launch, "statusline") });
    expect(wired.permissions.allow).toEqual(["mcp__milepost"]);
  });

  test.each<[string, Wish]>([
    ["by choice", commands],
    ["on Windows", { ...wish, launch: { ...wish.launch, platform: "win32" } }],
  ])("get commands only: %s", (_name, wanted) => {
    const wired = JSON.parse(wire(settings, undefined, wanted));
    expect(Object.keys(wired.hooks)).toHaveLength(14);
    const command = shellCommand(wanted.launch, "hook");
    expect(wired.hooks.Stop).toEqual([{ hooks: [{ type: "command", command, timeout: 10 }] }]);
    expect(wired.hooks.SessionStart).toEqual(wired.hooks.Stop);
    // Before a tool only for our own: each costs a process.
    expect(wired.hooks.PreToolUse).toEqual([{ matcher: "mcp__milepost__.*", ...wired.hooks.Stop[0] }]);
    expect(wire(settings, undefined, wanted)).not.toContain("mcp_tool");
  });

  test("are told to be behind, or incomplete, when half of an event has gone", () => {
    const wired = JSON.parse(wire(settings, undefined));
    expect(claudeCode.wired(world, () => json(wired))).toMatchObject({ hookCount: 14, missing: [], outdated: [] });
    wired.hooks.Stop[0].hooks.pop();
    delete wired.hooks.PostToolUse;
    delete wired.hooks.Notification[0].hooks[1].input.session_id;
    expect(claudeCode.wired(world, () => json(wired))).toMatchObject({
      missing: ["PostToolUse", "Stop"],
      outdated: ["Notification"],
    });
    // A line that looks for a server keeps quiet about what nobody hears: alone it is half a wiring, too.
    for (const groups of Object.values(wired.hooks) as { hooks: { type: string }[] }[][])
      for (const one of groups) one.hooks = one.hooks.filter(({ type }) => type === "command");
    delete wired.hooks.PreToolUse;
    for (const event of ["PostToolUseFailure", "TaskCompleted"]) delete wired.hooks[event];
    expect(claudeCode.wired(world, () => json(wired)).missing).toContain("PostToolBatch");
    expect(parsed(wire(settings, json(wired)))).toEqual(parsed(wire(settings, undefined)));
  });

  test("that a person has moved are ours still", () => {
    const wired = JSON.parse(wire(settings, undefined));
    const [guard, tool] = wired.hooks.Stop[0].hooks;
    wired.hooks.Stop = [{ hooks: [tool, { type: "command", command: "mine" }] }, { hooks: [{ ...guard, timeout: 3 }] }];
    expect(wire(settings, json(wired))).toBe(json(wired));
    expect(JSON.parse(unwire(settings, json(wired)))).toEqual({ hooks: { Stop: [group("mine")] } });
  });

  test("get neither permission nor a hook for our tool where the model keeps the agent's own list", () => {
    const wired = JSON.parse(wire(settings, undefined, client));
    expect(Object.keys(wired.hooks)).toHaveLength(13);
    expect(wired.hooks.PreToolUse).toBeUndefined();
    expect([wired.statusLine.type, wired.permissions]).toEqual(["command", undefined]);
  });

  test.each([
    ["nothing else", json({})],
    ["what a person allows and denies", json({ permissions: { allow: ["Bash"], deny: ["TodoWrite", "Read(.env)"] } })],
    ["our permission, given by hand", json({ permissions: { allow: ["mcp__milepost"] } })],
  ])("are the same whichever list came first: %s", (_name, text) => {
    const ours = wire(settings, text);
    const made = settings.made?.(text, ours);
    const back = settings.wire(ours, client, made);
    expect(back).toMatchObject({ ok: true });
    const after = back.ok ? (back.value.text ?? "") : "";
    expect(valueAt(after, [])).toEqual(valueAt(wire(settings, text, client), []));
    expect(valueAt(wire(settings, after), [])).toEqual(valueAt(ours, []));
  });

  test("keep what a person has on the same event, in its place", () => {
    const before = json({
      hooks: { Stop: [group("mine")], PreModelSwitch: [group("guard")] },
      permissions: { allow: ["Bash"] },
    });
    const wired = JSON.parse(wire(settings, before));
    expect(wired.hooks.Stop.map((item: { hooks: { command: string }[] }) => item.hooks[0]?.command)).toEqual([
      "mine",
      shellCommand(wish.launch, "guard"),
    ]);
    expect(wired.hooks.PreModelSwitch).toEqual([group("guard")]);
    expect(wired.permissions.allow).toEqual(["Bash", "mcp__milepost"]);
    expect(goRound(settings, before)).toBe(before);
  });

  test("keep a status line of the person's own, and say so", () => {
    const before = json({ statusLine: { type: "command", command: "mine" } });
    const wired = settings.wire(before, wish);
    expect(wired).toMatchObject({
      value: { notes: [expect.stringMatching(/Your own status line is kept.*milepost\.cjs statusline$/)] },
    });
    expect(JSON.parse(wire(settings, before)).statusLine.command).toBe("mine");
    expect(goRound(settings, before)).toBe(before);
  });

  test.each([
    ["comments", '{\n  // my model\n  "model": "opus", /* big */\n  "x": 1 // end\n}\n'],
    ["trailing commas", '{\n  "permissions": {\n    "allow": ["Bash",],\n  },\n}\n'],
    ["CRLF and tabs", '{\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n'],
    ["no line break at the end", '{\n  "a": 1\n}'],
    ["a byte order mark", '\ufeff{\n  "a": 1\n}\n'],
    ["hooks that are there and empty", '{\n  "hooks": {}\n}\n'],
    ["one row", '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
    ["our permission, given by hand", json({ permissions: { allow: ["mcp__milepost"], deny: ["TodoWrite"] } })],
  ])("come back as they were: %s", (_name, text) => {
    expect(goRound(settings, text)).toBe(text);
    const own = wire(settings, text, client);
    expect(unwire(settings, own, settings.made?.(text, own))).toBe(text);
  });

  test("without a memory of what was made, what is empty goes too", () => {
    expect(unwire(settings, wire(settings, '{\n  "a": 1\n}\n'))).toBe('{\n  "a": 1\n}\n');
    expect(unwire(settings, wire(settings, '{\n  "a": 1\n}\n', client))).toBe('{\n  "a": 1\n}\n');
    expect(wire(settings, wire(settings, "{}"), client)).not.toMatch(/permissions|TodoWrite|PreToolUse/);
    expect(valueAt(unwire(settings, wire(settings, '{ "hooks": {} }')), [])).toEqual({});
  });

  test("only our own commands are updated when Node or Milepost have moved", () => {
    const old = wire(settings, json({ hooks: { Stop: [group("mine")] } }));
    const fresh = wire(settings, old, moved);
    const lines = (way: "hook" | "statusline" | "guard" | "start") =>
      [wish, moved].map(({ launch }) => shellCommand(launch, way));
    const [before, after] = [0, 1].map((index) =>
      (["hook", "statusline", "guard", "start"] as const).map((way) => JSON.stringify(lines(way)[index])),
    );
    expect(fresh).toBe(
      (before ?? []).reduce((text, line, index) => text.replaceAll(line, () => after?.[index] ?? ""), old),
    );
  });

  test("a hook of ours on an event that is no longer wired goes", () => {
    const old = setValue(
      wire(settings, "{}"),
      ["hooks", "FileChanged"],
      [group("/old/node /m/dist/milepost.cjs hook")],
    );
    expect(JSON.parse(wire(settings, old)).hooks.FileChanged).toBeUndefined();
  });

  test("a hook of ours that an earlier version wanted for other tools is put right, and one that is there twice goes", () => {
    const before = json({ hooks: { PreToolUse: [group("mine")] } });
    const now = wire(settings, before, commands);
    const command = "/old/node /m/dist/milepost.cjs hook";
    const old = JSON.parse(now);
    old.hooks.PreToolUse[1] = { matcher: "Task.*", ...group(command) };
    old.hooks.Stop.push(group(command));
    expect(claudeCode.wired(world, () => json(old)).outdated).toEqual(["PreToolUse"]);
    const put = JSON.parse(wire(settings, json(old), commands));
    expect(put).toEqual(JSON.parse(now));
    expect(claudeCode.wired(world, () => json(put)).outdated).toEqual([]);
    expect(JSON.parse(unwire(settings, json(old)))).toEqual(JSON.parse(before));
    const served = JSON.parse(wire(settings, before));
    expect(JSON.parse(wire(settings, json(old)))).toEqual(served);
    served.hooks.Stop.push(served.hooks.Stop[0]);
    expect(JSON.parse(wire(settings, json(served)))).toEqual(JSON.parse(wire(settings, before)));
  });

  test("a hook that a person has put into our group stays", () => {
    const wired = JSON.parse(wire(settings, undefined));
    wired.hooks.Stop[0].hooks.push({ type: "command", command: "mine" });
    expect(JSON.parse(unwire(settings, json(wired)))).toEqual({ hooks: { Stop: [group("mine")] } });
  });

  test("the agent's own list is switched off by denying its tools", () => {
    const off = wire(settings, undefined);
    expect(JSON.parse(off).permissions.deny).toEqual(["TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TodoWrite"]);
    expect(claudeCode.ownList(world, () => off)).toBeUndefined();
    expect(claudeCode.ownList(world, () => undefined)).toMatch(/its own list tools/);
  });

  test.each([
    ["hooks that are a list", '{ "hooks": [] }', /"hooks" that is not an object/],
    ["an event that is no list", '{ "hooks": { "Stop": {} } }', /"hooks" for Stop that are not an array/],
    [
      "permissions of another shape",
      '{ "permissions": { "allow": "all" } }',
      /"permissions.allow" of an unknown shape/,
    ],
    ["half a file", '{ "hooks": ', /is not JSON/],
  ])("%s: refused", (_name, text, message) => {
    expect(refusal(settings, text)).toMatchObject({ code: "bad-config", message: expect.stringMatching(message) });
  });
});

describe("Claude Code's servers", () => {
  test("get ours, beside others", () => {
    const before = json({
      numStartups: 3,
      mcpServers: { other: { command: "x" } },
      projects: { "/a": { mcpServers: {} } },
    });
    const { mcpServers } = JSON.parse(wire(servers, before));
    expect(mcpServers).toEqual({
      other: { command: "x" },
      milepost: { type: "stdio", ...serverCommand(wish.launch, wish.offer) },
    });
    expect(goRound(servers, before)).toBe(before);
  });

  test("a server of that name that is not ours is left, and so is everything", () => {
    const text = json({ mcpServers: { milepost: { command: "npx", args: ["-y", "milepost", "mcp"] } } });
    expect(refusal(servers, text)).toMatchObject({
      code: "foreign-server",
      message: expect.stringMatching(/claude mcp remove/),
    });
    expect(unwire(servers, text)).toBe(text);
  });
});

describe("Codex", () => {
  test("its hooks are its own events", () => {
    const wired = JSON.parse(wire(hooks, undefined));
    expect(Object.keys(wired.hooks)).toHaveLength(11);
    const ways = Object.entries(wired.hooks as Record<string, { hooks: { type: string; timeout: number }[] }[]>).map(
      ([event, [one]]) => [event, ...(one?.hooks ?? []).map(({ type, timeout }) => `${type} ${timeout}`)].join(": "),
    );
    // A server may not be called at the end of a session, and nothing may take longer than three seconds there.
    expect(ways).toEqual([
      "SessionStart: command 10",
      "SessionEnd: command 3",
      "UserPromptSubmit: command 10: mcp_tool 5",
      "PreToolUse: mcp_tool 5",
      "PostToolUse: command 10: mcp_tool 5",
      "PermissionRequest: command 10: mcp_tool 5",
      "Stop: command 10: mcp_tool 5",
      "Interrupt: command 3: mcp_tool 3",
      "SubagentStart: command 10: mcp_tool 5",
      "SubagentStop: command 10: mcp_tool 5",
      "PreCompact: command 10: mcp_tool 5",
    ]);
    const alone = JSON.parse(wire(hooks, undefined, commands));
    expect(alone.hooks.PreToolUse[0].matcher).toBe("request_user_input");
    expect(JSON.parse(wire(hooks, undefined, client))).toEqual(alone);
    expect(goRound(hooks, json({ hooks: { Stop: [group("mine")] } }))).toBe(json({ hooks: { Stop: [group("mine")] } }));
  });

  test.each([
    ["a file", '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'],
    ["an inline table", 'mcp_servers = { other = { command = "y" } }\n'],
    ["CRLF", 'model = "x"\r\n'],
    ["tables in a list", "[[a]]\nb = 1\n"],
  ])("its config comes back as it was: %s", (_name, text) => {
    expect(goRound(config, text)).toBe(text);
  });

  test("what it has added to our server itself goes along: half a server would stop it from starting", () => {
    const text = `${wire(config, "")}\n[mcp_servers.milepost.tools.todo]\napproval_mode = "approve"\n\n[tui]\nx = 1\n`;
    expect(unwire(config, text)).toBe("\n[tui]\nx = 1\n");
  });

  test("keys that a person has added to our server stay when it moves", () => {
    const text = wire(config, wire(config, "").replace("args", "enabled = false\nargs"), moved);
    expect(tomlAt(text, ["mcp_servers", "milepost"])).toEqual({
      ...serverCommand(moved.launch, moved.offer),
      enabled: false,
    });
  });

  test.each([
    ["a table", "[tools.update_plan]\nenabled = true\n", "[tools.update_plan]\nenabled = false # milepost: was true\n"],
    [
      "a comment",
      "[tools.update_plan]\nenabled = true # yes\n",
      "[tools.update_plan]\nenabled = false # yes # milepost: was true\n",
    ],
    [
      "an inline table",
      "[tools]\nupdate_plan = { enabled = true }",
      "[tools]\nupdate_plan = { enabled = false } # milepost: was true",
    ],
  ])("its own list is switched off, and on again: %s", (_name, on, off) => {
    expect(codex.ownList(world, () => on)).toMatch(/update_plan/);
    const wired = wire(config, on);
    expect(wired.startsWith(off)).toBe(true);
    expect(codex.ownList(world, () => wired)).toBeUndefined();
    expect(wire(config, wired, client).trimEnd()).toBe(on.trimEnd());
    expect(wire(config, on, client)).toBe(on);
    expect(unwire(config, wired).trimEnd()).toBe(on.trimEnd());
  });

  test("a server of somebody else, or a broken file: refused", () => {
    expect(refusal(config, '[mcp_servers.milepost]\nurl = "http://x"\n')).toMatchObject({ code: "foreign-server" });
    expect(refusal(config, "a = \n")).toMatchObject({
      code: "bad-config",
      message: expect.stringMatching(/is not TOML/),
    });
    expect(refusal(config, "mcp_servers = 5\n")).toMatchObject({ code: "bad-config" });
  });
});

describe("guidance", () => {
  const wanted = { ...client, guidance: true };
  const text = guidanceText("TaskCreate and TaskUpdate, or TodoWrite,");
  test.each([
    ["no file", ""],
    ["a file", "# Mine\n\nBe brief.\n"],
    ["CRLF", "# Mine\r\n"],
  ])("goes into a block of its own, and out again: %s", (_name, before) => {
    const wired = wire(memo, before, wanted);
    expect(wired.replaceAll("\r\n", "\n")).toContain(text);
    expect(wire(memo, wired, wanted)).toBe(wired);
    expect(wire(memo, wired, client)).toBe(wired);
    expect(unwire(memo, wired)).toBe(before);
    expect(unwire(memo, `${wired}\nMore.\n`)).toBe(`${before}\nMore.\n`);
    // Beside our tool the server's own instructions say it: an older block goes.
    expect(wire(memo, wired)).toBe(before);
  });

  test("beside our tool nothing is added, and it says why", () => {
    expect(memo.wire("x\n", { ...wish, guidance: true })).toMatchObject({
      value: {
        text: "x\n",
        notes: [expect.stringMatching(/adds nothing to .*CLAUDE\.md: the tool's own instructions/)],
      },
    });
    expect(memo.wire(undefined, wish)).toEqual({ ok: true, value: { text: undefined, notes: [] } });
  });

  test("is not written when nobody asked for it, and an old text is renewed", () => {
    expect(wire(memo, "x\n", client)).toBe("x\n");
    const old = wire(memo, "x\n", wanted).replace(text, "old words");
    expect(wire(memo, old, client)).toBe(wire(memo, "x\n", wanted));
  });
});

const key = fc.constantFrom(
  "a",
  "b",
  "model",
  "hooks",
  "Stop",
  "permissions",
  "allow",
  "mcpServers",
  "mcp_servers",
  "other",
  "env",
);
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  list: fc.array(tie("leaf"), { maxLength: 3 }),
  object: fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  tree: fc.oneof({ maxDepth: 4 }, tie("leaf"), tie("list"), tie("object")),
}));
const anyConfig = fc.dictionary(key, tree, { maxKeys: 5 });

/** A list or an object that was empty may be closed in another row. */
const closed = (text: string) => text.replaceAll(/(?<=[[{])\s+(?=[\]}])/g, "");

describe("for any file", () => {
  test("JSON: in, in again and out is the same text; an edit in between stays", () => {
    const layout = fc.tuple(fc.constantFrom(undefined, 1, 2, 4, "\t"), fc.constantFrom("\n", "\r\n"));
    const file = fc.constantFrom(settings, servers, hooks);
    fc.assert(
      fc.property(anyConfig, layout, fc.boolean(), anyConfig, file, (value, [indent, eol], isOurs, edit, target) => {
        const text = JSON.stringify(value, null, indent).replaceAll("\n", eol);
        const wanted = isOurs ? wish : client;
        const wired = target.wire(text, wanted);
        if (!wired.ok) {
          expect(wired.error.code).toBe("bad-config");
          return;
        }
        const after = wired.value.text ?? "";
        expect(target.wire(after, wanted)).toMatchObject({ value: { text: after } });
        const made = target.made?.(text, after);
        expect(closed(unwire(target, after, made))).toBe(closed(text));
        const edited = setValue(after, ["edited"], edit);
        expect(valueAt(unwire(target, edited, made), [])).toEqual({ ...value, edited: edit });
      }),
      { numRuns: sized(25, 1500) },
    );
  });

  test("TOML: in, in again and out is the same text; an edit in between stays", () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, fc.boolean(), (value, edit, isCrlf) => {
        const written = `# mine\n${stringify(value).trimEnd()}\n`;
        const text = isCrlf ? written.replaceAll("\n", "\r\n") : written;
        const wired = config.wire(text, withTasks);
        if (!wired.ok) {
          expect(wired.error.code).toMatch(/bad-config|foreign-server/);
          return;
        }
        const after = wired.value.text ?? "";
        expect(config.wire(after, withTasks)).toMatchObject({ value: { text: after } });
        expect(unwire(config, after)).toBe(text);
        const more = stringify({ edited: edit });
        expect(parseToml(unwire(config, `${after}\n${more}`))).toEqual(parseToml(`${text}\n${more}`));
      }),
      { numRuns: sized(25, 1500) },
    );
  });
});
