// The thread behind warm-command.ts: the built command line, loaded once, run again and again.
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";

const bundle = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const { runCli } = createRequire(bundle)("./cli.cjs");
const { runHook } = createRequire(bundle)("./hook.cjs");
const { version } = createRequire(import.meta.url)("../package.json");

/** What bin/main.ts makes of a process whose three streams are pipes. */
function hostOf({ args, input, isTyped, endsAfter, folder, environment }, written) {
  return {
    arguments: args,
    environment,
    folder,
    clientProcess: `${hostname()}:${process.pid}`,
    version,
    program: {
      node: process.execPath,
      bundle,
      userFolder: environment.HOME ?? "/",
      temporaryFolder: environment.TMPDIR ?? tmpdir(),
      platform: process.platform,
    },
    input: {
      bytes: (async function* () {
        yield Buffer.from(input);
      })(),
      isTerminal: isTyped,
    },
    output: {
      write: async (text) => {
        written.out += text;
      },
      isTerminal: false,
      hasColor: false,
      columns: 120,
    },
    writeError: async (text) => {
      written.err += text;
    },
    isErrorTerminal: false,
    interrupted: () => (endsAfter === undefined ? new AbortController().signal : AbortSignal.timeout(endsAfter)),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

/** Hooks are a surface of their own, and end well whatever happens. */
async function runCommand(call, written) {
  if (call.args[0] !== "hook") return runCli(hostOf(call, written));
  const { input, environment } = call;
  const process = hostOf(call, written).clientProcess;
  written.out = await runHook({ environment, process, read: () => String(input) });
  return 0;
}

// Silence is counted in minutes. Both clocks are set: a store does not believe one that was set apart from the other.
const [ownNow, ownAge, ownUptime] = [Date.now, performance.now.bind(performance), process.uptime];

function setClocks({ ahead, pace = 1 } = { ahead: 0 }) {
  const start = ownAge();
  const more = () => Math.round(ahead + (ownAge() - start) * (pace - 1));
  Date.now = ahead === 0 && pace === 1 ? ownNow : () => ownNow() + more();
  performance.now = ahead === 0 && pace === 1 ? ownAge : () => ownAge() + more();
  // The hook's own measure of how long its process runs.
  process.uptime = ahead === 0 && pace === 1 ? ownUptime : () => ownUptime() + more() / 1000;
}

parentPort.on("message", async ({ call, port, ended }) => {
  const written = { out: "", err: "" };
  setClocks(call.clock);
  try {
    port.postMessage({ exit: await runCommand(call, written), ...written });
  } catch (error) {
    port.postMessage({ exit: null, ...written, thrown: error });
  }
  Atomics.store(ended, 0, 1);
  Atomics.notify(ended, 0);
});
