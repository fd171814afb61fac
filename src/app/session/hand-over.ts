import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { objectAt, parseJson } from "../../core/json.js";
import { redact } from "../../core/secrets/redact.js";
import type { ToldWord } from "../../core/session/events.js";
import { INTRODUCTION, wordLine } from "../../core/session/told-words.js";
import { cutCodePoints } from "../../core/text/length.js";
import { readPlainOr } from "../read-plain.js";
import type { Environment } from "../store-place.js";
import { numberHere } from "./process-life.js";
import type { KnownSession } from "./session-view.js";

/** Where the client's programs and files are looked for. */
export interface ClientPlace {
  readonly environment: Environment;
  readonly userFolder: string;
}

export interface HandedOver {
  /** `kept`: the client hands it on, sooner or later. `tried`: it may refuse, and only its hooks tell. */
  readonly outcome: "kept" | "tried" | "failed";
  /** What went wrong, in one line. */
  readonly note?: string;
}

/** Milliseconds. */
const LIMIT = { codex: 5000, claude: 1000 };

/**
 * Gives a word to an idle session by the client's own way for that; undefined where there is none. Both were tried with
 * the real clients: they begin a turn with it, and report it to the prompt's hook.
 */
export function handOver(known: KnownSession, word: ToldWord, place: ClientPlace): Promise<HandedOver> | undefined {
  // What is stored is redacted, and is what the hook compares the prompt with.
  const line = wordLine({ text: redact(word.text), by: word.by && redact(word.by) });
  if (known.session.client === "codex") return queueInCodex(known.id, line, place);
  const socket = known.session.client === "claude-code" ? claudeSocket(known, place) : undefined;
  return socket === undefined ? undefined : sendToClaude(socket, `${INTRODUCTION}${line}`);
}

/** `codex queue` writes into Codex's own queue; a running Codex looks there at least every ten seconds. */
function queueInCodex(thread: string, line: string, { environment, userFolder }: ClientPlace): Promise<HandedOver> {
  const words = ["queue", `--thread=${thread}`, `--message=${line}`];
  // Never by a shell, and not in a project's folder: it could bring settings of its own.
  const options = { env: { ...environment }, cwd: userFolder, timeout: LIMIT.codex, windowsHide: true };
  return new Promise((resolve) => {
    const child = execFile("codex", words, options, (error, _, said) => {
      const why = said.trim().split("\n").at(-1) || error?.message || "";
      resolve(
        error ? { outcome: "failed", note: `codex queue: ${cutCodePoints(redact(why), 200)}` } : { outcome: "kept" },
      );
    });
    child.stdin?.end();
  });
}

/** A running Claude Code says in its folder which session it is in, whether it is idle, and where it listens. */
function claudeSocket({ id, session }: KnownSession, { environment, userFolder }: ClientPlace): string | undefined {
  const number = numberHere(session.process);
  const folder = environment.CLAUDE_CONFIG_DIR || join(userFolder, ".claude");
  const file = join(folder, "sessions", `${number}.json`);
  const { sessionId, status, messagingSocketPath: path } = objectAt(parseJson(readPlainOr(file, "")));
  const isMeant = number !== undefined && sessionId === id && status === "idle";
  return isMeant && typeof path === "string" && isAbsolute(path) && isOwnSocket(path) ? path : undefined;
}

function isOwnSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === userInfo().uid;
}

/** As another session's message: Claude Code says so to the model, and a person may have it refused or held. */
function sendToClaude(path: string, content: string): Promise<HandedOver> {
  const message = { type: "user", message: { role: "user", content } };
  return new Promise((resolve) => {
    const socket = connect(path);
    const fail = (why: string) => {
      socket.destroy();
      resolve({ outcome: "failed", note: `Claude Code's socket: ${why}` });
    };
    socket.setTimeout(LIMIT.claude, () => fail("no answer"));
    socket.once("error", ({ message: why }) => fail(why));
    socket.once("close", () => resolve({ outcome: "tried" }));
    socket.end(`${JSON.stringify(message)}\n`);
    // Whatever it answers is not for us; unread it would keep the connection open.
    socket.resume();
  });
}
