import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { injected } from "./requests.js";
import type { ModelRequest } from "./script.js";

/** Texts of one request that are there because Milepost is wired. */
export interface OurShare {
  readonly definitions: readonly string[];
  /** What our server says about itself, and what our hooks said. */
  readonly instructions: readonly string[];
  /** What the client adds by itself because there is an MCP server. */
  readonly byClient: readonly string[];
}

const CODEX_RESOURCE_TOOLS = ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"];
const CLAUDE_SECTION = /# MCP Server Instructions\n[\s\S]*?\n## milepost\n([\s\S]*?)(?=\n\n|\n<\/system-reminder>|$)/;

export const tokens = (texts: readonly string[]) => texts.reduce((sum, text) => sum + encode(text).length, 0);

export function ourShare(request: ModelRequest): OurShare {
  const ours = request.tools.filter(({ name }) => name.startsWith("mcp__milepost__"));
  return {
    definitions: ours.map(({ definition }) => JSON.stringify(definition)),
    instructions: [...serverInstructions(request), ...hookTexts(request)],
    byClient: [...claudeHeading(request), ...resourceTools(request)],
  };
}

const hookTexts = ({ texts }: ModelRequest) => injected(texts).filter((text) => text.startsWith("Milepost"));

function serverInstructions(request: ModelRequest): string[] {
  const { namespaces, search } = codexSays(request);
  const sections = request.texts.flatMap(({ text }) => CLAUDE_SECTION.exec(text)?.[1] ?? []);
  return [...namespaces, ...search, ...sections];
}

/** Codex shows them as the description of our namespace, or as a source of its tool search. */
function codexSays({ body }: ModelRequest): { namespaces: string[]; search: string[] } {
  const namespaces: string[] = [];
  const search: string[] = [];
  JSON.stringify(body, (_, value) => {
    const description: unknown = value?.description;
    if (typeof description !== "string") return value;
    if (value.type === "namespace" && value.name === "mcp__milepost") namespaces.push(description);
    if (value.type === "tool_search")
      search.push(...(/^- milepost: [\s\S]*?(?=\nSome of the tools)/m.exec(description) ?? []));
    return value;
  });
  return { namespaces, search };
}

const claudeHeading = ({ texts }: ModelRequest) =>
  texts.flatMap(({ text }) => {
    const [section, instructions = ""] = CLAUDE_SECTION.exec(text) ?? [];
    return section === undefined ? [] : [section.slice(0, section.length - instructions.length)];
  });

/** In code mode they are chapters of the description of `exec`. */
function resourceTools({ tools }: ModelRequest): string[] {
  const direct = tools.filter(({ name }) => CODEX_RESOURCE_TOOLS.includes(name));
  const exec = String(tools.find(({ name }) => name === "exec")?.definition.description ?? "");
  const chapters = exec.split(/^(?=### `)/m);
  const nested = chapters.filter((text) => CODEX_RESOURCE_TOOLS.some((name) => text.startsWith(`### \`${name}\``)));
  return [...direct.map(({ definition }) => JSON.stringify(definition)), ...nested];
}
