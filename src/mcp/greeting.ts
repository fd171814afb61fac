import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { readPlain } from "../app/read-plain.js";
import type { Environment } from "../app/store-place.js";

/**
 * What a client asks first is the same at each of its starts, and so are our answers. A client that starts waits for
 * them, and a shell is there long before Node: `milepost.sh` sends the answers from this file while every line is the
 * one that was asked the last time, and becomes this process, with the number of lines that it has answered.
 */
const FIRST = ["server/discover", "initialize", "notifications/initialized", "tools/list"];
const LAST = "tools/list";
const LARGEST = 65_536;

/** A line that was read before this process was there. */
export interface EarlyLine {
  readonly text: string;
  /** The client has an answer already. */
  readonly isAnswered: boolean;
}

interface Pair {
  readonly request: string;
  readonly id: unknown;
  readonly method: string;
  answer: string;
}

/** Where the file is, and what whoever started us has done with it. Undefined: nobody greets for us. */
export function greetingOf(environment: Environment): Greeting | undefined {
  const { MILEPOST_GREETING: file, MILEPOST_GREETED: greeted, MILEPOST_PENDING: pending } = environment;
  if (!file) return undefined;
  const lines = Number(greeted) > 0 ? readGreeting(file).slice(0, 2 * Number(greeted)) : [];
  const early = lines.filter((_, index) => index % 2 === 0).map((text) => ({ text, isAnswered: true }));
  const left = takeLine(pending) ?? environment.MILEPOST_LINE;
  return new Greeting(file, [...early, ...(left ? [{ text: left, isAnswered: false }] : [])], lines);
}

function readGreeting(file: string): readonly string[] {
  try {
    return readPlain(file).split("\n");
  } catch {
    return [];
  }
}

/** The line that the shell has read and left to us. */
function takeLine(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    const line = readFileSync(file, "utf8");
    rmSync(file, { force: true });
    return line;
  } catch {
    return undefined;
  }
}

export class Greeting {
  readonly early: readonly EarlyLine[];
  readonly #file: string;
  /** What the shell sent. */
  readonly #sent: readonly string[];
  readonly #pairs: Pair[] = [];
  /** Something else was asked. */
  #isHeard = false;
  #isOver = false;

  constructor(file: string, early: readonly EarlyLine[], sent: readonly string[]) {
    this.#file = file;
    this.early = early;
    this.#sent = sent;
  }

  /** What was kept is not true any more, and what is said now is not kept. */
  forget(): void {
    this.#isOver = true;
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // A model that is offered a tool in vain is told so when it calls it.
    }
  }

  heard(request: string, message: JSONRPCMessage): void {
    if (this.#isHeard || !("method" in message)) return;
    const { method } = message;
    this.#isHeard = method === LAST || !FIRST.includes(method);
    if (FIRST.includes(method))
      this.#pairs.push({ request, method, id: "id" in message ? message.id : undefined, answer: "" });
  }

  sent(message: JSONRPCMessage, answer: string): void {
    if (this.#isOver || "method" in message) return;
    const pair = this.#pairs.find(({ id }) => id !== undefined && id === message.id);
    if (!pair) return;
    pair.answer = answer;
    if (pair.method === LAST) this.#keep();
  }

  /** As the next start will find it; after an update it is another one. */
  #keep(): void {
    this.#isOver = true;
    const lines = this.#pairs.flatMap(({ request, answer }) => [request, answer]);
    const text = `${lines.join("\n")}\n`;
    const isWhole = this.#pairs.every(({ id, answer }) => id === undefined || answer !== "");
    if (!isWhole || text.length > LARGEST || lines.every((line, index) => line === this.#sent[index])) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(this.#file, text, { mode: 0o600 });
    } catch {
      // The next start waits for Node again.
    }
  }
}
