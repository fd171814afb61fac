import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { listAt, objectAt, parseJson, scalarText } from "../../core/json.js";
import type { ToolWay } from "../../core/session/client/list-tool.js";
import { readPlainOr } from "../read-plain.js";
import type { Environment } from "../store-place.js";

/** Claude Code names the plugin's folder to what a plugin starts; another plugin may have started the client itself. */
export function claudeToolWay({ CLAUDE_PLUGIN_ROOT: root }: Environment): ToolWay {
  return root && existsSync(join(root, "milepost.cjs")) ? "plugin" : "direct";
}

/** Our server's tools are in every request: a plain look, since a hook has no time to understand the whole file. */
const MADE_DIRECT = /^[^#\r\n]*\bdirect_only_tool_namespaces['"]?\s*=\s*\[[^\]]*['"](?:mcp__)?milepost['"]/m;

/** How a model of Codex reaches our tools, as Codex' own files tell; direct where they tell nothing. */
export function codexToolWay(transcript: string | undefined, model: string | undefined): ToolWay {
  const sessions = /^.*[\\/]sessions(?=[\\/])/s.exec(transcript ?? "")?.[0];
  if (sessions === undefined) return "direct";
  const config = readPlainOr(join(dirname(sessions), "config.toml"), "");
  if (config === "" || MADE_DIRECT.test(config)) return "direct";
  const cache = objectAt(parseJson(readPlainOr(join(dirname(sessions), "models_cache.json"), "")));
  return wayOf(cache, model);
}

/** By the list of models that Codex keeps; without it, or for a model that is not on it, nobody knows. */
export function wayOf(cache: { readonly models?: unknown }, model: string | undefined): ToolWay {
  const models = listAt(cache.models).map(objectAt);
  const found = models.find(({ slug }) => model !== undefined && scalarText(slug) === model);
  if (!found) return "either";
  if (typeof found.tool_mode === "string") return "code";
  return found.supports_search_tool === true ? "search" : "direct";
}
