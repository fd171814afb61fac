import { commandOf, isInputTyped } from "../../session/process-life.js";

// Qwen Code tells hooks nothing about who sits before it, but Linux shows how it was started.

/** Somebody asks it once and reads what it says last: with a prompt among its words, or with one in a pipe. */
export function isAskedOnce(client: string): boolean {
  const words = wordsOf(commandOf(client));
  if (words.some((word) => STAYS.test(word))) return false;
  return words.some((word) => PROMPT.test(word)) || hasQuery(words) || isInputTyped(client) === false;
}

const STAYS = /^(?:-i|--prompt-interactive(?:=.*)?|--acp|--experimental-acp)$/s;
const PROMPT = /^(?:-p|--prompt(?:=.*)?)$/s;

/** Behind the program and its script. */
function wordsOf(command: readonly string[]): readonly string[] {
  const script = command.findIndex((word) => /(?:\.[cm]?js|(?:^|\/)qwen)$/.test(word));
  return command.slice(Math.max(0, script) + 1);
}

/** Flags without a value: what stands behind one is no part of it. */
const SWITCHES = new Set(
  `-d --debug --bare --safe-mode --insecure --chat-recording -s --sandbox -y --yolo --experimental-lsp -l
  --list-extensions --openai-logging --screen-reader --include-partial-messages -c --continue --fork-session
  --telemetry --telemetry-log-prompts`.split(/\s+/),
);

function hasQuery(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const before = words[at - 1] ?? "";
    const isValue = before.startsWith("-") && before !== "--" && !before.includes("=") && !SWITCHES.has(before);
    return !word.startsWith("-") && word !== "" && !isValue;
  });
}
