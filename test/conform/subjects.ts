import { claudeTasks } from "../../src/dialects/claude/task-tools.js";
import { openBoard } from "./board.js";
import { type Check, openSession } from "./case.js";
import { gencodeTodo } from "./gencode.js";
import { hermesRestore, hermesTodo } from "./hermes.js";
import { nexoTodo } from "./nexo.js";
import { nexoTaskflowCheck } from "./nexo-taskflow.js";
import { todo, validation } from "./oh-my-pi.js";
import { oneOpCheck } from "./oh-my-pi-18.js";
import { markdownCheck } from "./oh-my-pi-markdown.js";
import { renderCheck } from "./oh-my-pi-render.js";
import { restoreOhMyPi } from "./oh-my-pi-restore.js";
import { slashCheck } from "./oh-my-pi-slash.js";
import { openclawAcp } from "./openclaw-acp.js";
import { openclawLoops } from "./openclaw-loops.js";
import { openclawRelay } from "./openclaw-relay.js";
import { replay } from "./replay.js";
import { executeSlash } from "./slash-executor.js";

const inSession = (dialect: string, shorten?: (text: string) => string) => replay(() => openSession(dialect), shorten);

/** Which system a vector file speaks for, and how its cases are checked. */
export const SUBJECTS: Readonly<Record<string, Check>> = {
  "claude/tasks": replay(async () => openBoard(claudeTasks)),
  "claude/todo": inSession("claude"),
  copilot: inSession("copilot"),
  // The position behind a parse error is optional; where it is given, it counts.
  "codex/plan": inSession("codex", (text) => text.replace(/ at line \d+ column \d+$/, "")),
  "oh-my-pi/18": oneOpCheck,
  "oh-my-pi/markdown": markdownCheck,
  "oh-my-pi/render": renderCheck,
  "oh-my-pi/slash": slashCheck(executeSlash),
  "oh-my-pi/todo": todo,
  "oh-my-pi/validation": validation,
  "gemini/todo": inSession("gemini"),
  "gencode/todo": gencodeTodo,
  "nexo/taskflow": nexoTaskflowCheck,
  "nexo/todo": nexoTodo,
  "oh-my-pi/restore": restoreOhMyPi,
  openclaw: inSession("openclaw"),
  "openclaw/acp": openclawAcp,
  "openclaw/loops": openclawLoops,
  "openclaw/relay": openclawRelay,
  "qwen/todo": inSession("qwen"),
  "opencode/todo": inSession("opencode"),
  "hermes/restore": hermesRestore,
  "hermes/todo": hermesTodo,
};
