import { ok } from "../../../core/result.js";
import { guidanceText } from "../../../core/text/guidance-text.js";
import type { FileEdit } from "../agents/agent.js";
import { appendRows, styleOf } from "./json-document.js";

const BEGIN = "<!-- milepost: written by milepost setup, removed by milepost unsetup -->";
const END = "<!-- /milepost -->";
const BLOCK = new RegExp(`${BEGIN}[\\s\\S]*?${END}(?:\\r?\\n)?`);

/**
 * Our guidance as a marked block at the end of the file an agent reads in every session: only where the model keeps
 * the agent's own list. Beside our tool the server's instructions say the same, and both clients pass them on.
 */
export function guidanceEdit(file: string, ownTools: string): FileEdit {
  const unwired = (text: string) => text.replace(new RegExp(`(?<=^|\\n)(?:\\r?\\n)?${BLOCK.source}`), "");
  return {
    file,
    wire(text, { guidance, offer }) {
      const isThere = text !== undefined && BLOCK.test(text);
      if (offer.todo === "ours") {
        const said = `--guidance adds nothing to ${file}: the tool's own instructions already say it to the model.`;
        return ok({ text: isThere ? unwired(text) : text, notes: guidance ? [said] : [] });
      }
      if (!guidance && !isThere) return ok({ text, notes: [] });
      const rows = [BEGIN, ...guidanceText(ownTools).split("\n"), END];
      if (!isThere) return ok({ text: appendRows(text ?? "", rows), notes: [] });
      const { eol } = styleOf(text);
      return ok({ text: text.replace(BLOCK, () => `${rows.join(eol)}${eol}`), notes: [] });
    },
    unwire: (text) => ok({ text: unwired(text), notes: [] }),
  };
}

/** The one of an agent's files that this block is for. */
export function isGuidanceFile(file: string): boolean {
  return file.endsWith(".md");
}
