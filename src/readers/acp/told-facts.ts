import type { CallKind, CallStart } from "../../core/call/call-facts.js";
import { areProse, boundedFiles } from "../../core/call/call-files.js";
import { type JsonObject, listAt, objectAt, textAt } from "../../core/json.js";

/** The protocol's kinds as ours; others say nothing of what a tool does. */
const KINDS: ReadonlyMap<unknown, CallKind> = new Map<unknown, CallKind>([
  ["read", "read"],
  ["search", "search"],
  ["edit", "edit"],
  ["delete", "edit"],
  ["move", "edit"],
  ["execute", "execute"],
  ["fetch", "fetch"],
]);

const MOST_PLACES = 20;

/** What a tool's name and arguments tell, and where they tell nothing, what the protocol itself has: kind and files. */
export function withToldFacts(start: CallStart, before: CallStart | undefined, update: JsonObject): CallStart {
  if (start.isList) return start;
  const known = before?.isList ? undefined : before;
  const kinds = [start.kind, known?.kind, KINDS.get(update.kind)];
  const kind = kinds.find((one) => one !== undefined && one !== "other") ?? "other";
  const told = [start.files, known?.files, boundedFiles(placesOf(update))];
  const files = told.find((some) => some !== undefined && some.length > 0);
  if (kind === start.kind && files === start.files) return start;
  return {
    ...start,
    kind,
    ...(files && { files }),
    ...(kind === "edit" && files && areProse(files) && { isProse: true }),
  };
}

/** Where the editor is to look, and what was changed. */
function placesOf({ locations, content }: JsonObject): readonly (string | undefined)[] {
  const places = listAt(locations).slice(0, MOST_PLACES);
  const diffs = listAt(content)
    .slice(0, MOST_PLACES)
    .filter((block) => objectAt(block).type === "diff");
  return [...places, ...diffs].map((place) => textAt(objectAt(place).path));
}
