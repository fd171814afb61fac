import { isDeepStrictEqual } from "node:util";
import { isObject, listAt, objectAt, own, scalarText } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOurLine } from "../command-line.js";
import { appendValue, type Path, removeValue, setValue, valueAt } from "./json-document.js";

// Hooks of Claude Code and of Codex: {"hooks":{"Stop":[{"hooks":[{"type":"command","command":"..."}]}]}}

/** What a client does at an event: a line for a shell, or a call of our server's tool. */
export type HookEntry = LineEntry | ToolEntry;

interface LineEntry {
  readonly type: "command";
  /** How the client shows it; without one it shows the command. */
  readonly name?: string;
  readonly command: string;
  readonly timeout: number;
}

interface ToolEntry {
  readonly type: "mcp_tool";
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** A hook of ours: the event, and the tools it is for. At most one of each type for both. */
export interface WantedHook {
  readonly event: string;
  readonly matcher?: string;
  readonly entry: HookEntry;
}

/** Names our server in the agent's files, and its tool for hooks, which it does not list. */
export const HOOK_TOOL = { server: "milepost", tool: "hook" } as const;

/** What setup had to make around our entries; undefined when no record of it is left. */
export type Made = readonly string[] | undefined;

interface FoundHook {
  readonly event: string;
  readonly matcher: string;
  readonly group: number;
  readonly index: number;
}

export type OurHook = FoundHook &
  ({ readonly type: "command"; readonly command: string } | { readonly type: "mcp_tool"; readonly input: unknown });

type Choice = (hook: OurHook, index: number, all: readonly OurHook[]) => boolean;

export function wireHooks(text: string, wanted: readonly WantedHook[]): Result<string> {
  const wrong = wrongShape(
    text,
    wanted.map(({ event }) => event),
  );
  if (wrong) return fail({ code: "bad-config", message: wrong });
  const isTwice = (hook: OurHook, all: readonly OurHook[]) => all.find((other) => isLike(other, hook)) !== hook;
  let next = removeHooks(
    text,
    (hook, _index, all) => isTwice(hook, all) || !wanted.some((one) => isSame(one, hook)),
    undefined,
  );
  for (const hook of ourHooks(next)) next = renewed(next, hook, wanted.find((one) => isSame(one, hook))?.entry);
  const there = ourHooks(next);
  const missing = wanted.filter((one) => !there.some((hook) => isSame(one, hook)));
  return ok(addedAll(next, missing));
}

/** What is new as a whole is written as a whole: a text is read anew after each change. */
function addedAll(text: string, missing: readonly WantedHook[]): string {
  const events = [...new Set(missing.map(({ event }) => event))];
  const ofEvent = (event: string) => missing.filter((one) => one.event === event);
  if (events.length > 0 && valueAt(text, ["hooks"]) === undefined)
    return setValue(text, ["hooks"], Object.fromEntries(events.map((event) => [event, groupsOf(ofEvent(event))])));
  return events.reduce(
    (next, event) =>
      valueAt(next, ["hooks", event]) === undefined
        ? setValue(next, ["hooks", event], groupsOf(ofEvent(event)))
        : ofEvent(event).reduce(added, next),
    text,
  );
}

function groupsOf(wanted: readonly WantedHook[]): readonly object[] {
  return [...new Set(wanted.map(({ matcher = "" }) => matcher))].map((matcher) => {
    const hooks = wanted.filter((one) => (one.matcher ?? "") === matcher).map(({ entry }) => entry);
    return matcher === "" ? { hooks } : { matcher, hooks };
  });
}

/** Beside what we have there; else at the end: Codex remembers by its place which hook of a person it trusts. */
function added(text: string, { event, matcher = "", entry }: WantedHook): string {
  const beside = ourHooks(text).find((hook) => hook.event === event && hook.matcher === matcher);
  if (beside) return appendValue(text, ["hooks", event, beside.group, "hooks"], entry);
  const hooks = [entry];
  return appendValue(text, ["hooks", event], matcher === "" ? { hooks } : { matcher, hooks });
}

/** Only what counts is put right: a time limit of the person's own stays. */
function renewed(text: string, hook: OurHook, entry: HookEntry | undefined): string {
  if (!entry || isNow(hook, entry)) return text;
  const place = ["hooks", hook.event, hook.group, "hooks", hook.index];
  return entry.type === "command"
    ? setValue(text, [...place, "command"], entry.command)
    : setValue(text, [...place, "input"], entry.input);
}

function isNow(hook: OurHook, entry: HookEntry): boolean {
  if (hook.type === "command") return entry.type === "command" && hook.command === entry.command;
  return entry.type === "mcp_tool" && isDeepStrictEqual(hook.input, entry.input);
}

/** For the same tools, too: an earlier version may have asked for others. */
function isSame({ event, matcher = "", entry }: WantedHook, hook: OurHook): boolean {
  return isLike({ event, matcher, type: entry.type }, hook);
}

function isLike(one: Pick<OurHook, "event" | "matcher" | "type">, hook: OurHook): boolean {
  return one.event === hook.event && one.matcher === hook.matcher && one.type === hook.type;
}

function wrongShape(text: string, events: readonly string[]): string | undefined {
  const hooks = valueAt(text, ["hooks"]);
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return `has a "hooks" that is not an object`;
  const event = events.find((name) => hooks[name] !== undefined && !Array.isArray(hooks[name]));
  return event && `has "hooks" for ${event} that are not an array`;
}

export function unwireHooks(text: string, made: Made): string {
  return removeHooks(text, () => true, made);
}

function removeHooks(text: string, isUnwanted: Choice, made: Made): string {
  return unwantedPlaces(text, ourHooks(text).filter(isUnwanted), made).reduce(removeValue, text);
}

/**
 * The outermost of what goes: whatever is left empty goes with the last entry in it, and a text is read anew for each
 * place. From the end, so that the places of the others stay true.
 */
function unwantedPlaces(text: string, unwanted: readonly OurHook[], made: Made): readonly Path[] {
  const hooks = objectAt(valueAt(text, ["hooks"]));
  const events = [...new Set(unwanted.map(({ event }) => event))].toReversed();
  const places = events.flatMap((event) => {
    const ours = unwanted.filter((hook) => hook.event === event);
    const isWhole = listAt(hooks[event]).every((group, at) => isAll(group, at, ours));
    return isWhole && mayGo(["hooks", event], made) ? [["hooks", event]] : placesIn(listAt(hooks[event]), ours);
  });
  const isEverything = events.length > 0 && places.length === Object.keys(hooks).length && places.every(isEvent);
  return isEverything && mayGo(["hooks"], made) ? [["hooks"]] : places;
}

function placesIn(groups: readonly unknown[], ours: readonly OurHook[]): readonly Path[] {
  const places = ours.map(({ event, group, index }) =>
    isAll(groups[group], group, ours) ? ["hooks", event, group] : ["hooks", event, group, "hooks", index],
  );
  return places.filter((place, at) => !isDeepStrictEqual(place, places[at - 1])).toReversed();
}

function isAll(group: unknown, at: number, ours: readonly OurHook[]): boolean {
  const inside = ours.filter((hook) => hook.group === at);
  return inside.length > 0 && inside.length === listAt(objectAt(group).hooks).length;
}

function isEvent(place: Path): boolean {
  return place.length === 2;
}

/** What we made around our entries goes with them; what a person has put there stays, empty or not. */
export function removeEmpty(text: string, path: readonly string[], made: Made): string {
  return mayGo(path, made) && isEmpty(valueAt(text, path)) ? removeValue(text, path) : text;
}

function mayGo(path: readonly string[], made: Made): boolean {
  return made?.includes(path.join("/")) ?? true;
}

/** Begins what is remembered of a value that was changed, before what it was. */
export function wasMark(place: string): string {
  return `${place}${WAS}`;
}

const WAS = ":was=";

/** The place that it is remembered of: as long as that is as we left it, it counts. */
export function madePlace(made: string): string {
  return made.split(WAS, 1)[0] ?? made;
}

/** What is in one value and not in the other: `a/b` is an object or a list, `a/b=c` a text in a list. */
export function madeBetween(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  const place = path.join("/");
  if (typeof after !== "object" || after === null) return [];
  const self = before === undefined && path.length > 0 ? [place] : [];
  if (Array.isArray(after)) {
    const added = after.filter((item) => typeof item === "string" && !(Array.isArray(before) && before.includes(item)));
    return [...self, ...added.map((item) => `${place}=${item}`)];
  }
  const old = objectAt(before);
  const inside = Object.entries(after).map(([key, value]) => madeBetween(own(old, key), value, [...path, key]));
  return [...self, ...inside.flat()];
}

/** Entries of ours, wherever a person has moved them. */
export function ourHooks(text: string): readonly OurHook[] {
  const hooks = valueAt(text, ["hooks"]);
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listAt(groups).flatMap((group, groupIndex) =>
      listAt(isObject(group) ? group.hooks : undefined).flatMap((hook, index) => {
        const matcher = scalarText(objectAt(group).matcher)?.replace(/^\*$/, "") ?? "";
        return ourHook(objectAt(hook), { event, matcher, group: groupIndex, index });
      }),
    ),
  );
}

function ourHook(hook: Readonly<Record<string, unknown>>, place: FoundHook): readonly OurHook[] {
  const { type, command, server, tool, input } = hook;
  if (isOurLine(command, "hook")) return [{ ...place, type: "command", command }];
  const isTool = type === "mcp_tool" && server === HOOK_TOOL.server && tool === HOOK_TOOL.tool;
  return isTool ? [{ ...place, type, input }] : [];
}

/** Events of which nothing is wired, or not all: half of it would lose facts. */
export function missingHooks(wanted: readonly WantedHook[], found: readonly OurHook[]): readonly string[] {
  const missing = wanted.filter(
    ({ event, entry }) => !found.some((hook) => hook.event === event && hook.type === entry.type),
  );
  return [...new Set(missing.map(({ event }) => event))];
}

/** Events of hooks that an earlier version wanted, or wanted for other tools or with other fields. */
export function outdatedHooks(wanted: readonly WantedHook[], found: readonly OurHook[]): readonly string[] {
  const isWanted = (hook: OurHook) =>
    wanted.some((one) => isSame(one, hook) && (hook.type === "command" || isNow(hook, one.entry)));
  return found.filter((hook) => !isWanted(hook)).map(({ event }) => event);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
