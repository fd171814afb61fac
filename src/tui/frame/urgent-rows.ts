import { wrapWords } from "../../app/terminal/text-width.js";
import type { SessionReport } from "../../app/transcripts/session-report.js";
import type { World } from "../world.js";
import { type Canvas, drawText, type Style, safeText } from "./cells.js";
import { alertWords, askedWords } from "./session-words.js";

interface Urgent {
  readonly text: string;
  readonly style: Style;
}

/** What the person should read before anything else of a session: what it asks, what is wrong, what may be done. */
export function urgentRows(session: SessionReport, world: World, canvas: Canvas): readonly string[] {
  const said = [...asks(session), ...alerts(session), ...refusal(session), ...offers(session), ...trouble(world)];
  return said.flatMap(({ text, style }) =>
    wrapWords(safeText(text), canvas.columns - INDENT.length)
      .slice(0, MOST_ROWS)
      .map((row) => drawText(INDENT + row, canvas, style)),
  );
}

const INDENT = "  ";
const MOST_ROWS = 4;

function asks(session: SessionReport): readonly Urgent[] {
  const asked = askedWords(session);
  if (asked === undefined) return [];
  const choices = session.waitingFor?.choices ?? [];
  const numbered = choices.map((choice, at) => `${at + 1} ${choice}`);
  return [
    { text: `asks: ${asked}`, style: "yellow" },
    ...(numbered.length === 0 ? [] : [{ text: numbered.join("   "), style: "bold" as const }]),
  ];
}

function alerts(session: SessionReport): readonly Urgent[] {
  const alert = alertWords(session);
  return alert === undefined || session.state === "ended" ? [] : [{ text: alert, style: "red" }];
}

function refusal({ refusal }: SessionReport): readonly Urgent[] {
  if (refusal === null) return [];
  return [{ text: `The last write to the list failed${refusal === "" ? "." : `: ${refusal}`}`, style: "red" }];
}

function offers({ offers }: SessionReport): readonly Urgent[] {
  return offers.map(({ todo, text, agent, kind }) => {
    return { text: `${kind} ${todo} may be done, sub-agent ${agent} has ended: ${text}`, style: "yellow" };
  });
}

function trouble({ trouble }: World): readonly Urgent[] {
  return trouble === undefined ? [] : [{ text: trouble, style: "red" }];
}
