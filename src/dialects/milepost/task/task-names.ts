import { type Complain, readReferences } from "../spelling.js";

/** How a call names a task: by number, or as the one that the caller holds. */
export type TaskName = number | "held";

/** 3, "3", "#3", [3,4], "3-5", true for the one that is held. */
export function readTaskNumbers(field: string, value: unknown, complain: Complain): readonly TaskName[] {
  const names: TaskName[] = [];
  for (const reference of readReferences(field, value, complain, "tasks")) {
    if (typeof reference === "number") names.push(reference);
    else if (reference === "focus") names.push("held");
    else {
      complain(`"${field}" takes the numbers of tasks, such as 3 or [3,4]; {"list":"words"} finds them.`);
      return [];
    }
  }
  if (names.length > MOST_NAMED) complain(`"${field}" takes at most ${MOST_NAMED} tasks a call.`);
  return [...new Set(names)];
}

const MOST_NAMED = 100;

export function readOne(field: string, value: unknown, complain: Complain): TaskName | undefined {
  const names = readTaskNumbers(field, value, complain);
  if (names.length > 1) complain(`"${field}" takes one task a call.`);
  return names[0];
}

/** A fence only grows from 1; what is none must not be passed over, or a late call would count. */
export function readFence(value: unknown, complain: Complain): number | undefined {
  if (value === undefined) return undefined;
  const fence = typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  if (typeof fence === "number" && Number.isSafeInteger(fence) && fence > 0) return fence;
  complain('"fence" takes the number that your claim was answered with.');
  return undefined;
}
