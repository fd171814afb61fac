import { expect } from "vitest";
import * as z from "zod";
import { jsonLines } from "./drivers/run-process.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { expectGood } from "./scenario.js";

// Plans as `milepost plan list` knows them.

export const FIRST = "# Rename the helper\n\n- Rename x to y\n- Run the tests\n";
export const SECOND = "# Rename the helper, with care\n\n- Ask who uses x\n- Rename x to y\n- Run the tests\n";
export const WORDS = "Ask first who uses it.";
const SOON_MS = 15_000; // what only the transcript tells is read a little later

const planSchema = z.object({
  plans: z.array(
    z.looseObject({
      id: z.string(),
      agent: z.string().nullable(),
      text: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      decidedVia: z.string().nullable(),
      proposedAt: z.string(),
    }),
  ),
});
type Plans = z.infer<typeof planSchema>["plans"];

/** Our server in Codex's settings. */
export const serverTable = (args: readonly string[]) => `[mcp_servers.milepost]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
`;

export async function plansOf(sandbox: Sandbox): Promise<Plans> {
  const { out } = await expectGood(sandbox.milepost(["plan", "list", "--json"]));
  return planSchema.parse(JSON.parse(out)).plans;
}

/** Oldest first. */
export async function expectPlans(sandbox: Sandbox, wanted: readonly object[]): Promise<void> {
  const found = async () => (await plansOf(sandbox)).sort((a, b) => a.proposedAt.localeCompare(b.proposedAt));
  await expect.poll(found, { timeout: SOON_MS, interval: 500 }).toMatchObject(wanted);
}

/** What hooks, forms and commands wrote about plans, in its order: a list of plans may also come from transcripts. */
export async function plansLogged(sandbox: Sandbox): Promise<string[]> {
  const { out } = await expectGood(sandbox.milepost(["events"]));
  const events = jsonLines(out).map((line) => eventSchema.parse(line));
  return events.filter(({ stream }) => stream.startsWith("plan:")).map(({ type }) => type);
}

const eventSchema = z.looseObject({ stream: z.string(), type: z.string() });
