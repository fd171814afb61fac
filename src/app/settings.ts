import { join } from "node:path";
import { isObject, scalarText } from "../core/json.js";
import { DIGEST_TOKENS, DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN } from "../core/session/digest-text.js";
import { REMINDER_SETTINGS, type ReminderSettings } from "../core/session/reminders.js";
import { LEASE } from "../core/task/lease.js";
import { readPlain } from "./read-plain.js";
import { type Environment, homeFolder } from "./store-place.js";

/** What a person can tune. */
export interface Settings {
  readonly reminders: ReminderSettings;
  readonly digestTokens: number;
  /** A second todo in progress where the dialect would allow it: as the dialect says, with a reminder, or refused. */
  readonly focus: (typeof FOCUS_RULES)[number];
  /** Agents without a list: no tool of ours, no list of theirs, no reminders. */
  readonly listsOff: readonly string[];
  /** Seconds until a closed todo is no longer drawn in oh-my-pi's panel, while it stays on its list; -1: never. */
  readonly panelClearAfter: number;
  /** Seconds until a closed todo leaves its list; 0 is at once, -1 never. */
  readonly clearAfter: number;
  /** What sub-agents have: what the dialect says, no list, the session's, or each its own. */
  readonly subAgents: (typeof SUB_AGENTS)[number];
  /** Replies without a word about a task that is held until a reminder. */
  readonly taskStaleAfter: number;
  /** Milliseconds that a lease lasts at least. */
  readonly shortestLease: number;
  /** An agent may decide on plans with our command, its own plan too. */
  readonly agentDecides: boolean;
  /** What setup has wired for each client: texts to a model name only tools that it can call. */
  readonly offers: Readonly<Record<OfferingClient, Offer>>;
}

export interface Offer {
  /** Whose list tool the model has: our `todo`, or only the client's own. */
  readonly todo: (typeof LIST_TOOLS)[number];
  /** Our `task` is offered to the model. */
  readonly tasks: boolean;
  /** Our `plan` is offered to the model; absent: it is not. */
  readonly plans?: boolean;
  /** How the client's hooks reach us: through our running server (also if nothing is said), or each as a process. */
  readonly hooks?: (typeof HOOK_WAYS)[number];
}

export const OFFERING_CLIENTS = ["claude-code", "codex"] as const;
export type OfferingClient = (typeof OFFERING_CLIENTS)[number];

const LIST_TOOLS = ["ours", "client"] as const;

export const HOOK_WAYS = ["server", "commands"] as const;

const FOCUS_RULES = ["dialect", "remind", "reject"] as const;

const SUB_AGENTS = ["dialect", "none", "shared", "own"] as const;

export const DEFAULT_SETTINGS: Settings = {
  reminders: REMINDER_SETTINGS,
  digestTokens: DIGEST_TOKENS,
  focus: "remind",
  listsOff: [],
  panelClearAfter: 60,
  clearAfter: -1,
  subAgents: "dialect",
  taskStaleAfter: 10,
  shortestLease: LEASE.shortest,
  agentDecides: false,
  offers: { "claude-code": { todo: "ours", tasks: false }, codex: { todo: "ours", tasks: false } },
};

/** One setting: its name in the file and in `milepost config`, the variable that overrides it, and what it may be. */
export interface SettingEntry {
  readonly name: string;
  /** None where whoever starts a command must not decide it. */
  readonly variable?: string | undefined;
  readonly summary: string;
  /** What it may be, for whoever gave it something else. */
  readonly takes: string;
  readonly read: (settings: Settings) => Value;
  /** Undefined for a value that it cannot have. */
  readonly write: (settings: Settings, value: unknown) => Settings | undefined;
}

type Value = boolean | number | string;

const COUNT_MAX = 10_000;

/** A year. */
const CLEAR_MAX = 31_536_000;

/** Only a person sets it, in the file. */
export const AGENT_DECIDES = "plans.agent-decides";

