import { listAt, objectAt, parseJson, scalarText } from "../../../core/json.js";
import { tomlAt } from "../edits/toml-document.js";

/** The model of a new session, where the person has chosen one. */
export function configuredModel(config: string): string | undefined {
  const model = tomlAt(config, ["model"]);
  return typeof model === "string" ? model : undefined;
}

/** Codex' own list of models, which it keeps in a file, says that this one has every tool in its requests. */
export function catalogueSays(cache: string | undefined, model: string | undefined): boolean {
  const models = listAt(objectAt(parseJson(cache ?? "")).models).map(objectAt);
  const found = models.find(({ slug }) => model !== undefined && scalarText(slug) === model);
  return found !== undefined && (found.tool_mode ?? null) === null && found.supports_search_tool !== true;
}
