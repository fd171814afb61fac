import { readdirSync } from "node:fs";

/** What is in a folder; nothing for one that is gone, or is not for us. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
