import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, listAt, objectAt, parseJson, scalarText } from "../../../core/json.js";
import type { OfferingClient } from "../../settings.js";
import type { Agent, ReadText, World } from "../agents/agent.js";
import { parseToml } from "../edits/toml-document.js";
import { PLUGIN } from "./plugin-files.js";

/** Our plugin as a client has it: installed and enabled for the person, by the client's own commands. */
export interface InstalledPlugin {
  /** `milepost@milepost`, or of another marketplace. */
  readonly id: string;
  /** Where it is run, as far as the client's files tell. */
  readonly folder: string | undefined;
  /** What takes it out again. */
  readonly removal: string;
}

export function installedPlugin(agent: Agent, world: World, read: ReadText): InstalledPlugin | undefined {
  return LOOKS[agent.name]?.(agent.folder(world), read);
}

type Look = (folder: string, read: ReadText) => InstalledPlugin | undefined;

/** Clients for which there is a plugin of ours. */
const LOOKS: Readonly<Partial<Record<OfferingClient, Look>>> = {
  "claude-code"(folder, read) {
    const { enabledPlugins } = objectAt(parseJson(read(join(folder, "settings.json")) ?? ""));
    const id = ourId(objectAt(enabledPlugins), (value) => value === true);
    if (id === undefined) return undefined;
    const marketplace = id.slice(PLUGIN.length + 1);
    const known = objectAt(parseJson(read(join(folder, "plugins", "known_marketplaces.json")) ?? ""));
    const { source, installLocation } = objectAt(known[marketplace]);
    const { plugins } = objectAt(parseJson(read(join(folder, "plugins", "installed_plugins.json")) ?? ""));
    const copies = listAt(objectAt(plugins)[id]).map(objectAt);
    // From a folder it is run in place; from anywhere else Claude Code runs its copy.
    const isInPlace = objectAt(source).source === "directory";
    return {
      id,
      folder: scalarText(isInPlace ? installLocation : copies[0]?.installPath),
      removal: `claude plugin uninstall ${id} && claude plugin marketplace remove ${marketplace}`,
    };
  },
  codex(folder, read) {
    const config = parseToml(read(join(folder, "config.toml")) ?? "");
    const plugins = objectAt(config.ok ? objectAt(config.value).plugins : undefined);
    const id = ourId(plugins, (value) => isObject(value) && value.enabled !== false);
    if (id === undefined) return undefined;
    const marketplace = id.slice(PLUGIN.length + 1);
    const removal = `codex plugin remove ${id} && codex plugin marketplace remove ${marketplace}`;
    return { id, folder: newestIn(join(folder, "plugins", "cache", marketplace, PLUGIN)), removal };
  },
};

/** Codex keeps a copy under its version; an older one goes with the next install. */
function newestIn(folder: string): string | undefined {
  try {
    const [version] = readdirSync(folder).toSorted().toReversed();
    return version === undefined ? undefined : join(folder, version);
  } catch {
    return undefined;
  }
}

/** For setup, which leaves such a client as it is: two wirings would offer the model two lists. */
export function pluginNote(agent: Agent, { id, removal }: InstalledPlugin, isWired: boolean): string {
  const twice = `The plugin ${id} and setup's wiring are both there. Remove one: milepost unsetup ${agent.name}, or ${removal}`;
  const once = `The plugin ${id} brings server and hooks, so nothing is wired. For setup's wiring instead: ${removal} && milepost setup ${agent.name}`;
  return isWired ? twice : once;
}

/** A name with anything else in it is nobody's plugin, and would not be safe in a command. */
const OUR_ID = new RegExp(`^${PLUGIN}@[\\w.-]+$`);

function ourId(plugins: Readonly<Record<string, unknown>>, isEnabled: (value: unknown) => boolean): string | undefined {
  return Object.keys(plugins).find((name) => OUR_ID.test(name) && isEnabled(plugins[name]));
}