export const SETTINGS: readonly SettingEntry[] = [
  reminder("reminders", "MILEPOST_REMINDERS", "all reminders: on or off", "isOn"),
  reminder("reminders.stop", "MILEPOST_REMIND_STOP", "ask an agent that stops in the middle of a todo", "asksAtStop"),
  reminder("reminders.stale", "MILEPOST_REMIND_STALE", "assistant turns without a list change", "staleAfter"),
  reminder(
    "reminders.unused",
    "MILEPOST_REMIND_UNUSED",
    "assistant turns in one request without a list",
    "unusedAfter",
  ),
  reminder(
    "reminders.first",
    "MILEPOST_REMIND_FIRST",
    "say with the first prompt that there is a list",
    "atFirstPrompt",
  ),
  wholeNumber("digestTokens", DIGEST_TOKENS_MIN, DIGEST_TOKENS_MAX, {
    name: "digest.tokens",
    variable: "MILEPOST_DIGEST_TOKENS",
    summary: "maximum size of a digest, in tokens",
  }),
  wholeNumber("clearAfter", -1, CLEAR_MAX, {
    name: "list.clear",
    variable: "MILEPOST_LIST_CLEAR",
    summary: "seconds until a closed todo leaves its list; 0: at once, -1: never",
    takes: `use -1, or a whole number of seconds from 0 to ${CLEAR_MAX}`,
  }),
  choice("focus", FOCUS_RULES, {
    name: "list.focus",
    variable: "MILEPOST_LIST_FOCUS",
    summary: "a second todo in progress: as the dialect says, with a reminder, or refused",
  }),
  {
    name: "list.off",
    variable: "MILEPOST_LIST_OFF",
    summary: "agents without a todo list, separated by commas: claude-code, codex ...",
    takes: "use names of agents, separated by commas, or none",
    read: ({ listsOff }) => listsOff.join(","),
    write: (settings, value) => {
      const listsOff = asNames(value);
      return listsOff && { ...settings, listsOff };
    },
  },
  wholeNumber("panelClearAfter", -1, CLEAR_MAX, {
    name: "panel.clear",
    variable: "MILEPOST_PANEL_CLEAR",
    summary: "seconds until oh-my-pi's panel leaves out a closed todo, which stays on its list; -1: never",
    takes: `use -1, or a whole number of seconds from 0 to ${CLEAR_MAX}`,
  }),
  choice("subAgents", SUB_AGENTS, {
    name: "list.sub-agents",
    variable: "MILEPOST_LIST_SUB_AGENTS",
    summary: "list of sub-agents: as the dialect says, none, the shared one, or their own",
  }),
  wholeNumber("taskStaleAfter", 1, COUNT_MAX, {
    name: "reminders.task",
    variable: "MILEPOST_REMIND_TASK",
    summary: "assistant turns without a write to a held task",
  }),
  wholeNumber("shortestLease", 1, LEASE.longest, {
    name: "lease.shortest",
    variable: "MILEPOST_LEASE_SHORTEST",
    summary: "minimum lease duration, in milliseconds",
  }),
  {
    name: AGENT_DECIDES,
    summary: "let agents approve, reject and edit plans in their own shells: on or off",
    takes: "use on or off",
    read: ({ agentDecides }) => agentDecides,
    write: (settings, value) => {
      const agentDecides = asSwitch(value);
      return agentDecides === undefined ? undefined : { ...settings, agentDecides };
    },
  },
  ...OFFERING_CLIENTS.flatMap(offerEntries),
];

