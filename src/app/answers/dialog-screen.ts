import type { Asked } from "../../core/session/state/reason.js";

// What a client's dialog asks, read from its screen. Models write questions, labels and commands: whatever does not
// look exactly as a real client drew it (test/real-clients/answers.test.ts) is no dialog, and gets no key.

export interface Dialog {
  /** The question or the command, all of it, without blanks. */
  readonly subject: string;
  /** The first one has the number 1, as on the screen. */
  readonly choices: readonly string[];
}

interface Look {
  /** The last row of the screen: below a text of the model there would be the client's prompt. */
  readonly foot: RegExp;
  /** The rows of the subject, among those above the choices. */
  readonly subject: (above: readonly string[]) => readonly string[] | undefined;
  /** Choices of the client's own that need more than a key. */
  readonly others?: RegExp;
}

/** The clients and questions that were tried: a number key answers at once, and the model reads that answer. */
const LOOKS: Readonly<Record<string, Readonly<Partial<Record<Asked, Look>>>>> = {
  "claude-code": {
    question: {
      foot: /^Enter to select · ↑\/↓ to navigate/,
      subject: (above) => {
        const at = above.findLastIndex((row) => /^─{20,}$/.test(row));
        const from = above.findIndex((row, place) => place > at && row.startsWith("│"));
        return from < 0 ? undefined : above.slice(from);
      },
      others: /^(?:Type something|Chat about this)/,
    },
    permission: {
      foot: /^Esc to cancel · /,
      subject: (above) => {
        const rules = above.flatMap((row, at) => (/^╌{20,}$/.test(row) ? [at] : []));
        const [from = 0, to = 0] = rules;
        const asked = above.slice(to + 1).filter(isFilled);
        // A command that draws such a rule itself would be read in part.
        return rules.length === 2 && asked.join() === "Do you want to proceed?" ? above.slice(from + 1, to) : undefined;
      },
    },
  },
  codex: {
    question: {
      foot: /enter to submit answer/,
      subject: (above) => below(above, /^Question 1\/1 \(1 unanswered\)$/),
      others: /^None of the above$/,
    },
    permission: {
      foot: /^Press enter to confirm or esc to cancel$/,
      subject: (above) => {
        const rows = below(above, /^Would you like to run the following command\?$/);
        const from = rows?.findIndex((row) => row.startsWith("$ ")) ?? -1;
        return rows && from >= 0 ? [rows[from]?.slice(2) ?? "", ...rows.slice(from + 1)] : undefined;
      },
    },
  },
};

/** Whether a number key answers it, and a test with the real client has shown that. */
export function isAnsweredByKey(agent: string, kind: Asked): boolean {
  return lookOf(agent, kind) !== undefined;
}

function lookOf(agent: string, kind: Asked): Look | undefined {
  return Object.hasOwn(LOOKS, agent) ? LOOKS[agent]?.[kind] : undefined;
}

/** The dialog at the end of a screen; undefined where there is none of this kind. */
export function readDialog(agent: string, kind: Asked, screen: string): Dialog | undefined {
  const look = lookOf(agent, kind);
  const rows = screen.trimEnd().split("\n");
  if (!look?.foot.test(rows.at(-1)?.trim() ?? "")) return undefined;
  const first = rows.findLastIndex((row) => CHOICE.exec(row)?.groups?.number === "1");
  const subject = first < 0 ? undefined : look.subject(rows.slice(0, first).map((row) => row.trim()));
  if (!subject) return undefined;
  const choices = choicesIn(rows.slice(first)).filter((label) => !look.others?.test(label));
  return { subject: squeezed(subject.join("")), choices };
}

const CHOICE = /^(?<margin> *(?:[❯›] )?)(?<number>[1-9])\. (?<label>\S.*)$/;

/** Numbered one after the other, in the same column: what goes on below a label is indented deeper. */
function choicesIn(rows: readonly string[]): readonly string[] {
  const labels: string[] = [];
  let column: number | undefined;
  for (const row of rows) {
    const { margin = "", number, label = "" } = CHOICE.exec(row)?.groups ?? {};
    column ??= margin.length;
    // A description stands behind its label, two blanks apart.
    if (margin.length === column && Number(number) === labels.length + 1) labels.push(label.split(/ {2,}/)[0] ?? "");
  }
  return labels;
}

/** What stands below the only row of this kind; where there are two, a text has forged one. */
function below(rows: readonly string[], head: RegExp): readonly string[] | undefined {
  const heads = rows.flatMap((row, at) => (head.test(row) ? [at] : []));
  return heads.length === 1 ? rows.slice((heads[0] ?? 0) + 1) : undefined;
}

function isFilled(row: string): boolean {
  return row !== "";
}

/** Without blanks and bars: rows are broken where the screen ends. */
export function squeezed(text: string): string {
  return text.replace(/[\s│]/g, "");
}
