import { stickyWindow } from "../../src/dialects/oh-my-pi/panel.js";
import type { PiTask } from "../../src/dialects/oh-my-pi/pi-phases.js";
import { type RenderOptions, renderCall, renderResult, type TodoResult } from "../../src/dialects/oh-my-pi/render.js";
import { roman } from "../../src/dialects/oh-my-pi/todo-line.js";
import { type Line, marked, plain } from "../../src/dialects/styled-line.js";
import { type Case, type Check, mismatches, type Row } from "./case.js";

/** What the tool told its model about a list without tasks; the vectors do not say it again. */
const CLEARED = "Todo list cleared.";

export const renderCheck: Check = async (testCase) => mismatches(KINDS[String(testCase.kind)]?.(testCase) ?? UNKNOWN);

const UNKNOWN: readonly Row[] = [{ expected: "a kind that is known", actual: "another one" }];

const KINDS: Readonly<Record<string, (testCase: Case) => readonly Row[]>> = {
  call: (testCase) => lineRows(testCase, renderCall(testCase.args)),
  result: (testCase) => {
    const text = typeof testCase.text === "string" ? testCase.text : CLEARED;
    const result = { text, ...(testCase.details as TodoResult) };
    return lineRows(testCase, renderResult(result, testCase.options as RenderOptions));
  },
  roman: ({ values }) =>
    Object.entries(values as object).map(([count, expected]) => ({ expected, actual: roman(Number(count)) })),
  stickyWindow: ({ tasks, max, visible, hiddenOpenCount }) => [
    {
      expected: { visible, hiddenOpenCount },
      actual: stickyWindow(tasks as readonly PiTask[], max as number | undefined),
    },
  ],
};

function lineRows(testCase: Case, lines: readonly Line[]): readonly Row[] {
  const rows = [{ expected: testCase.plain, actual: lines.map(plain) }];
  return "marked" in testCase ? [...rows, { expected: testCase.marked, actual: lines.map(marked) }] : rows;
}