/** Setup writes these; a person may, too, for a client that was wired by hand. */
function offerEntries(client: OfferingClient): readonly SettingEntry[] {
  const prefix = `MILEPOST_${client.replace("-", "_").toUpperCase()}`;
  const changed = (settings: Settings, offer: Partial<Offer> | undefined) =>
    offer && { ...settings, offers: { ...settings.offers, [client]: { ...settings.offers[client], ...offer } } };
  return [
    {
      name: `${client}.todo`,
      variable: `${prefix}_TODO`,
      summary: "which list the model keeps: ours (our todo tool) or client (the client's own)",
      takes: `use ${LIST_TOOLS.join(" or ")}`,
      read: ({ offers }) => offers[client].todo,
      write: (settings, value) => {
        const todo = LIST_TOOLS.find((one) => one === value);
        return changed(settings, todo && { todo });
      },
    },
    {
      name: `${client}.tasks`,
      variable: `${prefix}_TASKS`,
      summary: "whether the model is offered our task tool: on or off",
      takes: "use on or off",
      read: ({ offers }) => offers[client].tasks,
      write: (settings, value) => {
        const tasks = asSwitch(value);
        return changed(settings, tasks === undefined ? undefined : { tasks });
      },
    },
    {
      name: `${client}.plans`,
      variable: `${prefix}_PLANS`,
      summary: "whether the model is offered our plan tool: on or off",
      takes: "use on or off",
      read: ({ offers }) => offers[client].plans ?? false,
      write: (settings, value) => {
        const plans = asSwitch(value);
        return changed(settings, plans === undefined ? undefined : { plans });
      },
    },
    {
      name: `${client}.hooks`,
      variable: `${prefix}_HOOKS`,
      summary: "how hooks reach us: server (our MCP server) or commands (a process each)",
      takes: `use ${HOOK_WAYS.join(" or ")}`,
      read: ({ offers }) => offers[client].hooks ?? "server",
      write: (settings, value) => {
        const hooks = HOOK_WAYS.find((one) => one === value);
        return changed(settings, hooks && { hooks });
      },
    },
  ];
}

function choice<Field extends "focus" | "subAgents">(
  field: Field,
  words: readonly Settings[Field][],
  entry: Pick<SettingEntry, "name" | "variable" | "summary">,
): SettingEntry {
  return {
    takes: `use ${words.join(", ")}`,
    ...entry,
    read: (settings) => settings[field],
    write: (settings, value) => {
      const known = words.find((one) => one === value);
      return known && { ...settings, [field]: known };
    },
  };
}

function wholeNumber(
  field: "digestTokens" | "clearAfter" | "panelClearAfter" | "taskStaleAfter" | "shortestLease",
  least: number,
  most: number,
  entry: Pick<SettingEntry, "name" | "variable" | "summary"> & { readonly takes?: string },
): SettingEntry {
  return {
    takes: `use a whole number from ${least} to ${most}`,
    ...entry,
    read: (settings) => settings[field],
    write: (settings, value) => {
      const number = asNumber(value, least, most);
      return number === undefined ? undefined : { ...settings, [field]: number };
    },
  };
}

function reminder(name: string, variable: string, summary: string, field: keyof ReminderSettings): SettingEntry {
  const isSwitch = typeof REMINDER_SETTINGS[field] === "boolean";
  return {
    name,
    variable,
    summary,
    takes: isSwitch ? "use on or off" : `use a whole number from 1 to ${COUNT_MAX}`,
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

/** An agent's name, as `sessions` shows it. */
const AGENT_NAME = /^[a-z][a-z0-9-]{0,39}$/;

function asNames(value: unknown): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const names = value.split(",").map((name) => name.trim());
  if (names.length === 1 && /^(?:none)?$/.test(names[0] ?? "")) return [];
  return names.every((name) => AGENT_NAME.test(name)) ? [...new Set(names)] : undefined;
}

function asNumber(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most ? Number(number) : undefined;
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
    const value = variable === undefined ? undefined : environment[variable];
    return value === undefined || value === "" ? known : (write(known, value) ?? known);
  }, DEFAULT_SETTINGS);
}

/** Undefined for a file that cannot be understood; one that is not there is empty. */
export function readSettingsFile(environment: Environment): Readonly<Record<string, unknown>> | undefined {
  try {
    // Editors on Windows begin a file with a byte order mark.
    const value: unknown = JSON.parse(readPlain(settingsPath(environment)).replace(/^\ufeff/, ""));
    return isObject(value) ? value : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
  }
}
