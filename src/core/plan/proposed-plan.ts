// Codex in plan mode: the model writes its plan into its answer, between two tags. The rules are those of the client
// itself, which takes the plan out of the text while it arrives. In other modes the tags are text: nobody asks here.

const OPENING = "<proposed_plan>";
const CLOSING = "</proposed_plan>";

/** A line of nothing but blanks and a tag is not held back longer than this: then it is text. */
const LINE_MAX = 4096;

/** Blanks are white space as Unicode has it: `trim` would also take U+FEFF, and leave U+0085. */
const TAG_LINE = /^\p{White_Space}*(<?\/?[a-z_]*>?)\p{White_Space}*$/u;
const ONLY_BLANKS = /^\p{White_Space}*$/u;

export interface PlanDelta {
  /** `text`: what the agent says beside its plan. */
  readonly channel: "text" | "plan";
  readonly delta: string;
}

export interface ParsedMessage {
  /** What the end of the message made sure. */
  readonly deltas: readonly PlanDelta[];
  /** The message without its plans; empty for one that has only blanks beside them. */
  readonly text: string;
  /** The text of the last block; undefined without any. */
  readonly plan: string | undefined;
}

/** The plan of one message. Pieces in, pieces out: however a message is cut, they join to the same texts. */
export class ProposedPlanParser {
  /** The beginning of a line that may still become a tag; undefined in the middle of any other line. */
  #line: string | undefined = "";
  /** Half of a character that the last piece ended in. */
  #half = "";
  #text = "";
  /** Blanks before the first word. */
  #blanks = "";
  #plan: string | undefined;
  #isInside = false;
  /** The next delta does not go on with the last one: a tag was between them. */
  #isApart = false;
  #deltas: PlanDelta[] = [];

  push(piece: string): readonly PlanDelta[] {
    const joined = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? "";
    this.#read(this.#half === "" ? joined : joined.slice(0, -1));
    return this.#take();
  }

  /** The last line needs no newline to be a tag, and a block no end. */
  end(): ParsedMessage {
    this.#read(this.#half);
    const line = this.#line ?? "";
    if (!this.#isTag(line)) this.#say(line);
    return { deltas: this.#take(), text: this.#text, plan: this.#plan };
  }

  #read(piece: string): void {
    let from = 0;
    while (from < piece.length) {
      const end = piece.indexOf("\n", from) + 1;
      this.#readLine(piece.slice(from, end || piece.length), end > 0);
      from = end || piece.length;
    }
  }

  /** A line, or so much of it as there is. */
  #readLine(part: string, isWhole: boolean): void {
    if (this.#line === undefined) this.#say(part);
    else {
      const line = this.#line + part;
      if (!isWhole && isPerhapsTag(line)) {
        this.#line = line;
        return;
      }
      if (!(isWhole && this.#isTag(line.slice(0, -1)))) this.#say(line);
    }
    this.#line = isWhole ? "" : undefined;
  }

  /** A tag that makes sense here: it is taken, with its line. */
  #isTag(line: string): boolean {
    if (tagIn(line) !== (this.#isInside ? CLOSING : OPENING)) return false;
    this.#isInside = !this.#isInside;
    if (this.#isInside) this.#plan = "";
    this.#isApart = true;
    return true;
  }

  #say(words: string): void {
    if (words === "") return;
    if (this.#isInside) {
      this.#plan += words;
      this.#tell("plan", words);
    } else if (this.#text === "" && ONLY_BLANKS.test(words)) this.#blanks += words;
    else {
      const delta = this.#blanks + words;
      this.#blanks = "";
      this.#text += delta;
      this.#tell("text", delta);
    }
  }

  #tell(channel: PlanDelta["channel"], words: string): void {
    const last = this.#isApart ? undefined : this.#deltas.at(-1);
    if (last?.channel === channel) this.#deltas[this.#deltas.length - 1] = { channel, delta: last.delta + words };
    else this.#deltas.push({ channel, delta: words });
    this.#isApart = false;
  }

  #take(): readonly PlanDelta[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    return deltas;
  }
}

/** What stands between the blanks of a line, if it can be a tag or a part of one; empty for blanks alone. */
function tagIn(line: string): string | undefined {
  return line.length > LINE_MAX ? undefined : TAG_LINE.exec(line)?.[1];
}

/** So far it is nothing but blanks, or the beginning of a tag. Blanks behind that may be the end of the line. */
function isPerhapsTag(line: string): boolean {
  const start = tagIn(line);
  return start !== undefined && (OPENING.startsWith(start) || CLOSING.startsWith(start));
}

/** The plan in a whole message. */
export function proposedPlanIn(message: string): string | undefined {
  if (!message.includes(OPENING)) return undefined;
  const parser = new ProposedPlanParser();
  parser.push(message);
  return parser.end().plan;
}
