import { appendFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { openJsonProcess } from "./json-process.js";
import type { Sandbox } from "./sandbox.js";

const listedSchema = z.looseObject({
  data: z.array(z.looseObject({ hooks: z.array(z.looseObject({ key: z.string(), currentHash: z.string() })) })),
});

/** What a person does once in Codex' terminal: trusts the hooks as they are now. For programs that never ask. */
export async function trustHooks(codex: string, sandbox: Sandbox): Promise<void> {
  const { home, project, env } = sandbox;
  const server = openJsonProcess({ command: codex, args: ["app-server"], cwd: project, env, hear: () => undefined });
  const ask = async (id: number, method: string, params: object) => {
    const answer = server.receive((message) => message.id === id, `an answer to ${method}`);
    server.send({ id, method, params });
    return (await answer).result;
  };
  try {
    const clientInfo = { name: "milepost-tests", title: "Tests", version: "0.0.1" };
    await ask(1, "initialize", { clientInfo, capabilities: { experimentalApi: true } });
    server.send({ method: "initialized" });
    const { data } = listedSchema.parse(await ask(2, "hooks/list", { cwds: [project] }));
    const rows = data
      .flatMap(({ hooks }) => hooks)
      .map(({ key, currentHash }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`);
    appendFileSync(join(home, "codex", "config.toml"), `\n${rows.join("\n")}`);
  } finally {
    await server.close();
  }
}
