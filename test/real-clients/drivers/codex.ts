import * as z from "zod";
import { startFakeResponses } from "../model/fake-responses.js";
import type { Client, ClientEnd, ClientRun } from "./client.js";
import { jsonLines, runProcess } from "./run-process.js";

/** Known to its catalogue: a name it has no metadata for is offered every MCP tool, unlike these. */
export const CODEX_MODELS = ["gpt-6.1-sol", "gpt-6-sol", "gpt-5.5"] as const;
const startedSchema = z.looseObject({ type: z.literal("thread.started"), thread_id: z.string() });

/** `codex exec` with the settings it finds in the sandbox; only the model is ours. */
export const createCodex = (binary: string, model: string = CODEX_MODELS[0]): Client => ({
  agent: "codex",
  run: (run) => runCodex(binary, model, run),
});

async function runCodex(binary: string, name: string, run: ClientRun): Promise<ClientEnd> {
  const { sandbox, prompt, script, env = {} } = run;
  const model = await startFakeResponses(script);
  try {
    const end = await runProcess({
      command: binary,
      args: [
        "exec",
        ...fixedArgs(sandbox.project),
        ...codexSettings(name, model.url),
        "-c",
        'approval_policy="never"',
        ...resumeArgs(run.resume),
        prompt,
      ],
      cwd: sandbox.project,
      env: { ...sandbox.env, RUST_LOG: "error", ...env },
    });
    const threads = jsonLines(end.out).flatMap((line) => startedSchema.safeParse(line).data?.thread_id ?? []);
    return { ...end, session: threads.at(-1) ?? "", requests: model.requests, failures: model.failures };
  } finally {
    await model.close();
  }
}

function fixedArgs(project: string): string[] {
  // A person trusts hooks once in the terminal; exec skips untrusted ones without a word.
  return ["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-C", project, "-s", "workspace-write"];
}

function resumeArgs(resume: ClientRun["resume"]): string[] {
  if (resume === undefined) return [];
  return resume === "newest" ? ["resume", "--last"] : ["resume", resume];
}

/** On the command line and not in config.toml, which belongs to `milepost setup`. */
export function codexSettings(model: string, url: string): string[] {
  const provider = `{name="fake",base_url="${url}",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
  const values = {
    model: JSON.stringify(model),
    model_provider: '"fake"',
    "model_providers.fake": provider,
    model_context_window: "100000",
    model_auto_compact_token_limit: "50000",
    check_for_update_on_startup: "false",
    "analytics.enabled": "false",
  };
  return Object.entries(values).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}
