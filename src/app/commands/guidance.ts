import { ok } from "../../core/result.js";
import { DIALECTS } from "../../dialects/registry.js";
import { defineCommand } from "../command-definition.js";
import { choice } from "../fields.js";

const TEXTS = new Map(DIALECTS.flatMap(({ name, guidance }) => (guidance ? [[name, guidance.text] as const] : [])));

export const guidance = defineCommand({
  details: `Text for an agent's instructions (CLAUDE.md, AGENTS.md) or a system prompt. The MCP server already sends it
to its clients: in its instructions, or with the tool, where the agent itself has it. milepost setup --todo client
--guidance adds it to the file, for the client's own list tool.`,
  examples: ["milepost guidance", "milepost guidance --dialect claude"],
  input: {
    dialect: choice([...TEXTS.keys()], "whose tools the model has; prints that agent's own rules", "milepost"),
  },
  run: async (_, { dialect }) => ok({ text: TEXTS.get(dialect) ?? "" }),
  show: ({ text }) => `${text}\n`,
});
