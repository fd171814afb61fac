import type { Input, Output } from "./command-definition.js";

/** The program itself, as it was started: what setup writes down for agents to start. */
export interface Program {
  /** The running Node, as an absolute path. */
  readonly node: string;
  /** Our own milepost.cjs, as an absolute path without links. */
  readonly bundle: string;
  /** Where the person's own files are. */
  readonly userFolder: string;
  readonly temporaryFolder: string;
  readonly platform: string;
}

/** The keyboard and the window of a person at a terminal. */
export interface Keyboard {
  /** From here on every key is heard at once, and nothing that is typed is echoed. */
  start(heard: (bytes: string) => void, resized: () => void): void;
  /** Keys belong to the shell again, or to a program that is started. */
  stop(): void;
  /** Written when the process ends, however it ends, so that the terminal is as it was; empty: nothing any more. */
  leaveWith(text: string): void;
  /** Puts the process in the background, as Ctrl+Z does, and resolves when it is back. */
  suspend(): Promise<void>;
}

/** The process as a surface sees it. Only bin/process-host.ts makes one from the real process; tests make their own. */
export interface Host {
  readonly arguments: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  /** The folder the process was started in. */
  readonly folder: string;
  /** Who started the process, as `processName` writes it. */
  readonly clientProcess: string;
  /** This process itself, written alike. */
  readonly ownProcess: string;
  /** Whether a process of this machine is there, by its number. */
  readonly isRunning: (number: number) => boolean;
  readonly version: string;
  readonly program: Program;
  readonly input: Input;
  readonly output: Output;
  readonly writeError: (text: string) => Promise<void>;
  /** A person reads what we write as errors. */
  readonly isErrorTerminal: boolean;
  /** Fires with Ctrl+C; until somebody asks for it, Ctrl+C ends the process as always. */
  readonly interrupted: () => AbortSignal;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** For a surface that a person sits in front of. */
export interface PersonalHost extends Host {
  readonly keyboard: Keyboard;
}
