import type { Fact } from "../core/session/observation.js";
import { idAt, isObject, type JsonObject, oneLine, textAt } from "./json.js";

export interface SavedTitles {
  readonly waiting: readonly (readonly [string, string])[];
  readonly isNamed: boolean;
}

const MOST_WAITING = 50;
const TITLE_MAX = 120;

/**
 * Titles are lines of their own. Older versions wrote them as the summary of a conversation, named by its last line, also
 * into files of other conversations: such a title counts once the line it names is seen.
 */
export class Titles {
  readonly #waiting: Map<string, string>;
  /** A person gave it a name; the model's title is written again and again, also after it. */
  #isNamed: boolean;

  constructor(saved?: SavedTitles) {
    this.#waiting = new Map(saved?.waiting);
    this.#isNamed = saved?.isNamed ?? false;
  }

  save(): SavedTitles {
    return { waiting: [...this.#waiting], isNamed: this.#isNamed };
  }

  read(record: JsonObject, isKnown: (uuid: string) => boolean): readonly Fact[] {
    const { type } = record;
    if (type === "custom-title") return this.#name(record.customTitle);
    if (this.#isNamed) return [];
    if (type === "summary") return this.#summary(record, isKnown);
    if (typeof type === "string" && type.endsWith("-title")) return given(record.aiTitle ?? record.title);
    const title = this.#waiting.size === 0 ? undefined : this.#waiting.get(idAt(record.uuid) ?? "");
    return title === undefined ? [] : given(title);
  }

  #name(value: unknown): readonly Fact[] {
    const facts = given(value);
    this.#isNamed ||= facts.length > 0;
    return facts;
  }

  #summary(record: JsonObject, isKnown: (uuid: string) => boolean): readonly Fact[] {
    const leaf = idAt(record.leafUuid);
    const title = titleAt(record.summary);
    if (leaf === undefined || title === undefined) return [];
    if (isKnown(leaf)) return given(title);
    this.#waiting.set(leaf, title);
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(this.#waiting.keys().next().value ?? "");
    return [];
  }
}

function given(value: unknown): readonly Fact[] {
  const title = titleAt(value);
  return title === undefined ? [] : [{ type: "title.given", title, by: "agent" }];
}

/** Some versions kept the model's whole answer, a JSON object with a title in it. */
function titleAt(value: unknown): string | undefined {
  const text = textAt(value);
  return oneLine(text?.startsWith("{") ? (titleIn(text) ?? text) : text, TITLE_MAX);
}

function titleIn(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) ? textAt(answer.title) : undefined;
  } catch {
    return undefined;
  }
}

/** Sub-agents have files of their own since 2.0. */
export function isClaudeAgentFile(file: string): boolean {
  return /^agent-[^/]*\.jsonl$/.test(file);
}
