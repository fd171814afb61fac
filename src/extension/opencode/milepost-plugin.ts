import { type Launch, MilepostServer } from "../milepost-server.js";
import type { PluginHooks, PluginInput } from "./opencode-api.js";
import { openPlugin } from "./opencode-plugin.js";

/** Setup writes it above this text. */
declare const MILEPOST_LAUNCH: Launch & { readonly hasTools?: boolean };

/** opencode takes every export for a plugin: there is no other. */
export async function Milepost({ client, directory }: PluginInput): Promise<PluginHooks> {
  const server = new MilepostServer("opencode", MILEPOST_LAUNCH, directory);
  return openPlugin(server, client ? { client } : {}, { hasTools: MILEPOST_LAUNCH.hasTools !== false });
}
