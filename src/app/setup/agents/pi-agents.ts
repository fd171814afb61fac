import { join } from "node:path";
// @ts-expect-error: a text, which the build and the tests load as one
import extension from "../../../extension/pi/pi-extension.js?text";
import { serverCommand } from "../command-line.js";
import { extensionEdit, wiredExtension } from "../edits/own-file.js";
import type { Agent, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";

// oh-my-pi and pi load the same kind of extension, each from a folder of its own; one of ours does all in both. Neither
// needs an entry for it: what lies in that folder is loaded.

const TEXT: string = extension;

/** What it listens to, as other agents' hooks are counted. */
const HOOKS = 11;

function extensionIn(folder: string): string {
  return join(folder, "extensions", "milepost.js");
}

function launchOf({ launch, offer }: Wish) {
  const command = serverCommand(launch, offer);
  return offer.todo === "ours" ? command : { ...command, hasTools: false };
}

function piAgent(about: Pick<Agent, "name" | "title" | "binary" | "folder" | "ownList" | "ownListHint">): Agent {
  const file = (world: World) => extensionIn(about.folder(world));
  return {
    ...about,
    edits: (world) => [extensionEdit(file(world), TEXT, launchOf)],
    wired: (world, read) => wiredExtension(read(file(world)), HOOKS, TEXT),
    serverClient: `milepost-${about.name}`,
    afterwards: [],
  };
}

export const ohMyPi: Agent = piAgent({
  name: "oh-my-pi",
  title: "oh-my-pi",
  binary: "omp",
  folder: ({ environment, program }) => AGENT_FOLDERS.ohMyPi(environment, program.userFolder),
  // The extension takes it out of each request, where it offers ours.
  ownList(world, read) {
    const { server, isHooksOnly } = ohMyPi.wired(world, read);
    return server && !isHooksOnly ? undefined : "oh-my-pi has a list tool of its own (todo).";
  },
  ownListHint: "oh-my-pi's own list tool is off where todo.enabled is false in its config.yml.",
});

export const pi: Agent = piAgent({
  name: "pi",
  title: "pi",
  binary: "pi",
  folder: ({ environment, program }) => AGENT_FOLDERS.pi(environment, program.userFolder),
  ownList: () => undefined,
  ownListHint: "pi has no list tool of its own. Use ours: milepost setup pi --todo ours",
});
