import { ok } from "../../core/result.js";
import { GUIDANCE } from "../../core/text/guidance-text.js";
import { DIALECTS, findDialect } from "../../dialects/registry.js";
import { defineCommand } from "../command-definition.js";
import { choice } from "../fields.js";

const GUIDED = DIALECTS.flatMap(({ name, guidance }) => (guidance === undefined ? [] : [name]));

export const guidance = defineCommand({
  details: `Text for an agent's instructions (CLAUDE.md, AGENTS.md) or a system prompt. The MCP server already sends it
to its clients. milepost setup --todo client --guidance adds it to the file, for the client's own list tool.`,
  examples: ["milepost guidance", "milepost guidance --dialect hermes"],
  input: {
    dialect: choice(["milepost", ...GUIDED], "whose tools the model has; prints that agent's own advice", "milepost"),
  },
  run: async (_, { dialect }) => ok({ text: findDialect(dialect)?.guidance ?? GUIDANCE }),
  show: ({ text }) => `${text}\n`,
});
