import { isObject, parseJson } from "../core/json.js";
import { redact } from "../core/secrets/redact.js";
import { redactJson } from "../core/secrets/redact-json.js";
import { terminalText } from "../core/text/terminal-text.js";
import type { CommandContext, Given } from "./command-definition.js";
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

/** What a person writes into a list is redacted before it is compared with what is there; names of files are not. */
const TEXTS = /^(?:todo|task|tell)(?: |$)/;
const NAMES = ["file", "path", "key", "list", "session", "agent", "store"];

export function redactedInput(name: string, input: Given): Given {
  if (!TEXTS.test(name)) return input;
  const fields = Object.entries(input).map(([field, value]) => [field, NAMES.includes(field) ? value : told(value)]);
  return Object.fromEntries(fields);
}

function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  return typeof value === "string" ? (isObject(parseJson(value)) ? redactJson(value) : redact(value)) : value;
}
