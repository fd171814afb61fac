import type { JsonObject } from "../core/json.js";
import { claudeSession } from "./claude/claude-session.js";
import { claudeStream } from "./claude/claude-stream.js";
import { codexAppServer } from "./codex/app-server.js";
import { codexExec } from "./codex/exec.js";
import { codexRollout } from "./codex/rollout.js";
import { copilotSession } from "./copilot/copilot-session.js";
import { geminiSession } from "./gemini/gemini-session.js";
import { hermesGateway } from "./hermes/gateway.js";
import { hermesSessions } from "./hermes/session-files.js";
import { ohMyPiSession } from "./oh-my-pi/oh-my-pi-session.js";
import { openclawSessions } from "./openclaw/openclaw-sessions.js";
import { opencodeRows } from "./opencode/opencode-rows.js";
import { opencodeSession } from "./opencode/opencode-session.js";
import { qwenSession } from "./qwen/qwen-session.js";
import type { Format } from "./reader.js";

/** Every format that can be read. */
export const FORMATS: readonly Format[] = [
  claudeSession,
  codexRollout,
  claudeStream,
  codexExec,
  codexAppServer,
  ohMyPiSession,
  geminiSession,
  qwenSession,
  copilotSession,
  hermesGateway,
  hermesSessions,
  openclawSessions,
  opencodeSession,
  opencodeRows,
];

export function findFormat(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

export function recognise(record: JsonObject): Format | undefined {
  return FORMATS.find((format) => format.recognises(record));
}
