import { terminalText } from "../core/text/terminal-text.js";
import type { CommandContext } from "./command-definition.js";
import type { Host } from "./host.js";
import { type InputLine, readLines } from "./json-lines.js";
import { type Milepost, openMilepost } from "./milepost.js";
import { chooseStore } from "./store-place.js";
import { CLEAR_ROW } from "./terminal/paint.js";

/** What one command works with. The store is opened on first use and closed with the command. */
export function openSession(host: Host, asked: string | undefined, line: readonly string[]) {
  const { input, output, environment, folder, program, sleep, interrupted } = host;
  const person = listenTo(host);
  let isInProgress = false;
  const notice = (text: string) => host.writeError(`${isInProgress ? CLEAR_ROW : ""}${terminalText(text)}\n`);
  let opened: Promise<Milepost> | undefined;
  const open: CommandContext["open"] = async (use) => {
    const mustExist = use === "read" && !chooseStore(asked, environment).isOwnFolder;
    opened ??= openMilepost({ store: asked, environment, folder, mustExist, notice: (text) => void notice(text) });
    return opened;
  };
  const context: CommandContext = {
    // Asked for only by those who need one: whose home is not known can still be helped.
    get store() {
      return chooseStore(asked, environment);
    },
    environment,
    folder,
    program,
    line,
    open,
    input,
    output,
    notice,
    remark: async (text) => {
      if (host.isErrorTerminal) await notice(text);
    },
    progress: (text) => {
      isInProgress ||= host.isErrorTerminal;
      showProgress(host, text);
    },
    ...personalTools(host),
    confirm: (question) => confirm(host, person, question),
    ask: (question) => ask(host, person, question),
    interrupted,
    sleep,
  };
  return {
    context,
    async close() {
      // A store that could not be opened has been reported already.
      const milepost = await opened?.catch(() => undefined);
      opened = undefined;
      await milepost?.close();
      await person.close();
    },
  };
}

/** What needs a person at a terminal; loaded with the first use, because starting programs takes time to load. */
function personalTools({ input, output, environment, program }: Host): Pick<CommandContext, "editText" | "copyText"> {
  const { platform, temporaryFolder } = program;
  const editText: CommandContext["editText"] = async (name, text) =>
    (await import("./todo/editor.js")).editText({ environment, platform, temporaryFolder }, name, text);
  const copyText: CommandContext["copyText"] = async (text) =>
    (await import("./todo/clipboard.js")).copyToClipboard(platform, environment, text);
  return {
    ...(output.isTerminal && input.isTerminal ? { editText } : undefined),
    ...(output.isTerminal ? { copyText } : undefined),
  };
}

function showProgress(host: Host, text: string): void {
  if (host.isErrorTerminal) void host.writeError(`${CLEAR_ROW}${terminalText(text)}`);
}

export async function clearProgress(host: Host): Promise<void> {
  if (host.isErrorTerminal) await host.writeError(CLEAR_ROW);
}

type Person = ReturnType<typeof listenTo>;

/** One reader for all questions: a second one would find the input closed by the first. */
function listenTo(host: Host) {
  let lines: AsyncGenerator<InputLine> | undefined;
  return {
    /** The next line that was typed; undefined when no more will come. */
    async answer() {
      lines ??= readLines(host.input.bytes);
      const { value, done } = await lines.next();
      return done ? undefined : (value.text ?? "");
    },
    async close() {
      await lines?.return(undefined);
    },
  };
}

async function confirm(host: Host, person: Person, question: string): Promise<boolean | undefined> {
  if (!host.input.isTerminal) return undefined;
  await clearProgress(host);
  await host.writeError(`${terminalText(question)} [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test((await person.answer()) ?? "");
}

async function ask(host: Host, person: Person, question: string): Promise<string | undefined> {
  if (!host.input.isTerminal) return undefined;
  await clearProgress(host);
  await host.writeError(`${terminalText(question)} `);
  const answer = await person.answer();
  // Ctrl+D leaves the cursor behind the question.
  if (answer === undefined) await host.writeError("\n");
  return answer;
}
