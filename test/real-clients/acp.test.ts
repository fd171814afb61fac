import { describe, expect, test } from "vitest";
import { ACP_AGENTS, type AcpAgent, CLAUDE_ACP, CODEX_ACP, installAcpx, OH_MY_PI } from "./drivers/acp-agents.js";
import { AcpEditor } from "./drivers/acp-editor.js";
import { ensureClients } from "./drivers/clients.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { trustHooks } from "./drivers/trusted-hooks.js";
import { afterCompaction } from "./model/requests.js";
import { type ModelRequest, type ModelScript, say, shell, todo } from "./model/script.js";
import { digests, expectGood, isAsked, SCENARIO_MS } from "./scenario.js";

// Real agents behind `milepost acp`, against a scripted model: what we have recorded is what they wrote down themselves.

const NODE = process.execPath;
const INSTALL_MS = 900_000;

interface Todo {
  readonly text: string;
  readonly status: string;
}
interface Report {
  readonly id: string;
  readonly agent: string;
  readonly turns: number;
  readonly list: {
    readonly explanation?: string;
    readonly phases: readonly { readonly name: string; readonly todos: readonly Todo[] }[];
  };
  readonly calls: { readonly total: number; readonly failed: number };
  readonly compactions: number;
}

const sessionsOf = async (sandbox: Sandbox, ...args: readonly string[]) => {
  const { out } = await expectGood(sandbox.milepost([...args, "--json"]));
  return (JSON.parse(out) as { sessions: readonly Report[] }).sessions;
};

/** What people see of a list. */
const shownList = ({ list }: Report) => ({
  explanation: list.explanation ?? null,
  phases: list.phases.map(({ name, todos }) => ({ name, todos: todos.map(({ text, status }) => `${status} ${text}`) })),
});

const server = (sandbox: Sandbox) => ({ name: "milepost", command: NODE, args: [sandbox.command, "mcp"], env: [] });

async function wire({ agent }: AcpAgent, sandbox: Sandbox) {
  // codex-acp is built on an older Codex, which knows no hooks through a server.
  const hooks = agent === "codex" ? ["--hooks", "commands"] : [];
  await expectGood(sandbox.milepost(["setup", agent, "--yes", ...hooks]));
  if (agent === "codex") await trustHooks((await ensureClients()).codex, sandbox);
}

/** One agent's two prompts, the second in a new process that loads the session. */
async function converse(
  agent: AcpAgent,
  sandbox: Sandbox,
  script: ModelScript,
  { flags = [], isWired = false }: { readonly flags?: readonly string[]; readonly isWired?: boolean } = {},
) {
  const words = await agent.install();
  const model = await agent.startModel(script);
  try {
    const env = agent.configure(sandbox, model.url);
    if (isWired) await wire(agent, sandbox);
    const proxied = [NODE, sandbox.command, "acp", ...flags, "--", ...words];
    const first = new AcpEditor(proxied, sandbox, env);
    const session = await first.open(sandbox.project, [server(sandbox)]);
    await first.prompt(session, "Start the work.");
    await first.close();
    const second = new AcpEditor(proxied, sandbox, env);
    await second.open(sandbox.project, [server(sandbox)], session);
    await second.prompt(session, "Go on.");
    await second.close();
    return { session, first, second, requests: model.requests };
  } finally {
    await model.close();
  }
}

