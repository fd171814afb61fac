import type { Verdict } from "../../core/grounding/verdict.js";
import type { Output } from "../command-definition.js";
import { paint } from "./paint.js";

// A mark and its word: neither needs a colour to be read.

interface Look {
  readonly mark: string;
  readonly style: Parameters<typeof paint>[1];
}

const LOOKS: Readonly<Record<Verdict, Look>> = {
  verified: { mark: "✓", style: "green" },
  worked: { mark: "~", style: "dim" },
  unbacked: { mark: "?", style: "yellow" },
  contradicted: { mark: "✗", style: "red" },
  waived: { mark: "○", style: "dim" },
};

/** `✓ verified`. */
export function verdictText(verdict: Verdict): string {
  return `${LOOKS[verdict].mark} ${verdict}`;
}

/** For a screen that has no room for the word. */
export function verdictMark(verdict: Verdict): string {
  return LOOKS[verdict].mark;
}

export function paintVerdict(output: Output, verdict: Verdict): string {
  return paint(output, LOOKS[verdict].style, verdictText(verdict));
}

/** Two spaces and the verdict, behind a text; nothing where there is none. */
export function behindText(verdict: Verdict | null): string {
  return verdict === null ? "" : `  ${verdictText(verdict)}`;
}

/** What a person should look at. Worked on is not wrong, and verified is right. */
const TOLD: readonly Verdict[] = ["contradicted", "unbacked", "waived"];

/** `✗ 1 contradicted, ? 2 unbacked`; empty where nothing stands out. */
export function countedVerdicts(items: readonly { readonly verdict: Verdict | null }[]): string {
  const counts = TOLD.map((verdict) => [verdict, items.filter((item) => item.verdict === verdict).length] as const);
  const shown = counts.filter(([, count]) => count > 0);
  return shown.map(([verdict, count]) => `${LOOKS[verdict].mark} ${count} ${verdict}`).join(", ");
}
