import { SETTINGS } from "../../src/app/settings/setting-entries.js";
import type { SettingEntry, Tightness } from "../../src/app/settings/setting-entry.js";
import { valueText } from "../../src/app/settings/settings-check.js";
import { DEFAULT_SETTINGS } from "../../src/app/settings.js";

/** What docs/settings.md says of every setting: made from the entries. */
export function settingsTable(): string {
  const rows = SETTINGS.map((entry) => [
    `\`${entry.name}\``,
    sentence(entry.summary),
    entry.takes.replace(/^use /, ""),
    `\`${valueText(entry.read(DEFAULT_SETTINGS))}\``,
    entry.variable === undefined ? "none" : `\`${entry.variable}\``,
    projectText(entry),
  ]);
  const head = ["setting", "what it does", "takes", "default", "variable", "a project may"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}

function projectText({ tighter }: SettingEntry): string {
  return tighter === undefined ? "not set it" : directionText(tighter);
}

function directionText(tighter: Tightness): string {
  if (tighter === "smaller") return "make it smaller";
  const words = tighter.map((value) => `\`${valueText(value)}\``);
  return words.length === 2 ? `only set it to ${words[1]}` : `go from left to right: ${words.join(", ")}`;
}
