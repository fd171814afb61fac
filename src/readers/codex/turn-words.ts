import { redactStart } from "../../core/secrets/redact.js";
import type { CodexThread } from "./thread.js";

/** The client writes these in the person's name. */
const INJECTED =
  /^\s*(?:<\/?(?:environment_context|environment_update|user_instructions|subagent_notification|hook_prompt|turn_aborted|skill|user_shell_command|recommended_plugins|goal_context|codex_internal_context|permissions instructions|collaboration_mode)\b|# AGENTS\.md)/;

export function isInjected(text: string): boolean {
  return INJECTED.test(text);
}

/** For messages to the model: an unknown tag may be the client's, too. */
export function isClearlyPersons(text: string): boolean {
  return !/^\s*<[a-z]/i.test(text) && !isInjected(text);
}

/** Editors write what is open in them above what the person typed. */
const REQUEST_MARK = "## My request for Codex:";

export function requestIn(text: string): string {
  const at = text.indexOf(REQUEST_MARK);
  return at < 0 ? text : text.slice(at + REQUEST_MARK.length);
}

/** What the client says for a person who takes a plan. */
export const APPROVAL = "Implement the plan.";

export interface SavedWords {
  /** The client says what a person said: then messages to the model need no guessing. */
  readonly isTold: boolean;
  /** A message to the model that seems to be a person's, until it is clear whether the client says so. */
  readonly perhaps: string | null;
}

const PERHAPS_MAX = 2000;

/** What a person says in a rollout. It stands there as it went to the model, and then mostly as what it is. */
export class PersonsWords {
  #saved: SavedWords;

  constructor(saved: SavedWords = { isTold: false, perhaps: null }) {
    this.#saved = saved;
  }

  /** What a person said is not kept, but for the words that take a plan: then it is enough that something was said. */
  save(): SavedWords {
    const { isTold, perhaps } = this.#saved;
    return { isTold, perhaps: perhaps === null || perhaps === APPROVAL ? perhaps : "" };
  }

  hear(thread: CodexThread, words: string): void {
    this.#saved = { isTold: true, perhaps: null };
    thread.hearPerson(words);
  }

  perhapsHear(words: string): void {
    const { isTold, perhaps } = this.#saved;
    if (isTold || perhaps !== null || !isClearlyPersons(words)) return;
    this.#saved = { isTold, perhaps: redactStart(words, PERHAPS_MAX).toWellFormed() };
  }

  /** The agent has begun to answer, and nothing else has said that a person spoke. */
  believe(thread: CodexThread): void {
    const { isTold, perhaps } = this.#saved;
    if (perhaps === null) return;
    this.#saved = { isTold, perhaps: null };
    thread.hearPerson(perhaps);
  }
}
