import { ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { defineCommand } from "../command-definition.js";
import type { OfferingClient } from "../settings.js";
import { AGENTS, worldOf } from "../setup/agents/wired-agents.js";
import { readText } from "../setup/config-file.js";
import { durablePlugin } from "../setup/plugin/durable-plugin.js";
import { installedPlugin } from "../setup/plugin/installed-plugin.js";
import { PLUGIN_ID } from "../setup/plugin/plugin-files.js";
import { shellWord } from "../terminal/next-step.js";

interface ClientRow {
  readonly agent: string;
  readonly title: string;
  /** Undefined: it is not installed. */
  readonly installed: string | undefined;
  readonly install: readonly string[];
  readonly remove: string | undefined;
}

const INSTALL: Readonly<Partial<Record<OfferingClient, string>>> = {
  "claude-code": `claude plugin install ${PLUGIN_ID}`,
  codex: `codex plugin add ${PLUGIN_ID}`,
};

export const plugin = defineCommand({
  details: `Milepost as a plugin: our todo tool, the hooks, and in Claude Code the commands /milepost:todo,
/milepost:status and /milepost:tell. It is installed and removed with the client's own commands, which this command
prints; nothing else is changed. A plugin cannot bring a status line, nor switch the client's own list off: milepost
setup does both. Use one of the two for each client. When Milepost runs from a temporary folder (npx), the plugin is
first copied to Milepost's own folder, because Claude Code runs it where it lies; milepost unsetup removes a copy that
no client uses.`,
  examples: ["milepost plugin"],
  input: {},
  async run(context) {
    const world = worldOf(context);
    refuseForeignFolder(world.home);
    const durable = durablePlugin(world);
    if (!durable.ok) return durable;
    const { folder, copy } = durable.value;
    copy?.run();
    const clients = AGENTS.flatMap((agent): readonly ClientRow[] => {
      const command = INSTALL[agent.name];
      if (command === undefined) return [];
      const found = installedPlugin(agent, world, readText);
      const add = `${agent.binary} plugin marketplace add ${shellWord(folder)}`;
      const install = [add, command];
      return [{ agent: agent.name, title: agent.title, installed: found?.id, install, remove: found?.removal }];
    });
    return ok({ folder, copied: copy !== undefined, clients });
  },
  show({ folder, copied, clients }) {
    const rows = clients.flatMap(({ title, installed, install, remove }) =>
      installed === undefined
        ? install.map((line, index) => `${(index === 0 ? title : "").padEnd(14)}${terminalText(line)}`)
        : [`${title.padEnd(14)}${installed} is installed. Remove it: ${remove}`],
    );
    const where = `The plugin is in ${terminalText(folder)}${copied ? ", copied from a temporary folder" : ""}.`;
    return `${where}\n\n${rows.join("\n")}\n`;
  },
});
