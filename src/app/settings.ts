import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, scalarText } from "../core/json.js";
import { DIGEST_TOKENS, DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN } from "../core/session/digest-text.js";
import { REMINDER_SETTINGS, type ReminderSettings } from "../core/session/reminders.js";
import { LEASE } from "../core/task/lease.js";
import { type Environment, homeFolder } from "./store-place.js";

/** What a person can tune. */
export interface Settings {
  readonly reminders: ReminderSettings;
  readonly digestTokens: number;
  /** Seconds until a closed todo leaves its list; 0 is at once, -1 never. */
  readonly clearAfter: number;
  /** What sub-agents have: what the dialect says, no list, the session's, or each its own. */
  readonly subAgents: (typeof SUB_AGENTS)[number];
  /** Replies without a word about a task that is held until a reminder. */
  readonly taskStaleAfter: number;
  /** Milliseconds that a lease lasts at least. */
  readonly shortestLease: number;
}

const SUB_AGENTS = ["dialect", "none", "shared", "own"] as const;

export const DEFAULT_SETTINGS: Settings = {
  reminders: REMINDER_SETTINGS,
  digestTokens: DIGEST_TOKENS,
  clearAfter: -1,
  subAgents: "dialect",
  taskStaleAfter: 10,
  shortestLease: LEASE.shortest,
};

/** One setting: its name in the file and in `milepost config`, the variable that overrides it, and what it may be. */
export interface SettingEntry {
  readonly name: string;
  readonly variable: string;
  readonly summary: string;
  /** What it may be, for whoever gave it something else. */
  readonly takes: string;
  readonly read: (settings: Settings) => Value;
  /** Undefined for a value that it cannot have. */
  readonly write: (settings: Settings, value: unknown) => Settings | undefined;
}

type Value = boolean | number | string;

const COUNT = "use a whole number from 1 to 10000";

/** A year. */
const CLEAR_MAX = 31_536_000;

export const SETTINGS: readonly SettingEntry[] = [
  reminder("reminders", "MILEPOST_REMINDERS", "all reminders: on or off", "isOn"),
  reminder("reminders.stop", "MILEPOST_REMIND_STOP", "remind an agent that stops with open todos", "asksAtStop"),
  reminder("reminders.stale", "MILEPOST_REMIND_STALE", "assistant turns without a list change", "staleAfter"),
  reminder(
    "reminders.unused",
    "MILEPOST_REMIND_UNUSED",
    "assistant turns in one request without a list",
    "unusedAfter",
  ),
  {
    name: "digest.tokens",
    variable: "MILEPOST_DIGEST_TOKENS",
    summary: "maximum size of a digest, in tokens",
    takes: `use a whole number from ${DIGEST_TOKENS_MIN} to ${DIGEST_TOKENS_MAX}`,
    read: ({ digestTokens }) => digestTokens,
    write: (settings, value) => {
      const tokens = asCount(value);
      return tokens !== undefined && tokens >= DIGEST_TOKENS_MIN && tokens <= DIGEST_TOKENS_MAX
        ? { ...settings, digestTokens: tokens }
        : undefined;
    },
  },
  {
    name: "list.clear",
    variable: "MILEPOST_LIST_CLEAR",
    summary: "seconds until a closed todo leaves its list; 0: at once, -1: never",
    takes: `use -1, or a whole number of seconds from 0 to ${CLEAR_MAX}`,
    read: ({ clearAfter }) => clearAfter,
    write: (settings, value) => {
      const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const isKnown = Number.isSafeInteger(seconds) && Number(seconds) >= -1 && Number(seconds) <= CLEAR_MAX;
      return isKnown ? { ...settings, clearAfter: Number(seconds) } : undefined;
    },
  },
  {
    name: "list.sub-agents",
    variable: "MILEPOST_LIST_SUB_AGENTS",
    summary: "list of sub-agents: as the dialect says, none, the shared one, or their own",
    takes: `use ${SUB_AGENTS.join(", ")}`,
    read: ({ subAgents }) => subAgents,
    write: (settings, value) => {
      const known = SUB_AGENTS.find((one) => one === value);
      return known && { ...settings, subAgents: known };
    },
  },
  {
    name: "reminders.task",
    variable: "MILEPOST_REMIND_TASK",
    summary: "assistant turns without a write to a held task",
    takes: COUNT,
    read: ({ taskStaleAfter }) => taskStaleAfter,
    write: (settings, value) => {
      const turns = asCount(value);
      return turns === undefined ? undefined : { ...settings, taskStaleAfter: turns };
    },
  },
  {
    name: "lease.shortest",
    variable: "MILEPOST_LEASE_SHORTEST",
    summary: "minimum lease duration, in milliseconds",
    takes: "use a whole number from 1 to 86400000",
    read: ({ shortestLease }) => shortestLease,
    write: (settings, value) => {
      const milliseconds = Number(scalarText(value) ?? Number.NaN);
      const isKnown = Number.isSafeInteger(milliseconds) && milliseconds >= 1 && milliseconds <= LEASE.longest;
      return isKnown ? { ...settings, shortestLease: milliseconds } : undefined;
    },
  },
];

function reminder(name: string, variable: string, summary: string, field: keyof ReminderSettings): SettingEntry {
  return {
    name,
    variable,
    summary,
    takes: typeof REMINDER_SETTINGS[field] === "boolean" ? "use on or off" : COUNT,
    read: ({ reminders }) => reminders[field],
    write: (settings, value) => {
      const known = typeof REMINDER_SETTINGS[field] === "boolean" ? asSwitch(value) : asCount(value);
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

function asCount(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) > 0 && Number(number) <= 10_000 ? Number(number) : undefined;
}

export function settingsPath(environment: Environment): string {
  return join(homeFolder(environment), "config.json");
}

/** Variable before file before default. What cannot be read is passed over: a hook must not fail over a typo. */
export function readSettings(environment: Environment): Settings {
  const file = readSettingsFile(environment) ?? {};
  return SETTINGS.reduce((settings, { name, variable, write }) => {
    const fromFile = Object.hasOwn(file, name) ? write(settings, file[name]) : undefined;
    const known = fromFile ?? settings;
    const value = environment[variable];
    return value === undefined || value === "" ? known : (write(known, value) ?? known);
  }, DEFAULT_SETTINGS);
}

/** Undefined for a file that cannot be understood; one that is not there is empty. */
export function readSettingsFile(environment: Environment): Readonly<Record<string, unknown>> | undefined {
  try {
    const path = settingsPath(environment);
    // A pipe would wait for a writer.
    if (!statSync(path).isFile()) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(value) ? value : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
  }
}
