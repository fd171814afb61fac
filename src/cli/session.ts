import type { CommandContext } from "../app/command.js";
import type { Host } from "../app/host.js";
import { readLines } from "../app/json-lines.js";
import { type Milepost, openMilepost } from "../app/milepost.js";
import { CLEAR_ROW } from "../app/paint.js";
import { chooseStore } from "../app/store-place.js";
import { terminalText } from "../core/text/terminal-text.js";

/** One command's world: the store is opened when it is first asked for, and closed with it. */
export interface Session {
  readonly context: CommandContext;
  close(): Promise<void>;
}

export function openSession(host: Host, asked: string | undefined): Session {
  const { input, output, environment, folder, sleep, interrupted } = host;
  const notice = (text: string) => host.writeError(`${terminalText(text)}\n`);
  let opened: Promise<Milepost> | undefined;
  const store = chooseStore(asked, environment);
  const open: CommandContext["open"] = (use) => {
    const mustExist = use === "read" && !store.isOwnFolder;
    opened ??= openMilepost({ store: asked, environment, mustExist, notice: (text) => void notice(text) });
    return opened;
  };
  return {
    context: {
      store,
      environment,
      folder,
      open,
      input,
      output,
      notice,
      progress: (text) => showProgress(host, text),
      confirm: (question) => confirm(host, question),
      interrupted,
      sleep,
    },
    async close() {
      // A store that could not be opened has been complained about already.
      const milepost = await opened?.catch(() => undefined);
      await milepost?.close();
    },
  };
}

function showProgress(host: Host, text: string): void {
  if (host.isErrorTerminal) void host.writeError(`${CLEAR_ROW}${terminalText(text)}`);
}

export async function clearProgress(host: Host): Promise<void> {
  if (host.isErrorTerminal) await host.writeError(CLEAR_ROW);
}

async function confirm(host: Host, question: string): Promise<boolean | undefined> {
  if (!host.input.isTerminal) return undefined;
  await host.writeError(`${terminalText(question)} [y/N] `);
  for await (const { text } of readLines(host.input.bytes)) return /^\s*y(?:es)?\s*$/i.test(text ?? "");
  return false;
}
