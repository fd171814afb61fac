import { asSentence, counted, inWords } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { Examination } from "../../store/upkeep/examine.js";
import type { Given, Output } from "../command-definition.js";
import type { LoggedTrouble } from "../log-file.js";
import type { SettingsCheck } from "../settings/settings-check.js";
import type { AgentState } from "../setup/agent-states.js";
import { type SpoolReport, spoolLines } from "../spool/spool-report.js";
import { type RedactedStore, redactedText } from "../stored-secrets.js";
import { withStore } from "./next-step.js";
import { paint } from "./paint.js";
import { isFitting, oneRowOrMore, wrapped, wrappedBehind } from "./setup-changes.js";

export interface DoctorReport extends Examination {
  /** Agents that are on this machine, or have something of ours in their files. */
  readonly wiring: readonly AgentState[];
  readonly settings: Omit<SettingsCheck, "values">;
  /** What a hook met in the last 24 hours; it never says so itself. */
  readonly trouble: LoggedTrouble | undefined;
  /** What hooks could not record yet. */
  readonly spool: SpoolReport | undefined;
  readonly isHealthy: boolean;
  readonly retention: string;
  /** What is lost for good, and where the old head went. */
  readonly accepted: { readonly losses: readonly string[]; readonly keptHead: string } | undefined;
  /** What --redact found and redacted. */
  readonly redacted: RedactedStore | undefined;
}

/** Agents first, one row each; then the store and the settings; what it comes to last. */
export function doctorText(report: DoctorReport, output: Output, given: Given): string {
  const rows = [
    paint(output, "bold", "Agents"),
    ...agentRows(report, output),
    "",
    ...storeRows(report, output, given),
    "",
    ...settingRows(report.settings, output),
    // What is broken is summed up by the error that follows.
    ...(report.isHealthy ? ["", oneRowOrMore(summary(report), output)] : []),
  ];
  return `${rows.join("\n")}\n`;
}

type State = AgentState["state"];

interface Look {
  readonly colour: "green" | "yellow" | "red" | "dim";
  readonly mark: string;
}

const LOOKS: Readonly<Record<State, Look>> = {
  wired: { colour: "green", mark: "ok" },
  plugin: { colour: "green", mark: "ok" },
  "not-wired": { colour: "dim", mark: "off" },
  outdated: { colour: "yellow", mark: "warning" },
  broken: { colour: "red", mark: "BROKEN" },
};

const MARK_WIDTH = 9;
const DETAIL = " ".repeat(MARK_WIDTH + 2);

function agentRows({ wiring: agents, store }: DoctorReport, output: Output): readonly string[] {
  if (agents.length === 0) return [marked(output, LOOKS["not-wired"], "none was found")];
  const names = agents.map(({ title, version }) => [title, version].filter(Boolean).join(" "));
  const width = Math.max(...names.map((name) => name.length)) + 3;
  return agents.flatMap((agent, index) => {
    const { works, findings, notes } = agent;
    const details = [
      // The store is named where a hook found another one.
      ...(works.length > 0 ? [works.join(", ").replace(` (store ${store})`, "")] : []),
      ...findings.map(({ code, message }) => `${message} [${code}]`),
      ...notes,
    ];
    const look = notes.length > 0 && agent.state !== "broken" ? LOOKS.outdated : LOOKS[agent.state];
    const step = stepText(agent);
    const start = `${(names[index] ?? "").padEnd(width)}${stateText(agent)}`;
    const row = [start, step].filter(Boolean).join(". ");
    const isOneRow = isFitting(`${" ".repeat(MARK_WIDTH)}${row}`, output);
    return [
      marked(output, look, isOneRow ? row : start),
      ...(isOneRow ? [] : [wrapped(step, output, DETAIL)]),
      ...details.map((text) => wrapped(terminalText(text), output, DETAIL)),
    ];
  });
}

function stateText({ state, plugin }: AgentState): string {
  switch (state) {
    case "wired":
      return "wired";
    case "plugin":
      return `wired by the plugin ${plugin}`;
    case "not-wired":
      return "not wired";
    case "outdated":
      return "wired, out of date";
    case "broken":
      return `${plugin === null ? "" : `plugin ${plugin}: `}broken`;
  }
}

const VERBS: Readonly<Partial<Record<State, string>>> = { "not-wired": "wire", outdated: "update", broken: "mend" };

function stepText({ state, command }: AgentState): string {
  return command === null ? "" : `To ${VERBS[state]} it: ${command}`;
}

