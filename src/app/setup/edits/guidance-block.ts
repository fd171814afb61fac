import { ok } from "../../../core/result.js";
import { GUIDANCE } from "../../../core/text/guidance-text.js";
import type { FileEdit } from "../agents/agent.js";
import { styleOf } from "./json-document.js";

const BEGIN = "<!-- milepost: written by milepost setup, removed by milepost unsetup -->";
const END = "<!-- /milepost -->";
const BLOCK = new RegExp(`${BEGIN}[\\s\\S]*?${END}(?:\\r?\\n)?`);

/** Our guidance as a marked block at the end of the file an agent reads in every session. */
export function guidanceEdit(file: string): FileEdit {
  return {
    file,
    wire(text, { guidance }) {
      const isThere = text !== undefined && BLOCK.test(text);
      if (!guidance && !isThere)
        return ok({
          text,
          notes: [`milepost setup --guidance adds advice on when to keep a list to ${file}.`],
        });
      const { eol } = styleOf(text ?? "");
      const block = `${[BEGIN, ...GUIDANCE.split("\n"), END].join(eol)}${eol}`;
      if (isThere) return ok({ text: text.replace(BLOCK, () => block), notes: [] });
      return ok({ text: `${text ?? ""}${gap(text ?? "", eol)}${block}`, notes: [] });
    },
    unwire: (text) => ok({ text: text.replace(new RegExp(`(?<=^|\\n)(?:\\r?\\n)?${BLOCK.source}`), ""), notes: [] }),
  };
}

function gap(text: string, eol: string): string {
  if (text.trim() === "") return "";
  return text.endsWith("\n") ? eol : eol + eol;
}
