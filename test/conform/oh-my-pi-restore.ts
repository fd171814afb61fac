import { resumedList } from "../../src/core/todo/carried-list.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import { phasesOf } from "../../src/dialects/oh-my-pi/pi-phases.js";
import { Transcript } from "../../src/readers/transcript.js";
import { type Check, mismatches } from "./case.js";

/** A transcript as the product reads it, and what a resumed session makes of its list. */
export const restoreOhMyPi: Check = async ({ lines, latest, resumed }) => {
  const list = listIn(Array.isArray(lines) ? lines : []);
  return mismatches([
    { expected: latest, actual: phasesOf(list) },
    { expected: resumed, actual: phasesOf(resumedList(list)) },
  ]);
};

function listIn(lines: readonly unknown[]): TodoList {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const read = (isThorough: boolean) => {
    const transcript = new Transcript({ file: "session.jsonl", isThorough });
    transcript.push(Buffer.from(text));
    return transcript;
  };
  const quick = read(false);
  const [view] = (quick.isLost ? read(true) : quick).views.values();
  return view?.list ?? EMPTY_LIST;
}
