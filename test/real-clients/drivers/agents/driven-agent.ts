import type { FakeModel, ModelRequest, ModelScript, ModelStep } from "../../model/script.js";
import type { Sandbox } from "../sandbox.js";

/** An agent's real program as its users run it, against a scripted model. A new one is a file here and a row in the table. */
export interface DrivenAgent {
  /** As Milepost calls it. */
  readonly agent: string;
  readonly version: string;
  /** Installs it where it is not there yet; the words of its command. */
  install(): Promise<readonly string[]>;
  startModel(script: ModelScript): Promise<FakeModel>;
  /** Writes the settings of a person who uses it; returns what its environment needs. */
  configure(sandbox: Sandbox, url: string): Record<string, string>;
  /** Words behind its command: one prompt, without a terminal, in the folder that it runs in. `session`: goes on with that. */
  prompt(text: string, session?: string): readonly string[];
  /** Files and folders, below the home folder, that setup may write to. Compared byte for byte. */
  readonly files: readonly string[];
  /** Steps with which its model calls our `todo`, by the way that its requests tell: it may have to search first. */
  todo(input: Readonly<Record<string, unknown>>): ModelScript;
  /** Whether a request tells the model how to call our `todo`. */
  isTold(request: ModelRequest): boolean;
  readonly shell: (command: string) => ModelStep;
  /** Steps of the first session after which it compacts before its next request. */
  compaction(): ModelScript;
  /** Its own list tool; pi has none. */
  readonly ownList?: OwnList;
  /** The command that goes on with a session, as `milepost sessions` shows it. */
  resumeCommand(session: string): string;
}

/** How the agent is run so that its own list tool can be asked with the calls of a vector file. */
export interface OwnList {
  /** In test/vectors/. */
  readonly vectors: string;
  /** Where a call of that file names no tool. */
  readonly tool?: string;
  /** The file is of a later version than the program that can be installed. */
  readonly earlier?: EarlierWords;
  readonly env?: Readonly<Record<string, string>>;
  /** Changes settings that `configure` has written. */
  settle?(sandbox: Sandbox): void;
}

interface EarlierWords {
  /** Answers of which no more than this beginning is the same. They count for nothing. */
  readonly begin: string;
  /** Cases that no model can ask: they were put to the tool itself, and the program changes such arguments before. */
  readonly leftOut: readonly string[];
}
