import { AcpFormat } from "./acp/acp-format.js";
import { CodexFormat } from "./codex/codex-format.js";
import type { HostFormat } from "./host-format.js";

/** Every format by its name on the command line. */
export const HOST_FORMATS: Readonly<Record<HostFormatName, () => HostFormat>> = {
  acp: () => new AcpFormat(),
  codex: () => new CodexFormat(),
};

export const HOST_FORMAT_NAMES = ["acp", "codex"] as const;
export type HostFormatName = (typeof HOST_FORMAT_NAMES)[number];
