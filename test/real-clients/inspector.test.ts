import { beforeAll, describe, expect, test } from "vitest";
import { DIALECT_NAMES, findNamedDialect, hasOptionalTools } from "../../src/app/calls/dialect-names.js";
import { ensureInspector } from "./drivers/clients.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { isAsked } from "./scenario.js";

// MCP's own inspector, with --strict: it ends with 6 over a schema that clients would stumble over.

const CALLS: Readonly<Record<string, readonly string[]>> = {
  todo: ['add=["Read the code","Fix the bug"]'],
  "oh-my-pi/18 todo": ["op=init", 'items=["Fix"]'],
  TodoWrite: ['todos=[{"content":"Fix","status":"pending","activeForm":"Fixing"}]'],
  update_plan: ['plan=[{"step":"Fix","status":"in_progress"}]'],
  todo_write: ['ops=[{"op":"init","list":[{"phase":"P","items":["Fix"]}]}]'],
  todowrite: ['todos=[{"content":"Fix","status":"pending","priority":"medium"}]'],
  todo_list: ['todos=[{"id":"1","content":"Fix","status":"pending"}]'],
  task: ['add=["Fix the login"]'],
  plan: ["text=# Fix the login"],
  "acp plan": ['entries=[{"content":"Fix","priority":"medium","status":"pending"}]'],
  write_todos: ['todos=[{"description":"Fix","status":"pending"}]'],
  "qwen todo_write": ['todos=[{"id":"1","content":"Fix","status":"pending"}]'],
  sql: ["description=Look", "query=SELECT id FROM todos"],
  TaskCreate: ["subject=Fix the login", "description=It fails"],
  TaskGet: ['taskId="1"'],
  TaskUpdate: ['taskId="1"', "status=in_progress"],
  taskflow: ["action=list_mine"],
  progress_card: ['plan=[{"step":"Fix","status":"in_progress"}]'],
};

const NAMED = DIALECT_NAMES.flatMap((name) => findNamedDialect(name) ?? []);

describe.runIf(isAsked).each(NAMED)("mcp-inspector --cli with the dialect $name", (dialect) => {
  const { name, offered: tools } = dialect;
  let inspector: string;
  let sandbox: Sandbox;

  beforeAll(async () => {
    inspector = await ensureInspector();
    sandbox = await openSandbox();
    return () => sandbox.remove();
  }, 600_000);

  const inspect = async (...args: readonly string[]) => {
    const tasks = hasOptionalTools(name) ? ["--tasks", "--plans"] : [];
    const server = [sandbox.command, "mcp", "--dialect", name, ...tasks];
    const command = [inspector, "--cli", process.execPath, ...server, ...args];
    const end = await runProcess({ command: process.execPath, args: command, cwd: sandbox.project, env: sandbox.env });
    console.log(`${args.join(" ")}\n${end.out}`);
    expect(end, end.err).toMatchObject({ exit: 0 });
    return JSON.parse(end.out);
  };

  test("lists every tool", { timeout: 60_000 }, async () => {
    const { tools: listed } = await inspect("--method", "tools/list", "--strict");
    expect(listed.map((tool: { name: string }) => tool.name)).toEqual(tools.map((tool) => tool.name));
  });

  test.each(tools.map((tool) => tool.name))("calls %s", { timeout: 60_000 }, async (tool) => {
    const words = (CALLS[`${name} ${tool}`] ?? CALLS[tool] ?? []).flatMap((word) => ["--tool-arg", word]);
    const { content, isError } = await inspect("--method", "tools/call", "--tool-name", tool, ...words);
    expect(isError ?? false).toBe(false);
    expect(content[0].text).not.toBe("");
  });
});

describe.runIf(isAsked).each(["legacy", "modern"])("a plan, approved in the inspector's form: %s", (era) => {
  test.each([
    [["decision:=approve", "comment:=Go on"], /is approved: start\. The person said: "Go on"/],
    [["decision:=reject", "comment:=Too large"], /is rejected\. The person said: "Too large"/],
    [["--decline"], /^The form was declined.*milepost plan approve/s],
    [["--cancel"], /^The form was closed.*milepost plan approve/s],
  ])("%j", { timeout: 120_000 }, async (answer, text) => {
    const mcpdo = await ensureInspector("mcpdo");
    const sandbox = await openSandbox();
    const run = async (...args: readonly string[]) => {
      const words = [mcpdo, "--format", "json", ...args];
      const env = { ...sandbox.env, MCP_INSPECTOR_SECRET_STORE: "file" };
      const end = await runProcess({ command: process.execPath, args: words, cwd: sandbox.project, env });
      console.log(`${args.join(" ")}\n${end.out}`);
      expect(end, end.err).toMatchObject({ exit: 0 });
      return end.out;
    };
    try {
      const server = [process.execPath, sandbox.command, "mcp", "--plans"];
      await run("connect", "@plans", "--era", era, "--", ...server);
      const asked = JSON.parse(await run("@plans", "tools/call", "plan", "text:=# Rename the helper"));
      expect(asked.elicitationPending).toMatchObject({
        mode: "form",
        origin: era === "legacy" ? "server-request" : "input-required",
        message: expect.stringContaining("Rename the helper"),
      });
      const { content } = JSON.parse(
        await run("elicitation/respond", asked.elicitationPending.elicitationId, ...answer),
      );
      expect(content[0].text).toMatch(text);
    } finally {
      await run("daemon", "stop");
      await sandbox.remove();
    }
  });
});
