import * as z from "zod";
import { startFakeMessages } from "../model/fake-messages.js";
import type { Client, ClientEnd, ClientRun } from "./client.js";
import { jsonLines, runProcess } from "./run-process.js";
import { API_KEY } from "./sandbox.js";

export const CLAUDE_MODELS = ["claude-sonnet-4-6", "claude-opus-5"] as const;
const eventSchema = z.looseObject({ session_id: z.string() });

/** `claude -p` with the settings it finds in the sandbox; only the model is ours. */
export const createClaude = (binary: string, model: string = CLAUDE_MODELS[0]): Client => ({
  agent: "claude-code",
  run: (run) => runClaude(binary, model, run),
});

async function runClaude(binary: string, name: string, run: ClientRun): Promise<ClientEnd> {
  const { sandbox, prompt, script, env = {} } = run;
  const model = await startFakeMessages(script);
  try {
    const end = await runProcess({
      command: binary,
      args: [...fixedArgs(name), ...resumeArgs(run.resume), "--", prompt],
      cwd: sandbox.project,
      env: { ...sandbox.env, ...claudeEnv(model.url), ...env },
    });
    const session = jsonLines(end.out).flatMap((line) => eventSchema.safeParse(line).data?.session_id ?? []);
    return { ...end, session: session.at(-1) ?? "", requests: model.requests, failures: model.failures };
  } finally {
    await model.close();
  }
}

function fixedArgs(model: string): string[] {
  const output = ["-p", "--output-format", "stream-json", "--verbose"];
  // Bash is named because a script may run a command; our own tool has to be allowed by `milepost setup`.
  return [...output, "--model", model, "--allowedTools", "Bash", "--autocompact", "100k"];
}

function resumeArgs(resume: ClientRun["resume"]): string[] {
  if (resume === undefined) return [];
  return resume === "newest" ? ["--continue"] : ["--resume", resume];
}

/** What points it at the fake model, and at nobody else. */
export function claudeEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
}
