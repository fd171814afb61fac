import type { Result } from "../../../core/result.js";
import type { Program } from "../../host.js";
import type { Offer, OfferingClient } from "../../settings.js";
import type { Environment } from "../../store-place.js";
import type { Launch } from "../command-line.js";
import type { Made } from "../edits/json-hooks.js";

/** What setup knows of the machine. */
export interface World {
  readonly environment: Environment;
  readonly program: Program;
  /** Milepost's own folder. */
  readonly home: string;
}

/** What the person asked for. */
export interface Wish {
  readonly launch: Launch;
  readonly guidance: boolean;
  /** Which list the model keeps: with ours the agent's own goes, because two lists confuse a model. */
  readonly offer: Offer;
  /** The agent that is installed would not start with our tool in its list of direct ones. */
  readonly isDirectRefused?: boolean;
}

interface Edited {
  /** Undefined: no such file is needed. The same text as before: nothing to do. */
  readonly text: string | undefined;
  /** What the person should know. */
  readonly notes: readonly string[];
}

/** One file of an agent, and the way of our entries into its text and out again. Reads and writes nothing itself. */
export interface FileEdit<Wanted = Wish> {
  readonly file: string;
  /** `made`: what an earlier setup made; what is not wanted any more goes with it. */
  wire(text: string | undefined, wish: Wanted, made?: Made): Result<Edited>;
  unwire(text: string, made: Made): Result<Edited>;
  /** What had to be made around our entries. */
  made?(before: string | undefined, after: string): readonly string[];
  /** Why the agent does not read this text, as the end of a sentence about the file; undefined: it does. */
  flaw?(text: string): string | undefined;
  /** All of it is ours, and it goes as a whole: an extension, a file of hooks. */
  readonly isOwnFile?: boolean;
  /** What a flaw comes to, as a sentence; undefined: nothing in the file has an effect. */
  readonly withFlaw?: string;
}

export type ReadText = (file: string) => string | undefined;

/** What of ours an agent's files hold now. */
export interface Wired {
  readonly server: ServerEntry | undefined;
  /** The lines of hooks, each once. */
  readonly hooks: readonly string[];
  /** Hooks that call our server: the event and the fields that are sent, as JSON. */
  readonly toolHooks: readonly string[];
  /** The server is for hooks alone: the model is not offered its tools. */
  readonly isHooksOnly?: boolean;
  /** How many events are wired. */
  readonly hookCount: number;
  readonly statusLine?: string | undefined;
  /** Hook events that should be wired, and are not. */
  readonly missing: readonly string[];
  /** Events of hooks that are there, and no longer as they should be. */
  readonly outdated: readonly string[];
}

/** Whether the model is told of our tool, as far as the agent's own files say. */
export interface ToolSight {
  readonly works?: string;
  /** Why it is not; a sentence without its end. */
  readonly hidden?: string;
  readonly notes: readonly string[];
}

export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

export interface AgentAnswer {
  /** It starts with our tool made direct; so it is taken to be, when there is none to ask. */
  readonly takesDirect: boolean;
  /** What it says instead of starting. */
  readonly refusal?: string;
  /** Of other programs that read the same files. */
  readonly notes?: readonly string[];
}

/** An agent that can be wired. A new one is a file and a row in `wired-agents.ts`. */
export interface Agent {
  readonly name: OfferingClient;
  readonly title: string;
  /** How it is started by hand. */
  readonly binary: string;
  folder(world: World): string;
  edits(world: World): readonly FileEdit[];
  /** What it says of its own list tool, when it has one that is not switched off. */
  ownList(world: World, read: ReadText): string | undefined;
  /** How its own list tool is switched on, where the model is to use that one. */
  readonly ownListHint: string;
  wired(world: World, read: ReadText): Wired;
  /** Why hooks that are wired would not run, where the agent's own files tell. */
  untrusted?(world: World, read: ReadText): string | undefined;
  /** Asks the agent that is installed what it makes of its files. */
  ask?(world: World): Promise<AgentAnswer>;
  /** For agents that do not tell every model of a server's tools. */
  sight?(world: World, read: ReadText): ToolSight;
  /** What our server is told that its client is, where an extension of ours starts it. */
  readonly serverClient?: string;
  /** In its settings `$NAME` is a variable, and there is no other way to write that sign. */
  readonly takesVariables?: boolean;
  /** What the person has to do, once, after hooks have changed. */
  readonly afterwards: readonly string[];
}
