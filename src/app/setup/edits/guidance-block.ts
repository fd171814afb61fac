import { ok } from "../../../core/result.js";
import { GUIDANCE } from "../../../core/text/guidance-text.js";
import type { FileEdit } from "../agents/agent.js";
import { appendRows, styleOf } from "./json-document.js";

const BEGIN = "<!-- milepost: written by milepost setup, removed by milepost unsetup -->";
const END = "<!-- /milepost -->";
const BLOCK = new RegExp(`${BEGIN}[\\s\\S]*?${END}(?:\\r?\\n)?`);

/** Our guidance as a marked block at the end of the file an agent reads in every session. */
export function guidanceEdit(file: string): FileEdit {
  return {
    file,
    wire(text, { guidance }) {
      const isThere = text !== undefined && BLOCK.test(text);
      const advice = `milepost setup --guidance adds advice on when to keep a list to ${file}.`;
      if (!guidance && !isThere) return ok({ text, notes: [advice] });
      const rows = [BEGIN, ...GUIDANCE.split("\n"), END];
      if (!isThere) return ok({ text: appendRows(text ?? "", rows), notes: [] });
      const { eol } = styleOf(text);
      return ok({ text: text.replace(BLOCK, () => `${rows.join(eol)}${eol}`), notes: [] });
    },
    unwire: (text) => ok({ text: text.replace(new RegExp(`(?<=^|\\n)(?:\\r?\\n)?${BLOCK.source}`), ""), notes: [] }),
  };
}
