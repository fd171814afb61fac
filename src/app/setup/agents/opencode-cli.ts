import { join } from "node:path";
// @ts-expect-error: a text, which the build and the tests load as one
import plugin from "../../../extension/opencode/milepost-plugin.js?text";
import { serverCommand } from "../command-line.js";
import { guidanceEdit } from "../edits/guidance-block.js";
import { extensionEdit, wiredExtension } from "../edits/own-file.js";
import type { Agent, ReadText, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";
import { hindrances } from "./opencode-sight.js";

const TEXT: string = plugin;

/** What its plugin tells of: starts, prompts, calls before and after, questions, compactions, ends, sub-agents. */
const EVENTS = 14;

export const opencode: Agent = {
  name: "opencode",
  title: "opencode",
  binary: "opencode",
  folder,
  edits: (world) => [
    extensionEdit(pluginFile(world), TEXT, launch),
    guidanceEdit(join(folder(world), "AGENTS.md"), "todowrite"),
  ],
  ownList(world, read) {
    const server = wired(world, read).server;
    return server && !wired(world, read).isHooksOnly ? undefined : "opencode has a list tool of its own (todowrite).";
  },
  ownListHint: "opencode's own list tool is denied: take permission.todowrite out of opencode.json.",
  wired,
  sight: (world, read) => ({
    notes: hindrances(world, folder(world), read, wired(world, read).isHooksOnly !== true),
  }),
  serverClient: "milepost-opencode",
  afterwards: [
    "opencode fetches a package for plugins (@opencode-ai/plugin). Until it has, a start without a network takes a minute.",
  ],
};

function folder({ environment, program }: World): string {
  return AGENT_FOLDERS.opencode(environment, program.userFolder);
}

/** Its plugin says all: a server in `opencode.json` would not be told which session calls it. */
function pluginFile(world: World): string {
  return join(folder(world), "plugin", "milepost.js");
}

function launch({ launch, offer }: Wish) {
  const command = serverCommand(launch, offer);
  return offer.todo === "ours" ? command : { ...command, hasTools: false };
}

function wired(world: World, read: ReadText) {
  return wiredExtension(read(pluginFile(world)), EVENTS, TEXT);
}
