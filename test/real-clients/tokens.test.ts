import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLAUDE_MODELS, createClaude } from "./claude.js";
import type { Client } from "./client.js";
import { type ClientBinaries, ensureClients } from "./clients.js";
import { CODEX_MODELS, createCodex } from "./codex.js";
import { ourShare, tokens } from "./model/our-share.js";
import { turns } from "./model/requests.js";
import { say } from "./model/script.js";
import type { Sandbox } from "./sandbox.js";
import { given, INSTALL_MS, isAsked, print, runTurn, SCENARIO_MS, wiredSandbox } from "./scenario.js";

// What every request of a session costs because we are wired.
const MOST = 350;

const MODELS: { model: string; create: (binaries: ClientBinaries) => Client }[] = [
  ...CLAUDE_MODELS.map((model) => ({ model, create: ({ claude }: ClientBinaries) => createClaude(claude, model) })),
  ...CODEX_MODELS.map((model) => ({ model, create: ({ codex }: ClientBinaries) => createCodex(codex, model) })),
];

describe.runIf(isAsked).each(MODELS)("$model", ({ model, create }) => {
  let client: Client;
  let sandbox: Sandbox;

  beforeAll(async () => {
    client = create(await ensureClients());
    sandbox = await wiredSandbox(client.agent);
  }, INSTALL_MS);
  afterAll(() => sandbox?.remove());

  test(`reads at most ${MOST} tokens of ours in a request`, { timeout: SCENARIO_MS }, async () => {
    const { requests } = await runTurn(client, { sandbox, prompt: "Hello.", script: [say("Hello.")] });
    const request = given(turns(requests)[0]);
    const { definitions, instructions, byClient } = ourShare(request);
    print(`${model}, instructions`, instructions);
    const counts = {
      definitions: tokens(definitions),
      instructions: tokens(instructions),
      "added by the client itself": tokens(byClient),
      "whole request": tokens([JSON.stringify(request.body)]),
    };
    print(`${model}, tokens in the first request`, [JSON.stringify(counts)]);
    expect(counts.definitions).toBeGreaterThan(0);
    expect(counts.definitions + counts.instructions).toBeLessThanOrEqual(MOST);
  });
});
