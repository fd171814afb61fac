import { type ShellToken, type ShellWord, shellTokens } from "./shell-tokens.js";

// A small reader of shell command lines: simple commands and what joins them. It runs nothing and expands nothing.

/** `>` or `>>` into a file. Others tell nothing. */
interface ShellOutput {
  readonly file: ShellWord;
}

export type ShellCommand =
  | { readonly type: "simple"; readonly words: readonly ShellWord[]; readonly outputs: readonly ShellOutput[] }
  | { readonly type: "group"; readonly list: ShellList }
  /** A loop, a condition, a function: whether a command in it ran is not known. */
  | { readonly type: "block"; readonly commands: readonly ShellCommand[]; readonly isLoop: boolean };

export interface ShellPipeline {
  readonly commands: readonly ShellCommand[];
  readonly isNegated: boolean;
  /** What stands behind it. */
  readonly joint: ShellJoint;
}

type ShellJoint = "&&" | "||" | ";" | "&" | "";
export type ShellList = readonly ShellPipeline[];

/** What follows is not looked at. */
const LONGEST = 4000;
const DEEPEST = 6;

export function readShell(text: string): ShellList {
  const line = text.slice(0, LONGEST);
  return plainLine(line) ?? new Reader(shellTokens(line)).list([], 0);
}

/** Nothing in it but words: most lines that an agent runs. */
const PLAIN = /^[\w@%+=:,./ -]+$/;

function plainLine(line: string): ShellList | undefined {
  if (!PLAIN.test(line)) return undefined;
  const words: ShellWord[] = [];
  for (const text of line.split(" ")) if (text !== "") words.push({ text, isPlain: true });
  const [first] = words;
  if (!first || Object.hasOwn(OPENING, first.text)) return undefined;
  return [{ commands: [{ type: "simple", words, outputs: [] }], isNegated: false, joint: "" }];
}

const OPENING: Readonly<Record<string, string>> = { if: "fi", for: "done", while: "done", until: "done", case: "esac" };

class Reader {
  readonly #tokens: readonly ShellToken[];
  #at = 0;

  constructor(tokens: readonly ShellToken[]) {
    this.#tokens = tokens;
  }

  #sign(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.type === "sign" ? token.sign : undefined;
  }

  /** A word of the shell itself: only where a command begins, and never in quotes. */
  #reserved(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.type === "word" && !token.isQuoted ? token.word.text : undefined;
  }

  list(ends: readonly string[], depth: number): ShellList {
    const pipelines: ShellPipeline[] = [];
    while (this.#at < this.#tokens.length) {
      const [sign, reserved] = [this.#sign(), this.#reserved()];
      if ((sign !== undefined && ends.includes(sign)) || (reserved !== undefined && ends.includes(reserved))) break;
      if (sign !== undefined && sign !== "(") this.#at += 1;
      else pipelines.push(this.#pipeline(depth));
    }
    return pipelines;
  }

  #pipeline(depth: number): ShellPipeline {
    let isNegated = false;
    while (this.#reserved() === "!") {
      isNegated = !isNegated;
      this.#at += 1;
    }
    const commands = [this.#command(depth)];
    while (this.#sign() === "|" || this.#sign() === "|&") {
      this.#at += 1;
      while (this.#sign() === "\n") this.#at += 1;
      commands.push(this.#command(depth));
    }
    const sign = this.#sign();
    const joint = JOINTS.find((known) => known === sign) ?? (sign === "\n" ? ";" : "");
    if (joint !== "") this.#at += 1;
    while (joint !== "" && this.#sign() === "\n") this.#at += 1;
    return { commands, isNegated, joint };
  }

  #command(depth: number): ShellCommand {
    const reserved = this.#reserved() ?? "";
    if (this.#sign() === "(") return this.#group(")", depth);
    if (reserved === "{") return this.#group("}", depth);
    if (Object.hasOwn(OPENING, reserved)) return this.#block(reserved, OPENING[reserved] ?? "", depth);
    return this.#simple();
  }

  #group(end: string, depth: number): ShellCommand {
    this.#at += 1;
    const list = depth < DEEPEST ? this.list([end], depth + 1) : [];
    if (this.#sign() === end || this.#reserved() === end) this.#at += 1;
    this.#outputs();
    return { type: "group", list };
  }

  /** To its end, whatever stands in between: its commands are only listed. */
  #block(opening: string, end: string, depth: number): ShellCommand {
    this.#at += 1;
    const list = depth < DEEPEST ? this.list([end], depth + 1) : [];
    if (this.#reserved() === end) this.#at += 1;
    else this.#at = this.#tokens.length;
    this.#outputs();
    const commands = list.flatMap((pipeline) => pipeline.commands);
    return { type: "block", commands, isLoop: end === "done" && opening !== "if" };
  }

  #outputs(): readonly ShellOutput[] {
    const outputs: ShellOutput[] = [];
    for (let token = this.#tokens[this.#at]; token?.type === "output"; token = this.#tokens[this.#at]) {
      outputs.push({ file: token.file });
      this.#at += 1;
    }
    return outputs;
  }

  #simple(): ShellCommand {
    const words: ShellWord[] = [];
    const outputs: ShellOutput[] = [];
    for (let token = this.#tokens[this.#at]; token && token.type !== "sign"; token = this.#tokens[this.#at]) {
      if (token.type === "word") words.push(token.word);
      else outputs.push({ file: token.file });
      this.#at += 1;
    }
    // A sign that no command begins with: it must not be met again.
    if (words.length + outputs.length === 0) this.#at += 1;
    return { type: "simple", words, outputs };
  }
}

const JOINTS: readonly ShellJoint[] = ["&&", "||", ";", "&"];
