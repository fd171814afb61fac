import { afterAll, afterEach, beforeAll } from "vitest";
import { CLAUDE_MODELS, createClaude } from "./drivers/claude.js";
import type { Client } from "./drivers/client.js";
import { type ClientBinaries, ensureClients } from "./drivers/clients.js";
import { CODEX_MODELS, createCodex } from "./drivers/codex.js";
import { type InteractiveSession, openClaude, openCodex } from "./drivers/interactive.js";
import { type Installation, openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { openTerminal, type TerminalApp, type TerminalRun } from "./drivers/terminal.js";
import { expectGood, given, INSTALL_MS } from "./scenario.js";

// Who takes part in the scenarios, and how they are wired. Everything runs with hooks through our server, and again
// with commands only.

const AGENTS = [
  { name: "Claude Code", agent: "claude-code", models: CLAUDE_MODELS },
  { name: "Codex", agent: "codex", models: CODEX_MODELS },
] as const;

/** `milepost setup AGENT --hooks HOOKS`. */
export interface Wiring {
  readonly agent: Client["agent"];
  readonly hooks: "server" | "commands";
  readonly install?: (home: string, usual: Installation) => Installation;
}

interface Part extends Wiring {
  readonly name: string;
}

export const CLIENTS: readonly Part[] = (["server", "commands"] as const).flatMap((hooks) =>
  AGENTS.map(({ name, agent }) => ({ name, agent, hooks })),
);

/** Those with hooks through the server, for what commands do not have. */
export const SERVED: readonly Part[] = CLIENTS.filter(({ hooks }) => hooks === "server");

export const MODELS: readonly (Part & { model: string })[] = CLIENTS.flatMap((part) =>
  AGENTS.filter(({ agent }) => agent === part.agent).flatMap(({ models }) =>
    models.map((model) => ({ ...part, model })),
  ),
);

interface Seat extends Wiring {
  readonly sandbox: Sandbox;
  readonly args?: readonly string[];
  readonly terminal?: (run: TerminalRun) => TerminalApp;
}

/** The clients, and what they are run in; all of it is closed when the test, or the block, is over. */
export interface Stage {
  binaries(): ClientBinaries;
  /** Without a terminal, prompt by prompt; its newest model unless one is named. */
  client(agent: Client["agent"], model?: string): Client;
  /** A sandbox that `milepost setup` has wired. */
  sandbox(wiring: Wiring, ...flags: readonly string[]): Promise<Sandbox>;
  /** In a terminal. */
  person(seat: Seat): Promise<InteractiveSession>;
  /** Closes it with the rest, the last first. */
  keep(close: () => Promise<void>): void;
}

/** Called inside `describe`. */
export function openStage(until: "test" | "block"): Stage {
  let binaries: ClientBinaries | undefined;
  const opened: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    binaries = await ensureClients();
  }, INSTALL_MS);
  (until === "test" ? afterEach : afterAll)(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  const stage: Stage = {
    binaries: () => given(binaries),
    client: (agent, model) =>
      agent === "codex" ? createCodex(stage.binaries().codex, model) : createClaude(stage.binaries().claude, model),
    sandbox: async ({ agent, hooks, install }, ...flags) => {
      const sandbox = await openSandbox(install);
      opened.push(sandbox.remove);
      await expectGood(sandbox.milepost(["setup", agent, "--yes", "--hooks", hooks, ...flags]));
      return sandbox;
    },
    person: async ({ agent, sandbox, args = [], terminal = openTerminal }) => {
      const { claude, codex } = stage.binaries();
      const session = await (agent === "codex"
        ? openCodex({ binary: codex, sandbox, model: CODEX_MODELS[0], args, terminal })
        : openClaude({ binary: claude, sandbox, model: CLAUDE_MODELS[0], args, terminal }));
      opened.push(session.close);
      return session;
    },
    keep: (close) => void opened.push(close),
  };
  return stage;
}