describe.runIf(isAsked)("real agents behind milepost acp", () => {
  for (const agent of ACP_AGENTS) {
    test(
      `${agent.name}: list and calls are those of its own transcript; one session; a refused write is no list`,
      async () => {
        const sandbox = await openSandbox();
        try {
          const { first, refused, last } = agent.list;
          const script = [
            first,
            shell("echo hi"),
            refused,
            shell("exit 3"),
            last,
            say("First part done."),
            shell("echo again"),
            say("All of it is done now."),
            say("Indeed."),
            say("It is over."),
          ];
          const { session } = await converse(agent, sandbox, script);
          const [report, ...others] = await sessionsOf(sandbox, "sessions", "--all");
          expect(others).toEqual([]);
          expect(report).toMatchObject({ id: session, agent: agent.agent, turns: 2 });
          const transcript = agent.transcript(sandbox, session);
          const [own] = await sessionsOf(sandbox, "restore", transcript);
          expect(shownList(report as Report)).toEqual(shownList(own as Report));
          expect(shownList(report as Report).phases.flatMap(({ todos }) => todos)).toEqual([
            "completed Read it",
            "in_progress Fix it",
          ]);
          expect(report?.calls).toEqual(own?.calls);
        } finally {
          await sandbox.remove();
        }
      },
      INSTALL_MS,
    );

    test(
      `${agent.name}: --show-list shows the list that is kept with our tool, in its own session`,
      async () => {
        const sandbox = await openSandbox();
        try {
          const script = [
            todo({ add: ["Read it", "Fix it"] }),
            todo({ done: 1 }),
            say("First part done."),
            say("All done."),
            say("Indeed."),
            say("It is over."),
          ];
          const { session, first } = await converse(agent, sandbox, script, { flags: ["--show-list"] });
          expect(first.plans().at(-1)).toEqual([
            { content: "Read it", priority: "medium", status: "completed" },
            { content: "Fix it", priority: "medium", status: "in_progress" },
          ]);
          const reports = await sessionsOf(sandbox, "sessions", "--all");
          // Our server and the agent tell of the same two calls.
          expect(reports.map(({ id, calls }) => [id, calls.total])).toEqual([[session, 2]]);
        } finally {
          await sandbox.remove();
        }
      },
      INSTALL_MS,
    );
  }

  test(
    "acpx in front of oh-my-pi: the same",
    async () => {
      const sandbox = await openSandbox();
      const [acpx, words] = [await installAcpx(), await OH_MY_PI.install()];
      const { first, refused, last } = OH_MY_PI.list;
      const model = await OH_MY_PI.startModel([
        first,
        shell("echo hi"),
        refused,
        last,
        say("First part done."),
        say("All done."),
        say("Indeed."),
        say("It is over."),
      ]);
      try {
        const env = { ...sandbox.env, ...OH_MY_PI.configure(sandbox, model.url) };
        const agent = [NODE, sandbox.command, "acp", "--", ...words].join(" ");
        const [command = "", ...args] = acpx;
        const run = (...more: readonly string[]) =>
          expectGood(
            runProcess({
              command,
              args: [...args, "--approve-all", "--agent", agent, ...more],
              cwd: sandbox.project,
              env,
            }),
          );
        await run("exec", "Start the work.");
        const [report, ...others] = await sessionsOf(sandbox, "sessions", "--all");
        expect(others).toEqual([]);
        const [own] = await sessionsOf(sandbox, "restore", OH_MY_PI.transcript(sandbox, report?.id ?? ""));
        expect(shownList(report as Report)).toEqual(shownList(own as Report));
        expect(report?.calls).toEqual(own?.calls);
      } finally {
        await model.close();
        await sandbox.remove();
      }
    },
    INSTALL_MS,
  );

  const cut = [
    todo({ add: ["Read the leap-year code", "Fix the leap-year bug"] }),
    todo({ done: 1 }),
    { ...shell("echo full"), contextFull: true },
    say("First part done."),
    say("All done."),
    say("Indeed."),
  ];

  test(
    "claude-agent-acp, wired: after its compaction the model has the open todos; hooks and acp tell of one session",
    async () => {
      const sandbox = await openSandbox();
      try {
        const { session, requests } = await converse(CLAUDE_ACP, sandbox, cut, { isWired: true });
        const after = afterCompaction(requests);
        expect(after && digests(after)).toEqual([expect.stringContaining("Fix the leap-year bug")]);
        const [report, ...others] = await sessionsOf(sandbox, "sessions", "--all");
        expect(others).toEqual([]);
        expect(report).toMatchObject({ id: session, turns: 2, compactions: 1 });
      } finally {
        await sandbox.remove();
      }
    },
    SCENARIO_MS,
  );

  test(
    "codex-acp, wired with commands: it tells hooks of no compaction that is over, so the open todos come with its next start",
    async () => {
      const sandbox = await openSandbox();
      try {
        const { session, requests } = await converse(CODEX_ACP, sandbox, cut, { isWired: true });
        const told = requests.filter((request) => digests(request).length > 0);
        expect(told.map(digests)).toEqual([[expect.stringContaining("Fix the leap-year bug")]]);
        expect(requests.indexOf(told[0] as ModelRequest)).toBeGreaterThan(
          requests.findIndex(({ kind }) => kind === "summary"),
        );
        const [report, ...others] = await sessionsOf(sandbox, "sessions", "--all");
        expect(others).toEqual([]);
        expect(report).toMatchObject({ id: session, turns: 2 });
      } finally {
        await sandbox.remove();
      }
    },
    INSTALL_MS,
  );
});
