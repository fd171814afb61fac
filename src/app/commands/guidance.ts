import * as z from "zod";
import { GUIDANCE } from "../../core/guidance/guidance.js";
import { ok } from "../../core/result.js";
import { defineCommand } from "../command.js";

export const guidance = defineCommand({
  details: `For an agent's own file (CLAUDE.md, AGENTS.md) or a system prompt. The MCP server tells it to its clients anyway, and
milepost setup --guidance adds it to the file.`,
  input: z.object({}),
  run: async () => ok({ text: GUIDANCE }),
  show: ({ text }) => `${text}\n`,
});