function marked(output: Output, { colour, mark }: Look, text: string): string {
  return `${paint(output, colour, mark)}${" ".repeat(MARK_WIDTH - mark.length)}${terminalText(text)}`;
}

function storeRows(report: DoctorReport, output: Output, given: Given): readonly string[] {
  const { store, totals, findings, trouble } = report;
  const row = rowsFor(output);
  return [
    paint(output, "bold", `Store ${terminalText(store)}`),
    ...goodNews(report).map(row.good),
    ...findings.map(({ level, code, message }) => {
      const text = `${withStore(message, given)} [${code}]`;
      return level === "damage" ? row.bad("DAMAGE", text) : row.warning(text);
    }),
    ...spoolLines(report.spool).map(row.warning),
    ...(!totals && findings.length === 0 ? [row.good("No store yet; it is created on first use")] : []),
    ...(trouble ? [row.warning(`${trouble.file} ends with: ${trouble.last} [logged-trouble]`)] : []),
  ];
}

function goodNews({ log, totals, walSize, accepted, redacted, retention }: DoctorReport): readonly string[] {
  const news: string[] = [];
  if (totals) {
    const { streams, events, schema, prunedUpTo } = totals;
    const amount = `${counted(streams, "stream")}, ${counted(events, "event")}, ${size(totals.size)} of event data`;
    news.push(`${amount}; schema ${schema}`);
    news.push(`history kept: ${retention}${prunedUpTo ? `; pruned up to cursor ${prunedUpTo}` : ""}`);
  }
  if (walSize !== undefined && (totals || walSize > 0)) news.push(`journal ${size(walSize)}`);
  if (log?.findings.every(({ level }) => level !== "damage")) news.push("every event, stream and view is intact");
  if (log && log.rebuilt > 0) news.push(`${log.rebuilt} views rebuilt from their events`);
  if (accepted) news.push(...accepted.losses, `Loss accepted; the old head file is ${accepted.keptHead}`);
  if (redacted) news.push(redactedText(redacted));
  return news;
}

function settingRows(
  { file, project, set, listsOff, findings }: DoctorReport["settings"],
  output: Output,
): readonly string[] {
  const row = rowsFor(output);
  const isAre = set.length === 1 ? "is" : "are";
  const amount = set.length === 0 ? "all at their defaults" : `${counted(set.length, "setting")} ${isAre} set`;
  return [
    paint(output, "bold", `Settings ${terminalText(file)}`),
    ...(findings.length === 0 ? [row.good(`${amount}. Look: milepost config`)] : []),
    ...(project === null ? [] : [row.good(`project ${project}`)]),
    ...(listsOff.length > 0 ? [row.good(`${listsOff.join(", ")}: todo lists are switched off (list.off)`)] : []),
    ...findings.map(({ code, message }) => row.warning(`${message} [${code}]`)),
  ];
}

function rowsFor(output: Output) {
  const row = (colour: "green" | "yellow" | "red", word: string, text: string) => {
    const rest = wrappedBehind(" ".repeat(MARK_WIDTH), terminalText(text), output).slice(word.length);
    return `${paint(output, colour, word)}${rest}`;
  };
  return {
    good: (text: string) => row("green", "ok", text),
    warning: (text: string) => row("yellow", "warning", text),
    bad: (word: string, text: string) => row("red", word, text),
  };
}

function size(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

/** One sentence or two; the last is what to do next, as a command. */
function summary(report: DoctorReport): readonly string[] {
  const warnings =
    report.findings.length +
    report.settings.findings.length +
    spoolLines(report.spool).length +
    report.wiring.reduce((sum, { notes }) => sum + notes.length, report.trouble ? 1 : 0);
  const said = `No problems${warnings > 0 ? `, ${counted(warnings, "warning")}` : ""}.`;
  const steps = [next("wire", report.wiring, "not-wired"), next("update", report.wiring, "outdated")].filter(Boolean);
  // Between two of them there has to be an end; behind the last one it would be taken for part of the command.
  return [said, ...steps.slice(0, -1).map(asSentence), ...steps.slice(-1)];
}

function next(verb: string, agents: readonly AgentState[], state: State): string {
  const meant = agents.filter((agent) => agent.state === state && agent.command !== null);
  const command = meant.length > 1 ? "milepost setup" : meant[0]?.command;
  return command ? `To ${verb} ${inWords(meant.map(({ title }) => title))}: ${command}` : "";
}
