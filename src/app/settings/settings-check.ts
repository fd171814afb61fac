import { scalarText } from "../../core/json.js";
import { counted, cutCodePoints } from "../../core/text/length.js";
import { nearest } from "../../core/text/nearest.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { KNOWN_AGENTS } from "../agent-aliases.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import type { Environment } from "../store-place.js";
import { type ProjectFile, readProjectFile } from "./project-file.js";
import { LISTS_OFF, SETTINGS } from "./setting-entries.js";
import { isTighter, type SettingEntry, type SettingValue } from "./setting-entry.js";
import { type Source, settle } from "./setting-sources.js";
import { type FileValues, readSettingsFile, settingsPath } from "./settings-files.js";

export interface SettingsCheck {
  /** The person's own file; it need not be there. */
  readonly file: string;
  /** The project's file, where there is one. */
  readonly project: string | null;
  /** Names of settings that a file or a variable sets. */
  readonly set: readonly string[];
  /** Agents whose lists are switched off. */
  readonly listsOff: readonly string[];
  readonly findings: readonly SettingFinding[];
  /** Every setting with its value, and who has the say. */
  readonly values: readonly SettingState[];
}

export interface SettingState {
  readonly name: string;
  readonly value: SettingValue;
  readonly from: Source;
  /** The variable that says so; null where none does. */
  readonly variable: string | null;
  /** The file that says so; null where none does. */
  readonly file: string | null;
}

export interface SettingFinding {
  readonly code: string;
  readonly level: "warning";
  /** A sentence, with what to do. */
  readonly message: string;
}

/** What `readSettings` passes over in silence, because a hook must not fail over a typo; and what it comes to. */
export function checkSettings(environment: Environment, folder?: string): SettingsCheck {
  const file = settingsPath(environment);
  const user = readSettingsFile(environment);
  const project = readProjectFile(environment, folder);
  const sources = { environment, user: user ?? {}, project: project.values };
  let settings = DEFAULT_SETTINGS;
  const values: SettingState[] = [];
  const findings = [...userFindings(file, user), ...troubleOf(project), ...unknownIn(project)];
  for (const entry of SETTINGS) {
    // What the person has said, and no project: that is what a project may tighten.
    const { settings: own } = settle(entry, settings, { ...sources, environment: {}, project: {} });
    const settled = settle(entry, settings, sources);
    settings = settled.settings;
    values.push(stateOf(entry, settled.from, entry.read(settings), { user: file, project: project.path }));
    if (user) findings.push(...badInUser(entry, user));
    findings.push(...badVariable(entry, environment), ...ignoredIn(project, entry, entry.read(own)));
  }
  findings.push(...misspeltAgents(settings.listsOff));
  const set = values.filter(({ from }) => from !== "default").map(({ name }) => name);
  return { file, project: project.path ?? null, set, listsOff: settings.listsOff, findings, values };
}

function stateOf(
  { name, variable }: SettingEntry,
  from: Source,
  value: SettingValue,
  files: { readonly user: string; readonly project: string | undefined },
): SettingState {
  const file = from === "user" || from === "project" ? (files[from] ?? null) : null;
  return { name, value, from, variable: from === "environment" ? (variable ?? null) : null, file };
}

function userFindings(file: string, values: FileValues | undefined): readonly SettingFinding[] {
  if (!values) {
    const message = `${file} is not a JSON object: all settings in it are ignored. Fix it, or delete it.`;
    return [warning("bad-config", message)];
  }
  const unknown = Object.keys(values).filter((name) => !isKnown(name));
  return unknown.map((name) =>
    warning("unknown-setting", `There is no setting ${named(name)}: it is ignored in ${file}.`),
  );
}

function isKnown(name: string): boolean {
  return SETTINGS.some((entry) => entry.name === name);
}

function badInUser({ name, takes, write }: SettingEntry, values: FileValues): readonly SettingFinding[] {
  if (!Object.hasOwn(values, name) || write(DEFAULT_SETTINGS, values[name])) return [];
  const reset = `To reset it: milepost config ${name} default`;
  return [warning("bad-setting", `${name} cannot be ${shown(values[name])}: ${takes}. ${reset}`)];
}

/** Any client may be named; one that is nearly called like an agent we know is most likely that agent. */
function misspeltAgents(names: readonly string[]): readonly SettingFinding[] {
  return names.flatMap((name) => {
    const meant = KNOWN_AGENTS.includes(name) ? undefined : nearest(name, KNOWN_AGENTS);
    const next = names.map((one) => (one === name ? meant : one)).join(",");
    const hint = `Did you mean: milepost config ${LISTS_OFF} ${next}`;
    return meant === undefined ? [] : [warning("unknown-agent", `No agent is called ${name} here. ${hint}`)];
  });
}

function badVariable({ variable = "", takes, write }: SettingEntry, environment: Environment) {
  const value = environment[variable];
  if (!value || write(DEFAULT_SETTINGS, value)) return [];
  return [warning("bad-setting", `${variable} cannot be ${value}: ${takes}. It is ignored.`)];
}

function troubleOf({ path, trouble }: ProjectFile): readonly SettingFinding[] {
  return trouble === undefined
    ? []
    : [warning("project-file", `${path} ${trouble}: the project's settings are ignored.`)];
}

/** A file with thousands of names must not fill the screen. */
const MOST_NAMED = 5;

function unknownIn({ path, values }: ProjectFile): readonly SettingFinding[] {
  const unknown = Object.keys(values).filter((name) => !isKnown(name));
  const more = unknown.length - MOST_NAMED;
  return [
    ...unknown
      .slice(0, MOST_NAMED)
      .map((name) => warning("unknown-setting", `There is no setting ${named(name)}: it is ignored in ${path}.`)),
    ...(more > 0 ? [warning("unknown-setting", `${counted(more, "more name")} in ${path} ignored: no settings.`)] : []),
  ];
}

/** `own`: what the person has said, or the default. */
function ignoredIn({ path, values }: ProjectFile, entry: SettingEntry, own: SettingValue): readonly SettingFinding[] {
  const { name, tighter, takes, read, write } = entry;
  if (!Object.hasOwn(values, name)) return [];
  if (!tighter) return [warning("project-setting", `A project may not set ${name}: it is ignored in ${path}.`)];
  const next = write(DEFAULT_SETTINGS, values[name]);
  if (!next)
    return [warning("bad-setting", `${name} cannot be ${shown(values[name])}: ${takes}. It is ignored in ${path}.`)];
  const value = read(next);
  if (value === own || isTighter(tighter, own, value)) return [];
  const why = `${valueText(value)} is looser than ${valueText(own)}`;
  return [warning("project-setting", `A project may only tighten ${name}, and ${why}: it is ignored in ${path}.`)];
}

/** As `milepost config` takes it. */
export function valueText(value: SettingValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return value === "" ? "none" : `${value}`;
}

const LONGEST = 60;

/** A stranger's text: short, and nothing that a terminal obeys. */
function named(name: string): string {
  const text = terminalText(name);
  const cut = cutCodePoints(text, LONGEST);
  return cut === text ? text || '""' : `${cut}...`;
}

/** A value that is no plain one may be nested deeper than anybody can print. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(named(value));
  return scalarText(value) ?? (value === null ? "null" : Array.isArray(value) ? "a list" : "an object");
}

function warning(code: string, message: string): SettingFinding {
  return { code, level: "warning", message };
}
