import { callOn } from "../src/app/calls/tool-call.js";
import { answerHook } from "../src/app/hooks/answer-hook.js";
import { readHookInput } from "../src/app/hooks/hook-input.js";
import { SESSIONS } from "../src/app/session/session-view.js";
import { DEFAULT_SETTINGS, type Settings } from "../src/app/settings.js";
import { LISTS, PROJECTIONS } from "../src/app/views.js";
import { todosOf } from "../src/core/todo/list.js";
import { openLog } from "../src/store/open.js";

interface ClientStore {
  readonly url?: string;
  /** What it tells has happened then. */
  readonly clock?: () => number;
}

/** One client on one store, as its hooks tell of it. */
export async function client(
  settings: Settings = DEFAULT_SETTINGS,
  environment: Record<string, string> = {},
  { url = "memory:", clock }: ClientStore = {},
) {
  const store = await openLog(url, { projections: PROJECTIONS, ...(clock && { clock }) });
  let calls = 0;
  const hook = async (event: string, fields: object = {}, process = "m:7"): Promise<string> => {
    const text = JSON.stringify({ session_id: "s1", hook_event_name: event, cwd: "/work", ...fields });
    const input = readHookInput(text, process, environment);
    if (!input.ok) throw new Error(input.error);
    const answer = await answerHook(store, input.value, settings);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  const said = async (event: string, fields: object = {}, process?: string) => {
    const text = await hook(event, fields, process);
    return text === "" ? "" : JSON.parse(text).hookSpecificOutput.additionalContext;
  };
  return {
    store,
    hook,
    said,
    /** Another command each time: who runs the same one again and again is told so. */
    bash: (fields: object = {}) => {
      const command = `step ${++calls}`;
      return said("PostToolUse", { tool_name: "Bash", tool_use_id: `t${calls}`, tool_input: { command }, ...fields });
    },
    todo: (input: object, session = "s1") =>
      callOn(store, { tool: "todo", input, session, origin: { client: "claude-code", call: `c${++calls}` } }),
    open: async (session = "s1", agent?: string) => {
      const list = await store.view(LISTS, `session:${session}${agent ? `/${agent}` : ""}`);
      return todosOf(list).map(({ text, status }) => `${status} ${text}`);
    },
    session: (session = "s1") => store.view(SESSIONS, `session:${session}`),
    async events(type?: string) {
      const found = [];
      const pages = await store.read();
      if (pages.ok) for await (const page of pages.value) found.push(...page.events);
      return found.filter((event) => type === undefined || event.type === type);
    },
  };
}
