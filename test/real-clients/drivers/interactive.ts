import { startFakeMessages } from "../model/fake-messages.js";
import { startFakeResponses } from "../model/fake-responses.js";
import type { FakeModel, ModelRequest, ModelScript } from "../model/script.js";
import { claudeEnv } from "./claude.js";
import { codexSettings } from "./codex.js";
import type { Sandbox } from "./sandbox.js";
import { KEYS, openTerminal, type TerminalApp, type TerminalRun } from "./terminal.js";

/** A client as a person runs it: in a terminal, prompt by prompt. */
export interface InteractiveSession {
  readonly app: TerminalApp;
  readonly model: FakeModel;
  /** Types a prompt, waits until the client waits for the person again, and gives the requests of that turn. */
  turn(prompt: string, script: ModelScript): Promise<readonly ModelRequest[]>;
  /** Until our MCP server is connected: neither client waits for it with its first request. */
  connected(): Promise<void>;
  /** As `turn`, for a command of the client such as /compact. */
  command(line: string): Promise<readonly ModelRequest[]>;
  close(): Promise<void>;
}

interface InteractiveRun {
  readonly binary: string;
  readonly sandbox: Sandbox;
  readonly model: string;
  readonly args?: readonly string[];
  /** What it runs in; by default a pseudo-terminal. */
  readonly terminal?: (run: TerminalRun) => TerminalApp;
}

const BUSY = /^\S \w+…|^[•◦] Working/m; // the line with the spinner
const TYPED_MS = 400; // Enter right behind a burst of characters would be taken for a pasted line

/** Manual mode: every command that is not allowed is asked for. */
export async function openClaude(run: InteractiveRun): Promise<InteractiveSession> {
  const { binary, sandbox, model, args = [], terminal = openTerminal } = run;
  const fake = await startFakeMessages([]);
  const app = terminal({
    command: binary,
    args: ["--model", model, "--permission-mode", "default", "--allowedTools", "Bash(ls *)", ...args],
    cwd: sandbox.project,
    env: { ...sandbox.env, ...claudeEnv(fake.url) },
  });
  return started(app, fake, async () => {
    await app.see(/❯/);
    await app.quiet();
  });
}

/** Trusts the folder and our hooks in the dialogs that Codex shows at its first start. */
export async function openCodex(run: InteractiveRun): Promise<InteractiveSession> {
  const { binary, sandbox, model, args = [], terminal = openTerminal } = run;
  const fake = await startFakeResponses([]);
  const app = terminal({
    command: binary,
    // Its daemon would outlive the test.
    args: ["--disable", "daemon_auto_start", "-C", sandbox.project, ...codexSettings(model, fake.url), ...args],
    cwd: sandbox.project,
    env: { ...sandbox.env, RUST_LOG: "error" },
  });
  return started(app, fake, () => passDialogs(app));
}

/** What Codex asks at its start, and the keys of somebody who trusts us. Until it offers to take a prompt. */
const DIALOGS: { question: RegExp; keys: readonly string[] }[] = [
  { question: /Trust this folder/, keys: [KEYS.enter] },
  { question: /Hooks need review/, keys: [KEYS.down, KEYS.enter] },
];

async function passDialogs(app: TerminalApp): Promise<void> {
  const asked = (screen: string) => DIALOGS.find(({ question }) => question.test(screen));
  const isReady = (screen: string) => !asked(screen) && /\? for shortcuts/.test(screen);
  do {
    await app.see((screen) => isReady(screen) || asked(screen) !== undefined);
    const dialog = asked(app.screen());
    for (const key of dialog?.keys ?? []) {
      await app.quiet(500);
      app.type(key);
    }
    if (dialog) await app.see((screen) => !dialog.question.test(screen));
    await app.quiet(); // it may draw its prompt first, and a dialog over it
  } while (!isReady(app.screen()));
}

async function started(app: TerminalApp, model: FakeModel, begin: () => Promise<void>): Promise<InteractiveSession> {
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= app
      .close([KEYS.escape, KEYS.interrupt, KEYS.interrupt]) // Escape: out of a dialog first
      .then(model.close);
    return closing;
  };
  const enter = async (line: string) => {
    app.type(line);
    await app.quiet(TYPED_MS);
    app.type(KEYS.enter);
  };
  const run = async (line: string, script: ModelScript) => {
    const first = model.requests.length;
    model.play(script);
    await enter(line);
    await app.see(() => model.left() === 0 || model.failures.length > 0);
    await app.see((screen) => !BUSY.test(screen) && app.history().includes(lastWords(script)));
    await app.quiet();
    if (model.failures.length > 0) throw new Error(model.failures.join("\n"));
    return model.requests.slice(first);
  };
  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  const connected = async () => {
    for (let tries = 0; tries < 10; tries++) {
      await enter("/mcp");
      await app.quiet();
      const isConnected = /✔ milepost|milepost: connected/.test(app.screen());
      if (app.screen().includes("Manage MCP servers")) app.type(KEYS.escape); // Claude Code opens a window for it
      await app.quiet(TYPED_MS);
      if (isConnected) return;
    }
    throw new Error(`Our server is not connected:\n${app.screen()}`);
  };
  return { app, model, close, turn: run, connected, command: (line) => run(line, []) };
}

/** What the person reads when the script is at its end. */
function lastWords(script: ModelScript): string {
  const step = script.at(-1);
  return typeof step === "object" ? (step.say ?? "") : "";
}
