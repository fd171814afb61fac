import { BEGINNINGS, hashed, isAt } from "./literals.js";
import { SIGNS } from "./sign-list.js";

interface Table {
  /** By the hash of three characters: the number of its line, from 1 on; 0 where no sign begins so. */
  readonly numbers: Uint16Array;
  readonly groups: readonly (readonly string[])[];
}

let made: Table | undefined;

function makeTable(): Table {
  const { beginnings, lines } = SIGNS;
  const numbers = new Uint16Array(BEGINNINGS);
  for (let index = 0; index < beginnings.length; index += 1) numbers[beginnings.charCodeAt(index)] = index + 1;
  return { numbers, groups: lines.split("\n").map((line) => line.split("\t")) };
}

/**
 * One look at a text, or at so much of it: whether any rule may have something to do there. False for nearly all texts.
 * Not at a slice of it: V8 takes twice as long to get at the characters of one.
 */
export function mayHoldSecret(text: string, most: number = text.length): boolean {
  made ??= makeTable();
  const { numbers, groups } = made;
  const end = Math.min(most, text.length);
  for (let at = 0, hash = 0; at < end; at += 1) {
    hash = hashed(hash, text.charCodeAt(at));
    const number = numbers[hash] ?? 0;
    if (number === 0 || at < 2) continue;
    const group = groups[number - 1] ?? [];
    for (let index = 0; index < group.length; index += 1) if (isAt(text, at - 2, group[index] ?? "")) return true;
  }
  return false;
}
