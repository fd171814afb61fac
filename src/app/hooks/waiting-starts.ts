import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isId } from "../../core/id.js";
import { isObject, listAt, objectAt, parseJson } from "../../core/json.js";
import type { Result } from "../../core/result.js";
import { redact } from "../../core/secrets/redact.js";
import { realPath, refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { writeLog } from "../log-file.js";
import { readPlain, readPlainOr } from "../read-plain.js";
import { processName } from "../session/process-life.js";
import type { Said } from "../session/record-sighting.js";
import { hasWaitingStarts, startsFolder } from "../spool/spool-place.js";
import type { Environment } from "../store-place.js";
import { readToolInput } from "./hook-fields.js";
import { type HookInput, hookInputOf, readFields, readHookInput, withProcess } from "./hook-input.js";

const NAME = /^([1-9]\d{0,9})-[1-9]\d{0,9}\.(json|taken|words)$/;

/** Whoever took it in, and did not end that, was killed. */
const GIVEN_UP_MS = 5000;

/** A session that has not been heard of for so long has other things to say. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** More than this come with the next hook: an agent waits. */
const MOST_AT_ONCE = 50;

/** A start that waited, and when it was reported. */
export interface WaitedStart {
  readonly input: HookInput;
  readonly name: string;
  readonly at: number;
}

interface Waiting {
  readonly client: number;
  readonly kind: "json" | "taken" | "words";
  readonly file: string;
  readonly at: number;
}

/**
 * Takes in the starts that wait, the oldest first, and returns what is to be said about those of this session. What
 * `hear` throws is thrown, and that start waits on.
 */
export function takeStarts(
  environment: Environment,
  session: string | undefined,
  hear: (start: WaitedStart) => Promise<Said>,
): Promise<Said> {
  // A server hears hooks at the same time: the second one goes on when the start is there.
  const taken = taking.then(() => takeWaiting(environment, session, hear));
  taking = taken.catch(() => undefined);
  return taken;
}

let taking: Promise<unknown> = Promise.resolve();

async function takeWaiting(
  environment: Environment,
  session: string | undefined,
  hear: (start: WaitedStart) => Promise<Said>,
): Promise<Said> {
  const said: string[] = [];
  for (const waiting of waitingStarts(environment)) {
    if (waiting.kind === "words") {
      said.push(...owedWords(waiting.file, session));
      continue;
    }
    const taken = renamed(waiting.file, "taken");
    if (!moved(waiting.file, taken)) continue;
    const input = readStart(environment, taken, waiting);
    const start = input && { input, name: basename(taken, ".taken"), at: waiting.at };
    const words = start ? await heard(start, hear, () => moved(taken, renamed(taken, "json"))) : [];
    if (input?.session === session) said.push(...words);
    else if (input && words.length > 0) owe(taken, input.session, words);
    remove(taken);
  }
  return said;
}

async function heard(
  start: WaitedStart,
  hear: (start: WaitedStart) => Promise<Said>,
  putBack: () => void,
): Promise<Said> {
  try {
    return await hear(start);
  } catch (error) {
    putBack();
    throw error;
  }
}

function waitingStarts(environment: Environment): readonly Waiting[] {
  try {
    if (!hasWaitingStarts(environment)) return [];
    const folder = realPath(startsFolder(environment));
    refuseForeignFolder(folder);
    const names = readdirSync(folder);
    const found = names.flatMap((name) => waitingFile(folder, name)).sort((one, other) => one.at - other.at);
    // What a client told first is recorded first: the rest is for whoever is taking that in.
    const inHand = found.filter(({ kind }) => kind === "taken").map(({ client }) => client);
    const free = found.filter(({ kind, client }) => kind === "words" || !inHand.includes(client));
    return free.slice(0, MOST_AT_ONCE);
  } catch {
    // There is none yet, or it is not ours.
    return [];
  }
}

function waitingFile(folder: string, name: string): readonly Waiting[] {
  const [, client, kind] = NAME.exec(name) ?? [];
  const file = join(folder, name);
  const found = client === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return [];
  const waiting = { client: Number(client), at: Math.round(found.mtimeMs) };
  // Absolute difference: a clock that was set back must not keep it for ever.
  const isOlder = (time: number, milliseconds: number) => Math.abs(Date.now() - time) > milliseconds;
  if (kind === "words" && isOlder(found.mtimeMs, FORGOTTEN_MS)) remove(file);
  if (kind !== "taken") return [{ ...waiting, kind: kind as Waiting["kind"], file }];
  const free = renamed(file, "json");
  const isGivenUp = isOlder(found.ctimeMs, GIVEN_UP_MS) && moved(file, free);
  return [isGivenUp ? { ...waiting, kind: "json", file: free } : { ...waiting, kind: "taken", file }];
}

function readStart(environment: Environment, file: string, { client }: Waiting): HookInput | undefined {
  const process = processName(client);
  const input = readKept(readPlain(file), process, environment);
  if (input.ok && KEPT.includes(input.value.event)) return withProcess(input.value, process);
  writeLog(environment, "hook SessionStart", input.ok ? "the input that waited is no start" : input.error);
  return undefined;
}

/** A start, and the first prompt behind it. */
const KEPT = ["SessionStart", "UserPromptSubmit"];

/** As a hook tells it: by a command, or by a call of our server, which the shell that is to become it has kept. */
function readKept(text: string, process: string, environment: Environment): Result<HookInput, string> {
  const { method, params } = readFields(text) ?? {};
  if (method !== "tools/call") return readHookInput(text, process, environment);
  return hookInputOf(readToolInput(objectAt(params).arguments), process, environment);
}

/** The model that should hear them is another one's: its own next hook says them. */
function owe(taken: string, session: string, words: Said): void {
  const text = JSON.stringify({ session, words: words.map(redact) });
  try {
    writeFileSync(taken, text, { mode: 0o600 });
    renameSync(taken, renamed(taken, "words"));
  } catch {
    // A full disk: the start is recorded, and a word less is no loss of a fact.
  }
}

/** What a session was told where its model may not have read it: its next hook says it. */
export function oweWords(environment: Environment, { session, process, event }: HookInput, words: Said): void {
  if (words.length === 0) return;
  const client = /:(\d+)(?:\+|\?|$)/.exec(process)?.[1] ?? "1";
  const folder = startsFolder(environment);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseForeignFolder(realPath(folder));
    owe(join(folder, `${client}-${1 + Math.floor(Math.random() * 1e9)}.taken`), session, words);
  } catch (error) {
    writeLog(environment, `hook ${event}`, `nobody is told: ${error instanceof Error ? error.message : error}`);
  }
}

function owedWords(file: string, session: string | undefined): Said {
  if (session === undefined) return [];
  const owed = parseJson(readPlainOr(file, ""));
  const { session: whose, words } = isObject(owed) ? owed : { session: undefined, words: [] };
  if (whose !== session && isId(whose)) return [];
  // Of several that come at once, one says them.
  const own = renamed(file, "said");
  if (!moved(file, own)) return [];
  remove(own);
  return listAt(words).filter((word) => typeof word === "string");
}

function renamed(file: string, kind: string): string {
  return file.replace(/\.\w+$/, `.${kind}`);
}

/** False when somebody else was faster. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is taken in once more, and known by then.
  }
}
