import { idAt, type JsonObject, objectAt, oneLine, parseJson, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { addBounded } from "../memory.js";

export interface SavedTitles {
  readonly waiting: readonly (readonly [string, string])[];
  readonly isNamed: boolean;
}

const MOST_WAITING = 50;
const TITLE_MAX = 120;

/**
 * Titles are lines of their own. Older versions wrote them as the summary of a conversation, named by its last line,
 * also into files of other conversations: such a title counts once the line it names is seen.
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

  get isWaiting(): boolean {
    return this.#waiting.size > 0 && !this.#isNamed;
  }

  named(record: JsonObject): Fact | undefined {
    return given(this.#waiting.get(idAt(record.uuid) ?? ""));
  }

  read(record: JsonObject, isKnown: (uuid: string) => boolean): Fact | undefined {
    const { type } = record;
    if (type === "custom-title") return this.#name(record.customTitle);
    if (this.#isNamed || typeof type !== "string") return undefined;
    if (type === "summary") return this.#summary(record, isKnown);
    return type.endsWith("-title") ? given(record.aiTitle ?? record.title) : undefined;
  }

  #name(value: unknown): Fact | undefined {
    const title = given(value);
    this.#isNamed ||= title !== undefined;
    return title;
  }

  #summary(record: JsonObject, isKnown: (uuid: string) => boolean): Fact | undefined {
    const leaf = idAt(record.leafUuid);
    const title = titleAt(record.summary);
    if (leaf === undefined || title === undefined) return undefined;
    if (isKnown(leaf)) return given(title);
    addBounded(this.#waiting, leaf, title, MOST_WAITING);
    return undefined;
  }
}

function given(value: unknown): Fact | undefined {
  const title = titleAt(value);
  return title === undefined ? undefined : { type: "title.given", title, by: "agent" };
}

/** Some versions kept the model's whole answer, a JSON object with a title in it. */
function titleAt(value: unknown): string | undefined {
  const text = textAt(value);
  const inside = text?.startsWith("{") ? textAt(objectAt(parseJson(text)).title) : undefined;
  return oneLine(inside ?? text, TITLE_MAX);
}

/** Sub-agents have files of their own since 2.0. */
export function isClaudeAgentFile(file: string): boolean {
  return /^agent-[^/]*\.jsonl$/.test(file);
}
