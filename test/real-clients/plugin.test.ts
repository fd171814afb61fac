import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClaude } from "./drivers/claude.js";
import type { ClientEnd } from "./drivers/client.js";
import { type ClientBinaries, ensureClients } from "./drivers/clients.js";
import { createCodex } from "./drivers/codex.js";
import { runProcess } from "./drivers/run-process.js";
import { openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { injected, news } from "./model/requests.js";
import { type ModelScript, own, say, shell } from "./model/script.js";
import { digests, expectGood, given, INSTALL_MS, ITEMS, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";

// The plugin as a person gets it: packed by npm, extracted, and added, used and removed with the clients' own commands.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TOOL = "mcp__plugin_milepost_milepost__todo";
const begin: ModelScript = [own(TOOL, { add: ITEMS }), own(TOOL, { done: 1 })];

describe.runIf(isAsked)("the plugin", () => {
  let binaries: ClientBinaries;
  const opened: Sandbox[] = [];

  beforeAll(async () => {
    binaries = await ensureClients();
  }, INSTALL_MS);
  afterEach(async () => {
    for (const sandbox of opened.splice(0)) await sandbox.remove();
  });

  const unpacked = async (): Promise<Sandbox> => {
    const sandbox = await openSandbox((home) => ({ node: process.execPath, command: commandIn(home) }));
    opened.push(sandbox);
    await unpack(sandbox.home);
    return sandbox;
  };
  const claude = (sandbox: Sandbox, ...args: readonly string[]) => run(binaries.claude, args, sandbox);
  const codex = (sandbox: Sandbox, ...args: readonly string[]) => run(binaries.codex, args, sandbox);
  const turn = (sandbox: Sandbox, prompt: string, script: ModelScript, resume?: string): Promise<ClientEnd> =>
    runTurn(createClaude(binaries.claude), { sandbox, prompt, script, ...(resume && { resume }) });

  const installClaude = async (sandbox: Sandbox): Promise<void> => {
    await claude(sandbox, "plugin", "validate", pluginIn(sandbox.home), "--strict");
    await claude(sandbox, "plugin", "marketplace", "add", pluginIn(sandbox.home));
    await claude(sandbox, "plugin", "install", "milepost@milepost");
  };

  test("Claude Code: installed, used and removed; its files are as before", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await unpacked();
    writeFileSync(join(sandbox.home, "claude", "settings.json"), '{\n  "cleanupPeriodDays": 20\n}\n');
    await turn(sandbox, "Hello", [say("Hello.")]);
    const before = filesBelow(join(sandbox.home, "claude"));
    await installClaude(sandbox);
    const first = await turn(sandbox, "Fix the leap-year bug", [...begin, shell("ls"), say("Half done.")]);
    expect(first.failures).toEqual([]);
    // Commands are the person's: the model reads nothing of them.
    expect(JSON.stringify(first.requests.map(({ body }) => body))).not.toMatch(/milepost:(?:todo|status|tell)/);
    const list = await expectGood(sandbox.milepost(["todo", "--session", first.session]));
    print("the list", [list.out]);
    // It was ticked off with nothing done for it, and that is shown.
    expect(list.out).toMatch(/\[x\] Read the leap-year code {2}\? unbacked\n.*\[>\] Fix the leap-year bug/);
    const facts = JSON.parse((await sandbox.milepost(["sessions", first.session, "--json"])).out);
    expect(facts.sessions).toMatchObject([{ agent: "claude-code", calls: { total: 3, failed: 0 } }]);
    const next = await turn(sandbox, "Go on", [say("All right.")], first.session);
    const said = digests(given(next.requests.at(-1)));
    print("the digest", said);
    expect(said.join("\n")).toContain("#2 [in progress] Fix the leap-year bug");
    await claude(sandbox, "plugin", "uninstall", "milepost@milepost");
    await claude(sandbox, "plugin", "marketplace", "remove", "milepost");
    const after = filesBelow(join(sandbox.home, "claude"));
    const left = Object.keys(after).filter((file) => !(file in before) && !RUNTIME.test(file));
    print("what the client leaves behind", left.slice(0, 5));
    expect(left.filter((file) => !CLIENTS_OWN.test(file))).toEqual([]);
    expect(after["plugins/cache/milepost/milepost/0.1.0/.orphaned_at"]).toBeDefined();
    for (const list of ["installed_plugins", "known_marketplaces"])
      expect(after[`plugins/${list}.json`]).not.toContain("milepost@");
    const { enabledPlugins, extraKnownMarketplaces, ...settings } = JSON.parse(after["settings.json"] ?? "");
    expect([enabledPlugins, extraKnownMarketplaces]).toEqual([{}, {}]);
    expect(settings).toEqual(JSON.parse(before["settings.json"] ?? ""));
    expect(mcpServers(after)).toEqual(mcpServers(before));
  });

  test("Claude Code: its commands take what is typed as it is", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await unpacked();
    await installClaude(sandbox);
    const empty = await turn(sandbox, "/milepost:todo", [say("Shown.")]);
    print("without a list", outputs(empty));
    expect(outputs(empty).join("\n")).toMatch(/no todos\n.*adds the first one/);
    const typed = 'Fix the user\'s `rm -rf x` $(touch made) "now" ; touch made !soon';
    const added = await turn(sandbox, `/milepost:todo add ${typed}`, [say("Shown.")], empty.session);
    print("added", outputs(added));
    const { out } = await expectGood(sandbox.milepost(["todo", "--session", empty.session]));
    expect(out).toContain(`1 [ ] ${typed}`);
    expect(readdirSync(sandbox.project)).not.toContain("made");
    const status = await turn(sandbox, "/milepost:status", [say("Shown.")], empty.session);
    expect(outputs(status).join("\n")).toContain(empty.session);
    const none = await turn(sandbox, "/milepost:tell", [say("Shown.")], empty.session);
    expect(outputs(none).join("\n")).toContain(empty.session);
    const told = await turn(sandbox, "/milepost:tell no-such-session Leave it", [say("Shown.")], empty.session);
    expect(outputs(told).join("\n")).toContain("No session is called no-such-session");
    expect(JSON.stringify(told.requests.at(0)?.tools)).not.toContain("milepost:todo");
  });

  test("Claude Code: plugin and setup both: one event for each fact", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await unpacked();
    await expectGood(sandbox.milepost(["setup", "claude-code", "--yes"]));
    await installClaude(sandbox);
    const end = await turn(sandbox, "Fix the leap-year bug", [...begin, shell("ls"), say("Half done.")]);
    const { out } = await expectGood(sandbox.milepost(["events"]));
    const lines = out.trimEnd().split("\n");
    // Claude Code's commands for plugins report the end of a session that never began.
    const events = lines.map((line) => JSON.parse(line)).filter(({ stream }) => stream.includes(end.session));
    const counts: Record<string, number> = {};
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
    print("events", [counts]);
    expect(counts).toMatchObject({
      "session.started": 1,
      "turn.started": 1,
      "call.ended": 3,
      "turn.ended": 1,
      "session.ended": 1,
    });
    expect(end.failures).toEqual([]);
    const doctor = await sandbox.milepost(["doctor"]);
    print("doctor", [doctor.out]);
    expect(doctor.out).toContain("milepost unsetup claude-code");
  });

  test("Claude Code: from a swept folder, by the commands that we print", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await unpacked();
    const swept = join(sandbox.home, "tmp", "_npx");
    renameSync(join(sandbox.home, "pack"), swept);
    const args = [join(swept, "package", "dist", "milepost.cjs"), "plugin", "--json"];
    const { out } = await run(process.execPath, args, sandbox);
    const [{ install }] = JSON.parse(out).clients;
    for (const line of install as string[]) {
      const command = line.replace(/^claude /, `${binaries.claude} `);
      await run("/bin/sh", ["-c", command], sandbox);
    }
    rmSync(swept, { recursive: true });
    const end = await turn(sandbox, "Fix the leap-year bug", [...begin, say("Half done.")]);
    expect(end.failures).toEqual([]);
    const copy = join(sandbox.home, ".local", "state", "milepost", "plugin", "milepost.cjs");
    const { out: list } = await run(process.execPath, [copy, "todo", "--session", end.session], sandbox);
    expect(list).toContain("[>] Fix the leap-year bug");
  });

  test("Codex: installed from the folder, used without it, removed", { timeout: SCENARIO_MS }, async () => {
    const sandbox = await unpacked();
    const before = filesBelow(join(sandbox.home, "codex"))["config.toml"];
    await codex(sandbox, "plugin", "marketplace", "add", pluginIn(sandbox.home));
    await codex(sandbox, "plugin", "add", "milepost@milepost");
    renameSync(join(sandbox.home, "pack"), join(sandbox.home, "moved"));
    const client = createCodex(binaries.codex, "gpt-5.5");
    const script = [{ calls: [{ type: "todo", input: { add: ITEMS } }] } as const, shell("ls"), say("Begun.")];
    const end = await runTurn(client, { sandbox, prompt: "Fix the leap-year bug", script });
    renameSync(join(sandbox.home, "moved"), join(sandbox.home, "pack"));
    expect(end.failures).toEqual([]);
    const list = await expectGood(sandbox.milepost(["todo", "--session", end.session]));
    expect(list.out).toContain("Fix the leap-year bug");
    await codex(sandbox, "plugin", "remove", "milepost@milepost");
    await codex(sandbox, "plugin", "marketplace", "remove", "milepost");
    const after = filesBelow(join(sandbox.home, "codex"));
    print("config.toml", [after["config.toml"] ?? "none"]);
    expect(after["config.toml"]?.replace(/^\n?\[projects\..*\]\ntrust_level = .*\n+/m, "") ?? "").toBe(before ?? "");
    expect(Object.keys(after).filter((file) => file.startsWith("plugins/"))).toEqual([]);
  });
});

