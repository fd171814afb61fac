import { join } from "node:path";
import { isObject } from "../../core/json.js";
import { ok } from "../../core/result.js";
import { SETTINGS } from "../settings/setting-entries.js";
import { OFFERING_CLIENTS } from "../settings/setting-words.js";
import { DEFAULT_SETTINGS, type Offer, type OfferingClient } from "../settings.js";
import type { Agent, FileEdit, World } from "./agents/agent.js";
import { readText } from "./config-file.js";
import { openJson, removeValue, setValue, valueAt } from "./edits/json-document.js";
import { jsonEdit } from "./edits/json-edit.js";
import { settingsOfLauncher } from "./launch.js";

// What each agent's model is offered is a setting of ours, because hooks have to know it: config.json in the folder
// that the agent's hooks use. One file holds the settings of all agents.

type Values = Readonly<Record<string, unknown>>;

export function settingsFileIn(home: string): string {
  return join(home, "config.json");
}

/** Where the hooks of an agent read their settings, as it is wired now. */
export function settingsFileOf(agent: Agent, world: World): string {
  return settingsFileIn(settingsOfLauncher(agent.wired(world, readText)).MILEPOST_HOME ?? world.home);
}

/** What an earlier setup chose, or the person by `milepost config`; undefined: nobody has. */
export function chosenOffer(text: string | undefined, client: OfferingClient): Offer | undefined {
  const values = offerValues(text);
  if (values[`${client}.todo`] === undefined) return undefined;
  const settings = SETTINGS.reduce(
    (known, { name, write }) => (name in values ? (write(known, values[name]) ?? known) : known),
    DEFAULT_SETTINGS,
  );
  return settings.offers[client];
}

/** Sets the offers of some agents, or removes them; those of others stay as `text`, the file now, has them. */
export function offersEdit(
  file: string,
  text: string | undefined,
  offers: Readonly<Partial<Record<OfferingClient, Offer | "none">>>,
): FileEdit<undefined> {
  const wanted = new Map(Object.entries(offerValues(text)));
  for (const [client, offer] of Object.entries(offers)) {
    for (const name of namesOf(client)) wanted.delete(name);
    if (offer === "none") continue;
    wanted.set(`${client}.todo`, offer.todo);
    if (offer.tasks) wanted.set(`${client}.tasks`, true);
    if (offer.plans) wanted.set(`${client}.plans`, true);
    if (offer.hooks === "commands") wanted.set(`${client}.hooks`, offer.hooks);
  }
  const unwanted = NAMES.filter((name) => !wanted.has(name));
  return jsonEdit<undefined>({
    file,
    reader: { title: "Milepost", takesMark: true },
    wire: (before) =>
      ok([...wanted].reduce((next, [name, value]) => set(next, name, value), without(before, unwanted))),
    unwire: (before) => without(before, NAMES),
  });
}

function namesOf(client: string): readonly string[] {
  return ["todo", "tasks", "plans", "hooks"].map((name) => `${client}.${name}`);
}

const NAMES: readonly string[] = OFFERING_CLIENTS.flatMap(namesOf);

function offerValues(text: string | undefined): Values {
  const opened = openJson(text ?? "");
  const value = opened.ok ? valueAt(opened.value, []) : undefined;
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([name]) => NAMES.includes(name)));
}

function set(text: string, name: string, value: unknown): string {
  return valueAt(text, [name]) === value ? text : setValue(text, [name], value);
}

function without(text: string, names: readonly string[]): string {
  return names.reduce((next, name) => (valueAt(next, [name]) === undefined ? next : removeValue(next, [name])), text);
}
