import { scalarText } from "../../core/json.js";
import { REMINDER_SETTINGS, type ReminderSettings } from "../../core/session/reminders.js";
import { agentNamed } from "../agent-aliases.js";
import type { Settings } from "../settings.js";
import { AGENT_NAME } from "./setting-words.js";

/** One setting: its name in files and in `milepost config`, the variable that overrides it, and what it may be. */
export interface SettingEntry {
  readonly name: string;
  /** None where whoever starts a command must not decide it. */
  readonly variable?: string | undefined;
  readonly summary: string;
  /** What it may be, for whoever gave it something else. */
  readonly takes: string;
  /**
   * A project's file may set it, in this direction only: to a smaller number, or to a word that comes later in the
   * list. Absent: a project may not set it. Nothing that names a command, a path, an address or a pattern, and nothing
   * that hides or loses something, may have one: the file comes with any repository that somebody clones.
   */
  readonly tighter?: Tightness;
  readonly read: (settings: Settings) => SettingValue;
  /** Undefined for a value that it cannot have. */
  readonly write: (settings: Settings, value: unknown) => Settings | undefined;
}

export type Tightness = "smaller" | readonly SettingValue[];

export type SettingValue = boolean | number | string;

/** Loosest first. */
export const OFF_THEN_ON: Tightness = [false, true];
export const ON_THEN_OFF: Tightness = [true, false];

/** Tightens nothing, whatever a person has. */
export function isLoosest(tightness: Tightness, value: SettingValue): boolean {
  return tightness === "smaller" ? value === COUNT_MAX : tightness[0] === value;
}

/** Strictly: the same value is no tighter. */
export function isTighter(tightness: Tightness, now: SettingValue, next: SettingValue): boolean {
  return tightness === "smaller" ? Number(next) < Number(now) : tightness.indexOf(next) > tightness.indexOf(now);
}

type Named = Pick<SettingEntry, "name" | "variable" | "summary" | "tighter">;

/** The most turns that anything is counted in. */
export const COUNT_MAX = 10_000;

const ON_OR_OFF = "use on or off";

/** `change` puts the value in its place in the settings. */
export function onOff(
  entry: Named,
  read: (settings: Settings) => boolean,
  change: (settings: Settings, value: boolean) => Settings,
): SettingEntry {
  return {
    ...entry,
    takes: ON_OR_OFF,
    read,
    write: (settings, value) => {
      const known = asSwitch(value);
      return known === undefined ? undefined : change(settings, known);
    },
  };
}

export function oneOf<Word extends string>(
  entry: Named & { readonly words: readonly Word[] },
  read: (settings: Settings) => Word,
  change: (settings: Settings, value: Word) => Settings,
): SettingEntry {
  const { words, ...named } = entry;
  return {
    ...named,
    takes: `use ${words.length === 2 ? words.join(" or ") : words.join(", ")}`,
    read,
    write: (settings, value) => {
      const known = words.find((one) => one === value);
      return known && change(settings, known);
    },
  };
}

export function wholeNumber(
  field: "digestTokens" | "clearAfter" | "panelClearAfter" | "taskStaleAfter" | "shortestLease",
  entry: Named & { readonly least: number; readonly most: number; readonly takes?: string },
): SettingEntry {
  const { least, most, ...named } = entry;
  return {
    takes: `use a whole number from ${least} to ${most}`,
    ...named,
    read: (settings) => settings[field],
    write: (settings, value) => {
      const number = asNumber(value, least, most);
      return number === undefined ? undefined : { ...settings, [field]: number };
    },
  };
}

/** A project may ask for more reminders, never for fewer. */
export function reminder(field: keyof ReminderSettings, entry: Omit<Named, "tighter">): SettingEntry {
  const isSwitch = typeof REMINDER_SETTINGS[field] === "boolean";
  return {
    ...entry,
    takes: isSwitch ? ON_OR_OFF : `use a whole number from 1 to ${COUNT_MAX}`,
    tighter: isSwitch ? OFF_THEN_ON : "smaller",
    read: ({ reminders }) => reminders[field],
    write: (settings, value) => {
      const known = isSwitch ? asSwitch(value) : asNumber(value, 1, COUNT_MAX);
      return known === undefined ? undefined : { ...settings, reminders: { ...settings.reminders, [field]: known } };
    },
  };
}

function asSwitch(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = scalarText(value) ?? "";
  if (/^(?:on|yes|true|1)$/i.test(word)) return true;
  return /^(?:off|no|false|0)$/i.test(word) ? false : undefined;
}

/** Names of agents, separated by commas; `none` or nothing for none. */
export function asNames(value: unknown): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const names = value.split(",").map((name) => agentNamed(name.trim()));
  if (names.length === 1 && /^(?:none)?$/.test(names[0] ?? "")) return [];
  return names.every((name) => AGENT_NAME.test(name)) ? [...new Set(names)] : undefined;
}

function asNumber(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most ? Number(number) : undefined;
}
