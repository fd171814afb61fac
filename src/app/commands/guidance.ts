import * as z from "zod";
import { ok } from "../../core/result.js";
import { GUIDANCE } from "../../core/text/guidance-text.js";
import { DIALECTS, findDialect } from "../../dialects/registry.js";
import { defineCommand } from "../command.js";

const GUIDED = DIALECTS.flatMap(({ name, guidance }) => (guidance === undefined ? [] : [name]));

export const guidance = defineCommand({
  details: `For an agent's own file (CLAUDE.md, AGENTS.md) or a system prompt. The MCP server tells it to its clients anyway, and
milepost setup --guidance adds it to the file.`,
  input: z.object({
    dialect: z
      .enum(["milepost", ...GUIDED])
      .default("milepost")
      .describe("whose tools the model has: that agent's own advice"),
  }),
  run: async (_, { dialect }) => ok({ text: findDialect(dialect)?.guidance ?? GUIDANCE }),
  show: ({ text }) => `${text}\n`,
});
