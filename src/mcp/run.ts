import { type StdioServerHandle, serveStdio } from "@modelcontextprotocol/server/stdio";
import { config } from "zod/v4/core";
import { traceOf } from "../app/escaped-error.js";
import type { Host } from "../app/host.js";
import { openMilepost } from "../app/milepost.js";
import { numberHere } from "../app/session/process-life.js";
import { markServer, sweepMarkers } from "../app/session/server-marker.js";
import { hasNoLists } from "../app/settings/lists-off.js";
import { readSettings } from "../app/settings.js";
import { terminalText } from "../core/text/terminal-text.js";
import { type Flags, readFlags } from "./flags.js";
import { greetingOf } from "./greeting.js";
import { createServer } from "./server.js";
import { Calls } from "./tool-calls.js";
import { Wire } from "./wire.js";

const EXIT_OK = 0;
const EXIT_USAGE = 2;

/** The list of tools never changes, so one subscription is as good as a thousand. */
const MOST_SUBSCRIPTIONS = 8;

/** Milliseconds: after the last line, pending answers are still sent; after a signal only briefly. */
const PATIENCE = { ended: 60_000, interrupted: 2000 };

/** The MCP server on stdio. Returns the exit code when the client has gone. */
export async function runMcp(host: Host): Promise<number> {
  const flags = readFlags(host.arguments.slice(1));
  if (flags.ok) return serve(host, flags.value);
  const { code, message } = flags.error;
  await notice(host, `milepost: ${message} [${code}]`);
  return EXIT_USAGE;
}

// The SDK's schemas see a few messages each; compiling every one of them first is a tenth of the start-up.
config({ jitless: true });

/** A server that hears hooks has a mark while it lives, from before its client knows that it is there. */
async function serve(host: Host, flags: Flags): Promise<number> {
  const { clientProcess, ownProcess, environment, isRunning } = host;
  const own = {
    client: numberHere(clientProcess) ?? 0,
    server: numberHere(ownProcess) ?? 0,
    words: host.arguments,
    isOnly: Boolean(environment.CLAUDE_CODE_SESSION_ID),
  };
  const unmark = markServer(environment, own);
  try {
    return await answerClient(host, flags, () => sweepMarkers(environment, own, isRunning));
  } finally {
    unmark();
  }
}

/** `later` is done when the client has its tools. */
async function answerClient(host: Host, flags: Flags, later: () => void): Promise<number> {
  const { dialect, session, list, store } = flags;
  const { environment, folder, clientProcess: process, ownProcess: server } = host;
  const interrupted = whenInterrupted(host);
  const open = () =>
    openMilepost({ store, environment, folder, hearsHooks: true, notice: (text) => void notice(host, text) });
  const calls = new Calls(dialect, { environment, folder, process, server, session, list, store }, open, (error) => {
    const trace = traceOf(error, environment);
    if (trace !== undefined) void host.writeError(`${trace}\n`);
  });
  const greeting = greetingOf(environment);
  const wire = new Wire(host.output, greeting);
  const isListless = () => {
    const isOff = hasNoLists(readSettings(environment), wire.clientName ?? clientIn(environment));
    // The next start may be under other settings, and nobody could tell the shell.
    if (isOff) greeting?.forget();
    return isOff;
  };
  const parts = { version: host.version, dialect, calls, later, isListless };
  const connection = serveStdio(({ era }) => createServer({ ...parts, era }), {
    transport: wire,
    maxSubscriptions: MOST_SUBSCRIPTIONS,
  });
  if (host.input.isTerminal)
    await notice(host, "This is an MCP server: a client starts it, and sends JSON lines. See milepost mcp --help.");
  await Promise.race([wire.read(host.input), interrupted]);
  wire.hangUp();
  await Promise.race([
    finish(wire, connection, calls),
    host.sleep(PATIENCE.ended),
    interrupted.then(() => host.sleep(PATIENCE.interrupted)),
  ]);
  return EXIT_OK;
}

/** For a client that does not name itself. */
function clientIn({ CLAUDE_CODE_SESSION_ID: session }: Host["environment"]): string | undefined {
  return session ? "claude-code" : undefined;
}

async function finish(wire: Wire, connection: StdioServerHandle, calls: Calls): Promise<void> {
  await wire.drained();
  await connection.close();
  await calls.close();
}

function whenInterrupted(host: Host): Promise<void> {
  const signal = host.interrupted();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function notice(host: Host, text: string): Promise<void> {
  return host.writeError(`${terminalText(text)}\n`);
}
