import { join } from "node:path";
import { isObject, type JsonObject, objectAt, parseJson } from "../../../core/json.js";
import { valueAt } from "../edits/json-document.js";
import { jsonOrNone } from "../edits/json-server.js";
import type { ReadText, World } from "./agent.js";

// What keeps our plugin or its tool out of opencode, as far as a person's own settings and variables tell.

const TOOL = "milepost_todo";
const NAMES = ["opencode.json", "opencode.jsonc"];

/** Sentences; none where nothing is in the way. */
export function hindrances(world: World, folder: string, read: ReadText, hasTools: boolean): readonly string[] {
  const isPure = /^(?:1|true)$/i.test(world.environment.OPENCODE_PURE ?? "");
  const rule = hasTools ? denyingRule(permissionsOf(world, folder, read)) : undefined;
  return [
    ...(isPure ? ["opencode loads no plugin: OPENCODE_PURE is set."] : []),
    ...(rule === undefined
      ? []
      : [`opencode does not tell its model of our tool: its permission for "${rule}" is deny.`]),
  ];
}

/** Its global settings in the order in which it lays them over each other. `tools` is how older versions had it. */
function permissionsOf({ environment }: World, folder: string, read: ReadText): JsonObject {
  const { OPENCODE_CONFIG: named, OPENCODE_CONFIG_DIR: own, OPENCODE_CONFIG_CONTENT: text } = environment;
  const files = [
    ...["config.json", ...NAMES].map((name) => join(folder, name)),
    ...(named ? [named] : []),
    ...(own ? NAMES.map((name) => join(own, name)) : []),
  ];
  const texts = [...files.map(read), text].map(jsonOrNone);
  const asked = [...texts.map((one) => valueAt(one, ["permission"])), parseJson(environment.OPENCODE_PERMISSION ?? "")];
  const tools = texts.flatMap((one) => Object.entries(objectAt(valueAt(one, ["tools"]))));
  const older = Object.fromEntries(tools.map(([name, isOn]) => [name, isOn === false ? "deny" : "allow"]));
  return asked.reduce<JsonObject>((all, one) => laidOver(all, typeof one === "string" ? { "*": one } : one), older);
}

function laidOver(below: JsonObject, above: unknown): JsonObject {
  const next: Record<string, unknown> = { ...below };
  for (const [name, rule] of Object.entries(objectAt(above)))
    next[name] = isObject(rule) && isObject(next[name]) ? { ...next[name], ...rule } : rule;
  return next;
}

/** The last rule about our tool counts, and hides it where it denies everything. */
function denyingRule(permissions: JsonObject): string | undefined {
  const rules = Object.entries(permissions).flatMap(([name, rule]) =>
    isObject(rule)
      ? Object.entries(rule).map(([on, action]) => ({ name, on, action }))
      : [{ name, on: "*", action: rule }],
  );
  const last = rules.findLast(({ name }) => isAbout(name));
  return last?.on === "*" && last.action === "deny" ? last.name : undefined;
}

function isAbout(name: string): boolean {
  const escaped = name.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, ".*").replaceAll("?", ".")}$`, "s").test(TOOL);
}
