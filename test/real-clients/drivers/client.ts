import type { ModelRequest, ModelScript } from "../model/script.js";
import type { ProcessEnd } from "./run-process.js";
import type { Sandbox } from "./sandbox.js";

/** A real client that runs one prompt to its end, in a process of its own. */
export interface Client {
  /** As `milepost setup` calls it. */
  readonly agent: "claude-code" | "codex";
  run(run: ClientRun): Promise<ClientEnd>;
}

export interface ClientRun {
  readonly sandbox: Sandbox;
  readonly prompt: string;
  readonly script: ModelScript;
  /** A session's own id, or the newest in this project. */
  readonly resume?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ClientEnd extends ProcessEnd {
  /** The client's own id for it. */
  readonly session: string;
  readonly requests: readonly ModelRequest[];
  /** Requests that the scripted model had no answer for. */
  readonly failures: readonly string[];
}