/** What a session leaves, with or without a plugin. */
const RUNTIME =
  /^(?:projects|sessions|session-env|shell-snapshots|statsig|todos|backups|debug|file-history|tasks|telemetry|\.last-cleanup|history\.jsonl)\b/;
/** Of plugins in general: lists that are empty again, and its copy, which it marks as an orphan and sweeps later. */
const CLIENTS_OWN = /^plugins\/(?:installed_plugins\.json|known_marketplaces\.json|cache\/milepost\/)/;

const pluginIn = (home: string) => join(home, "pack", "package", "dist");
const commandIn = (home: string) => join(pluginIn(home), "milepost.cjs");

async function unpack(home: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  const folder = join(home, "pack");
  mkdirSync(folder);
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  await expectGood(runProcess({ command: "npm", args, cwd: ROOT, env }));
  const [file = ""] = readdirSync(folder);
  await expectGood(runProcess({ command: "tar", args: ["xzf", file], cwd: folder, env }));
  rmSync(join(folder, file));
}

function run(command: string, args: readonly string[], { project, env }: Sandbox) {
  return expectGood(runProcess({ command, args, cwd: project, env }));
}

/** What our commands printed, as the model reads it. */
function outputs({ requests }: ClientEnd): readonly string[] {
  const texts = news(given(requests.at(-1)));
  return injected(texts).filter((text) => text.startsWith("Output of Milepost:"));
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]));
}

function mcpServers(files: Readonly<Record<string, string>>): unknown {
  return JSON.parse(files[".claude.json"] ?? "{}").mcpServers;
}
