import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PiPhase } from "../../src/dialects/oh-my-pi/pi-phases.js";
import type { SlashMode, SlashSay } from "../../src/dialects/oh-my-pi/slash-texts.js";
import { type Case, type Check, mismatches } from "./case.js";

interface SlashRun {
  readonly mode: SlashMode;
  readonly args: string;
  /** The list that is there before. */
  readonly initial: readonly PiPhase[];
  /** Where relative paths begin. */
  readonly folder: string;
}

interface SlashRan {
  readonly said: readonly Omit<SlashSay, "type">[];
  /** The list afterwards. */
  readonly phases: readonly PiPhase[];
  /** The list after each change, as it is noted down in the session's file. */
  readonly noted: readonly (readonly PiPhase[])[];
  /** What the model is told. */
  readonly reminders: readonly string[];
}

/** Runs one `/todo ARGS` as a person would. */
export type SlashExecutor = (run: SlashRun) => Promise<SlashRan>;

/** Holds an executor to what the original said, wrote and told its model. */
export function slashCheck(execute: SlashExecutor): Check {
  return async (testCase) => {
    const folder = await mkdtemp(join(tmpdir(), "milepost-slash-"));
    try {
      return await compare(testCase, folder, execute);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function compare(testCase: Case, folder: string, execute: SlashExecutor) {
  const { mode, args, said, phases, customEntries, injectedMessages, written } = testCase;
  const initial = (testCase.initial ?? []) as readonly PiPhase[];
  const files = (testCase.files ?? {}) as Readonly<Record<string, string>>;
  await putFiles(folder, files);
  const ran = await execute({ mode: mode === "tui" ? "tui" : "text", args: String(args), initial, folder });
  const actual = {
    said: ran.said.map(({ level, text }) => ({ level, text: text.replaceAll(folder, "<cwd>") })),
    phases: ran.phases,
    customEntries: ran.noted.map((list) => ({ customType: "user_todo_edit", data: { phases: list } })),
    injectedMessages: ran.reminders.map((text) => ({
      role: "developer",
      content: [{ type: "text", text: text.replaceAll(folder, "<cwd>") }],
      attribution: "user",
    })),
    files: await readFiles(folder),
  };
  // An unchanged list is told as null: then it must be the one that was there before.
  const expected = { said, phases: phases ?? initial, customEntries, injectedMessages };
  return mismatches([{ expected: { ...expected, files: { ...files, ...(written as object) } }, actual }]);
}

async function putFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function readFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}
