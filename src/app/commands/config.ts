import { type Failure, fail, ok } from "../../core/result.js";
import { nearest } from "../../core/text/nearest.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { text, toggle } from "../fields.js";
import { agentShell } from "../plans/agent-shell.js";
import { changeOwn, changeProject } from "../settings/change-setting.js";
import { CHECK_PATTERNS, EVIDENCE } from "../settings/evidence-entries.js";
import { NOTIFY_COMMAND } from "../settings/notice-entries.js";
import { AGENT_DECIDES, SETTINGS } from "../settings/setting-entries.js";
import type { SettingEntry, SettingValue } from "../settings/setting-entry.js";
import { checkSettings, type SettingFinding, type SettingState, valueText } from "../settings/settings-check.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import type { Environment } from "../store-place.js";
import { shellWord } from "../terminal/next-step.js";

export const config = defineCommand({
  details: `Without arguments: all settings, with their values and where each comes from. NAME shows one setting, NAME
VALUE sets it for you. An environment variable overrides the project's file, and that your own.

The project's file is .milepost/config.json in the root of the repository, else in this folder. A project may only
tighten some settings (docs/settings.md); whatever else its file says is ignored, and named here and by doctor.
--project writes that file.

--json: "from" is default, user, project, or the name of a variable; "file" is the file that says so, or null.`,
  examples: [
    "milepost config reminders off",
    "milepost config reminders.stale 20",
    "milepost config reminders.stale default",
    "milepost config list.focus reject --project",
  ],
  words: ["name", "value"],
  input: {
    name: text("SETTING", "name of a setting"),
    value: text("VALUE", "new value, or default to reset it"),
    project: toggle("set it for this project, in .milepost/config.json"),
  },
  async run(context, { name, value, project }) {
    const { environment, folder } = context;
    const entries = name === undefined ? SETTINGS : SETTINGS.filter((entry) => entry.name === name);
    const [entry] = entries;
    if (!entry) return fail("unknown-setting", unknownText(name ?? "", value));
    if (project && value === undefined) return fail("bad-usage", noValueText(name));
    const changed = value === undefined ? ok(undefined) : await change(context, entry, value, project);
    if (!changed.ok) return changed;
    const { file, project: projectFile, findings, values } = checkSettings(environment, folder);
    const settings = entries.flatMap((one) => values.filter((state) => state.name === one.name).map(described(one)));
    const notes =
      value === undefined || value === "default" || project ? [] : settings.flatMap(overridden(entry, value));
    return ok({ file, project: projectFile, settings, findings: [...findings, ...notes] });
  },
  show: ({ file, project, settings, findings }) => {
    const files = [
      ...(settings.some(({ from }) => from === "user") ? [`user: ${file}`] : []),
      ...(project === null ? [] : [`project: ${project}`]),
    ];
    const lines = [...settings.map(row), ...files, ...findings.map(warningText)];
    return `${lines.map(terminalText).join("\n")}\n`;
  },
});

async function change(
  { environment, folder }: CommandContext,
  entry: SettingEntry,
  value: string,
  isForProject: boolean,
) {
  const refused = refuseAgent(environment, entry);
  if (refused) return fail(refused);
  return isForProject ? changeProject(environment, folder, { entry, value }) : changeOwn(environment, { entry, value });
}

/**
 * An agent that may set these decides on its own plans, on what shows that its own work is done, and on what a person's
 * live view starts outside of the agent's sandbox.
 */
const ONLY_PEOPLE: readonly string[] = [AGENT_DECIDES, EVIDENCE, CHECK_PATTERNS, NOTIFY_COMMAND];

function refuseAgent(environment: Environment, { name }: SettingEntry): Failure | undefined {
  const agent = ONLY_PEOPLE.includes(name) ? agentShell(environment) : undefined;
  if (agent === undefined) return undefined;
  const message = `This is the shell of ${agent}, and ${name} is a person's to set, in a terminal of their own.`;
  return { code: "agent-shell", message };
}

function noValueText(name: string | undefined): string {
  return `--project sets a setting: milepost config ${name ?? "list.focus"} VALUE --project. All settings: milepost config`;
}

function unknownText(name: string, value: string | undefined): string {
  // `reminders=off` is what other programs take.
  const [typed = "", given = value] = name.split("=");
  const near = (settings: typeof SETTINGS) =>
    nearest(
      typed,
      settings.map((setting) => setting.name),
    );
  const fitting = near(SETTINGS.filter((setting) => canBe(setting, given)));
  const meant = fitting ?? near(SETTINGS);
  // A value that it cannot have is left out: a hint has to run.
  const next = [meant, ...(fitting === undefined ? [] : [given])].filter((word) => word !== undefined).map(shellWord);
  const hint =
    meant === undefined ? "All settings: milepost config" : `Did you mean: milepost config ${next.join(" ")}`;
  return `There is no setting ${JSON.stringify(name)}. ${hint}`;
}

function canBe({ write }: SettingEntry, value: string | undefined): boolean {
  return value === undefined || value === "default" || write(DEFAULT_SETTINGS, value) !== undefined;
}

function described({ summary }: SettingEntry) {
  return ({ name, value, from, variable, file }: SettingState) => ({
    name,
    value,
    from: variable ?? from,
    file,
    summary,
  });
}

/** What was stored for the person does not hold here: somebody has the say before them. */
function overridden({ name, variable }: SettingEntry, typed: string) {
  return ({ value, from }: { readonly value: SettingValue; readonly from: string }): readonly SettingFinding[] => {
    if (from === "user") return [];
    const who = from === "project" ? "this project's file tightens it" : `${from} sets it`;
    const way = from === "project" && variable ? ` Before the project comes ${variable}=${shellWord(typed)}` : "";
    const message = `${name} is stored for you, but ${who} to ${valueText(value)} here.${way}`;
    return [{ code: "overridden", level: "warning", message }];
  };
}

const NAME_WIDTH = Math.max(...SETTINGS.map(({ name }) => name.length));

function row({ name, value, from, summary }: ReturnType<ReturnType<typeof described>>): string {
  return `${name.padEnd(NAME_WIDTH)}  ${valueText(value).padEnd(7)} ${`(${from})`.padEnd(10)} ${summary}`;
}

function warningText({ code, message }: SettingFinding): string {
  return `warning: ${message} [${code}]`;
}
