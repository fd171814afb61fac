import { isObject, listAt, objectAt } from "../../../core/json.js";
import type { Made } from "../edits/json-hooks.js";
import { madeBetween } from "../edits/json-hooks.js";
import {
  addItem,
  addPair,
  addTable,
  parseToml,
  removeItem,
  removeTable,
  replaceToml,
  tomlAt,
} from "../edits/toml-document.js";
import { statementsOf } from "../edits/toml-statements.js";

// Most models of Codex are not told of a server's tools: they would have to look them up, or call them out of code. One
// key in config.toml puts a server's tools into every request. Codex does not start when something else stands there.

const TABLE = ["features", "code_mode"];
const KEY = "direct_only_tool_namespaces";
const DIRECT = [...TABLE, KEY];

/** One experiment of Codex changes the names. */
const NAMES = ["mcp__milepost", "milepost"] as const;

/** As Codex calls our server's tools. */
function namespaceIn(config: string): (typeof NAMES)[number] {
  const isBare = isOn(tomlAt(config, ["features", "non_prefixed_mcp_tool_names"]));
  return isBare ? "milepost" : "mcp__milepost";
}

function isOn(feature: unknown): boolean {
  return feature === true || objectAt(feature).enabled === true;
}

/** Being left out of code mode, as a person may have it, does not matter then. */
export function isDirect(config: string): boolean {
  return listAt(tomlAt(config, DIRECT)).includes(namespaceIn(config));
}

/** What a profile's own list says, which counts in place of the first; undefined when it has none. */
export function hidesTool(profile: string): boolean {
  return tomlAt(profile, DIRECT) !== undefined && !isDirect(profile);
}

/** Undefined where it cannot be done without changing what somebody else has written. */
export function makeDirect(config: string): string | undefined {
  if (isDirect(config)) return config;
  const name = namespaceIn(config);
  const mode = tomlAt(config, TABLE);
  if (mode === undefined) return addTable(config, TABLE, { [KEY]: [name] });
  if (typeof mode === "boolean") return withSwitch(config, mode, name);
  if (!isObject(mode)) return undefined;
  const names = mode[KEY];
  if (names === undefined) return addPair(config, TABLE, KEY, [name]);
  return Array.isArray(names) && names.every((one) => typeof one === "string")
    ? addItem(config, DIRECT, name)
    : undefined;
}

/** `true` and `{ enabled = true }` are the same to Codex: the person's choice stays, and the row says how it was. */
function withSwitch(config: string, isEnabled: boolean, name: string): string | undefined {
  const changed = replaceToml(config, TABLE, { enabled: isEnabled, [KEY]: [name] });
  const rows = changed === undefined ? undefined : rowsOf(changed);
  if (changed === undefined || !rows) return undefined;
  const end = rows.start + changed.slice(rows.start, rows.end).trimEnd().length;
  const marked = `${changed.slice(0, end)}${markOf(isEnabled)}${changed.slice(end)}`;
  return parseToml(marked).ok ? marked : undefined;
}

function markOf(isEnabled: boolean): string {
  return ` # milepost: was ${isEnabled}`;
}

function rowsOf(config: string) {
  return statementsOf(config).find(
    ({ type, path }) => type === "pair" && path.every((key, index) => key === TABLE[index]),
  )?.rows;
}

/** What had to be made for it. */
export function madeForDirect(before: string, after: string): readonly string[] {
  const [old, now] = [parseToml(before), parseToml(after)];
  if (!old.ok || !now.ok) return [];
  return madeBetween(old.value, now.value).filter((place) => place.startsWith(TABLE.join("/")));
}

/** Takes our name out, and what was made around it; a name that a person has put there stays. */
export function undoDirect(config: string, made: Made): string {
  const isMade = (place: string) => made?.includes(place) ?? true;
  const places = { table: TABLE.join("/"), list: DIRECT.join("/") };
  let next = config;
  for (const name of NAMES.filter((one) => isMade(`${places.list}=${one}`)))
    next = removeItem(next, DIRECT, name) ?? next;
  if (next === config) return config;
  if (isMade(places.list) && listAt(tomlAt(next, DIRECT)).length === 0) next = removeTable(next, DIRECT) ?? next;
  const isEmpty = Object.keys(objectAt(tomlAt(next, TABLE))).length === 0;
  if (isMade(places.table) && isEmpty) next = removeTable(next, TABLE) ?? next;
  return withoutSwitch(next);
}

function withoutSwitch(config: string): string {
  const mode = tomlAt(config, TABLE);
  const rows = rowsOf(config);
  const mark = [true, false].map(markOf).find((one) => rows && config.slice(rows.start, rows.end).includes(one));
  if (!rows || mark === undefined) return config;
  const place = config.indexOf(mark, rows.start);
  const unmarked = config.slice(0, place) + config.slice(place + mark.length);
  const { enabled, ...others } = objectAt(mode);
  const isBare = typeof enabled === "boolean" && Object.keys(others).length === 0;
  return isBare ? (replaceToml(unmarked, TABLE, enabled) ?? unmarked) : unmarked;
}

/** The model of a new session, where the person has chosen one. */
export function configuredModel(config: string): string | undefined {
  const model = tomlAt(config, ["model"]);
  return typeof model === "string" ? model : undefined;
}
