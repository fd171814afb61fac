import { DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN } from "../../core/session/digest-text.js";
import { LEASE } from "../../core/task/lease.js";
import type { Offer, OfferingClient, Settings } from "../settings.js";
import { EVIDENCE_ENTRIES } from "./evidence-entries.js";
import { NOTICE_ENTRIES } from "./notice-entries.js";
import {
  asNames,
  COUNT_MAX,
  ON_THEN_OFF,
  oneOf,
  onOff,
  reminder,
  type SettingEntry,
  wholeNumber,
} from "./setting-entry.js";
import { FIRST_CLIENTS, FOCUS_RULES, HOOK_WAYS, LIST_TOOLS, OFFERING_CLIENTS, SUB_AGENTS } from "./setting-words.js";

/** A year. */
const CLEAR_MAX = 31_536_000;
const SECONDS = `use -1, or a whole number of seconds from 0 to ${CLEAR_MAX}`;

/** Only a person sets it, in a file. */
export const AGENT_DECIDES = "plans.agent-decides";

/** Agents whose models have no list. */
export const LISTS_OFF = "list.off";

/** Every setting there is. Reading, `milepost config`, its check, completion and docs/settings.md take this table. */
export const SETTINGS: readonly SettingEntry[] = [
  reminder("isOn", { name: "reminders", variable: "MILEPOST_REMINDERS", summary: "all reminders: on or off" }),
  reminder("asksAtStop", {
    name: "reminders.stop",
    variable: "MILEPOST_REMIND_STOP",
    summary: "ask an agent that stops in the middle of a todo",
  }),
  reminder("staleAfter", {
    name: "reminders.stale",
    variable: "MILEPOST_REMIND_STALE",
    summary: "assistant turns without a list change, until a reminder",
  }),
  reminder("unusedAfter", {
    name: "reminders.unused",
    variable: "MILEPOST_REMIND_UNUSED",
    summary: "assistant turns in one request without a list, until a reminder",
  }),
  reminder("atFirstPrompt", {
    name: "reminders.first",
    variable: "MILEPOST_REMIND_FIRST",
    summary: "say with the first prompt that there is a list",
  }),
  wholeNumber("taskStaleAfter", {
    name: "reminders.task",
    variable: "MILEPOST_REMIND_TASK",
    summary: "assistant turns without a write to a held task, until a reminder",
    tighter: "smaller",
    least: 1,
    most: COUNT_MAX,
  }),
  wholeNumber("digestTokens", {
    name: "digest.tokens",
    variable: "MILEPOST_DIGEST_TOKENS",
    summary: "maximum size of a digest, in tokens",
    least: DIGEST_TOKENS_MIN,
    most: DIGEST_TOKENS_MAX,
  }),
  wholeNumber("clearAfter", {
    name: "list.clear",
    variable: "MILEPOST_LIST_CLEAR",
    summary: "seconds until a closed todo leaves its list; 0: at once, -1: never",
    takes: SECONDS,
    least: -1,
    most: CLEAR_MAX,
  }),
  oneOf(
    {
      name: "list.focus",
      variable: "MILEPOST_LIST_FOCUS",
      summary: "a second todo in progress: as the dialect says, with a reminder, or refused",
      words: FOCUS_RULES,
      tighter: FOCUS_RULES,
    },
    ({ focus }) => focus,
    (settings, focus) => ({ ...settings, focus }),
  ),
  {
    name: LISTS_OFF,
    variable: "MILEPOST_LIST_OFF",
    summary: "agents without a todo list, separated by commas, such as claude-code,codex",
    takes: "use names of agents, separated by commas, or none",
    read: ({ listsOff }) => listsOff.join(","),
    write: (settings, value) => {
      const listsOff = asNames(value);
      return listsOff && { ...settings, listsOff };
    },
  },
  oneOf(
    {
      name: "list.sub-agents",
      variable: "MILEPOST_LIST_SUB_AGENTS",
      summary: "list of sub-agents: as the dialect says, none, the shared one, or their own",
      words: SUB_AGENTS,
    },
    ({ subAgents }) => subAgents,
    (settings, subAgents) => ({ ...settings, subAgents }),
  ),
  wholeNumber("panelClearAfter", {
    name: "panel.clear",
    variable: "MILEPOST_PANEL_CLEAR",
    summary: "seconds until oh-my-pi's panel leaves out a closed todo, which stays on its list; -1: never",
    takes: SECONDS,
    least: -1,
    most: CLEAR_MAX,
  }),
  wholeNumber("shortestLease", {
    name: "lease.shortest",
    variable: "MILEPOST_LEASE_SHORTEST",
    summary: "minimum lease duration, in milliseconds",
    least: 1,
    most: LEASE.longest,
  }),
  onOff(
    {
      name: AGENT_DECIDES,
      summary: "let agents approve, reject and edit plans in their own shells: on or off",
      tighter: ON_THEN_OFF,
    },
    ({ agentDecides }) => agentDecides,
    (settings, agentDecides) => ({ ...settings, agentDecides }),
  ),
  ...EVIDENCE_ENTRIES,
  ...NOTICE_ENTRIES,
  ...OFFERING_CLIENTS.flatMap(offerEntries),
];

/** Setup writes these; a person may, too, for a client that was wired by hand. */
function offerEntries(client: OfferingClient): readonly SettingEntry[] {
  const prefix = `MILEPOST_${client.replaceAll("-", "_").toUpperCase()}`;
  const changed = (settings: Settings, offer: Partial<Offer>): Settings => ({
    ...settings,
    offers: { ...settings.offers, [client]: { ...settings.offers[client], ...offer } },
  });
  return [
    oneOf(
      {
        name: `${client}.todo`,
        variable: `${prefix}_TODO`,
        summary: "which list the model keeps: ours (our todo tool) or client (the client's own)",
        words: LIST_TOOLS,
      },
      ({ offers }) => offers[client].todo,
      (settings, todo) => changed(settings, { todo }),
    ),
    onOff(
      {
        name: `${client}.tasks`,
        variable: `${prefix}_TASKS`,
        summary: "whether the model is offered our task tool: on or off",
      },
      ({ offers }) => offers[client].tasks,
      (settings, tasks) => changed(settings, { tasks }),
    ),
    onOff(
      {
        name: `${client}.plans`,
        variable: `${prefix}_PLANS`,
        summary: "whether the model is offered our plan tool: on or off",
      },
      ({ offers }) => offers[client].plans ?? false,
      (settings, plans) => changed(settings, { plans }),
    ),
    ...(hasHookWays(client) ? [hookWayEntry(client, prefix, changed)] : []),
  ];
}

function hasHookWays(client: OfferingClient): boolean {
  return FIRST_CLIENTS.some((first) => first === client);
}

function hookWayEntry(
  client: OfferingClient,
  prefix: string,
  changed: (settings: Settings, offer: Partial<Offer>) => Settings,
): SettingEntry {
  return oneOf(
    {
      name: `${client}.hooks`,
      variable: `${prefix}_HOOKS`,
      summary: "how hooks reach us: server (our MCP server) or commands (a process each)",
      words: HOOK_WAYS,
    },
    ({ offers }) => offers[client].hooks ?? "server",
    (settings, hooks) => changed(settings, { hooks }),
  );
}
