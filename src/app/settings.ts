import { DIGEST_TOKENS } from "../core/session/digest-text.js";
import type { EvidencePolicy } from "../core/session/events.js";
import { REMINDER_SETTINGS, type ReminderSettings } from "../core/session/reminders.js";
import { LEASE } from "../core/task/lease.js";
import { SETTINGS } from "./settings/setting-entries.js";
import { readSources, settle } from "./settings/setting-sources.js";
import {
  type FOCUS_RULES,
  type HOOK_WAYS,
  type LIST_TOOLS,
  OFFERING_CLIENTS,
  type SUB_AGENTS,
} from "./settings/setting-words.js";
import type { Environment } from "./store-place.js";

// The room of settings: what they are, and how they are read. The table of all settings is settings/setting-entries.ts;
// whoever adds one adds a field here and an entry there.

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
  /** Work that is called done with no check run: nothing is said, one reminder, or a stop is refused. */
  readonly evidence: EvidencePolicy;
  /** Commands that count as checks besides those that we know: a command line that begins like one of them. */
  readonly checkPatterns: readonly string[];
  readonly detectors: DetectorSettings;
  readonly notify: NoticeSettings;
  /** What setup has wired for each client: texts to a model name only tools that it can call. */
  readonly offers: Readonly<Record<OfferingClient, Offer>>;
}

interface DetectorSettings {
  /** Ours. */
  readonly isOn: boolean;
  /** A call that goes on with a loop after all warnings is refused. */
  readonly blocks: boolean;
  /** OpenClaw's set, besides ours. */
  readonly openclaw: boolean;
}

/** How a person hears from the live view. */
export interface NoticeSettings {
  readonly bell: boolean;
  readonly desktop: boolean;
  /** A program and its arguments in one line, as a shell would split it; empty for none. */
  readonly command: string;
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

export type OfferingClient = (typeof OFFERING_CLIENTS)[number];

const OURS: Offer = { todo: "ours", tasks: false };

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
  evidence: "nudge",
  checkPatterns: [],
  detectors: { isOn: true, blocks: false, openclaw: false },
  notify: { bell: true, desktop: true, command: "" },
  offers: Object.fromEntries(OFFERING_CLIENTS.map((client) => [client, OURS])) as Record<OfferingClient, Offer>,
};

/**
 * Variable before project before the person's file before default. `folder`: of the session, whose project may tighten
 * some settings; without one, no project is asked.
 */
export function readSettings(environment: Environment, folder?: string): Settings {
  const sources = readSources(environment, folder);
  return SETTINGS.reduce((settings, entry) => settle(entry, settings, sources).settings, DEFAULT_SETTINGS);
}
