// Transcripts of the sessions that documents show, as the clients write them.

export interface Person {
  readonly session: string;
  readonly folder: string;
  readonly says: string;
}

/** `a` is pending, `a!` in progress, `a.` completed. */
const statusOf = (text: string) => (text.endsWith("!") ? "in_progress" : text.endsWith(".") ? "completed" : "pending");
const plain = (text: string) => text.replace(/[!.]$/, "");
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Claude Code in mid-turn, with a list; the todo in progress is shown by what it is doing. */
export function claudeTranscript({ session, folder, says }: Person, texts: readonly string[], doing: string): string {
  const todos = texts.map((text) => ({
    content: plain(text),
    status: statusOf(text),
    activeForm: text.endsWith("!") ? doing : plain(text),
  }));
  const reply = { role: "assistant", model: "claude-sonnet-4-5", stop_reason: "tool_use" };
  const call = { type: "tool_use", id: "t1", name: "TodoWrite", input: { todos } };
  const answer = { type: "tool_result", tool_use_id: "t1", content: "Todos have been modified successfully." };
  const records = [
    { type: "user", message: { role: "user", content: says } },
    { type: "assistant", message: { ...reply, id: "m1", content: [call] } },
    { type: "user", message: { role: "user", content: [answer] }, toolUseResult: { oldTodos: [], newTodos: todos } },
  ];
  const common = { sessionId: session, cwd: folder, version: "2.1.325", timestamp: minutesAgo(0) };
  return lines(
    records.map((record, at) => ({ ...common, uuid: `l${at}`, parentUuid: at ? `l${at - 1}` : null, ...record })),
  );
}

/** Claude Code in plan mode: each plan but the last was rejected with these words, and the last one waits. */
export function planTranscript({ session, folder, says }: Person, plans: readonly string[], words: string): string {
  const reply = { role: "assistant", model: "claude-sonnet-4-5", stop_reason: "tool_use" };
  const refusal = `The user doesn't want to proceed with this tool use. The user said:\n${words}`;
  const records = plans.flatMap((plan, at) => {
    const id = `toolu_plan_${at + 1}`;
    const call = { type: "tool_use", id, name: "ExitPlanMode", input: { plan, planFilePath: "/plans/plan.md" } };
    const answer = { type: "tool_result", tool_use_id: id, content: refusal, is_error: true };
    const proposed = { type: "assistant", message: { ...reply, id: `m${at}`, content: [call] } };
    const told = { toolUseResult: `Error: ${refusal}`, toolDenialKind: "user-rejected", userFeedback: words };
    const rejected = { type: "user", message: { role: "user", content: [answer] }, ...told };
    return at + 1 < plans.length ? [proposed, rejected] : [proposed];
  });
  const asked = { type: "user", message: { role: "user", content: says }, permissionMode: "plan" };
  const common = { sessionId: session, cwd: folder, version: "2.1.325", timestamp: minutesAgo(0) };
  return lines(
    [asked, ...records].map((record, at) => ({
      ...common,
      uuid: `l${at}`,
      parentUuid: at ? `l${at - 1}` : null,
      ...record,
    })),
  );
}

/** Codex after its turn: it has asked something, two minutes ago. */
export function codexTranscript({ session, folder, says }: Person, steps: readonly string[], asks: string): string {
  const plan = steps.map((text) => ({ step: plain(text), status: statusOf(text) }));
  const event = (type: string, fields: object) => ({ type: "event_msg", payload: { type, ...fields } });
  const item = (payload: object) => ({ type: "response_item", payload });
  const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: asks }] };
  const records = [
    { type: "session_meta", payload: { id: session, cwd: folder, originator: "codex_cli_rs", cli_version: "0.166.0" } },
    event("task_started", {}),
    event("user_message", { message: says }),
    item({ type: "function_call", call_id: "c1", name: "update_plan", arguments: JSON.stringify({ plan }) }),
    item({ type: "function_call_output", call_id: "c1", output: "Plan updated" }),
    item(said),
    event("agent_message", { message: asks }),
    event("task_complete", { last_agent_message: asks }),
  ];
  return lines(records.map((record) => ({ timestamp: minutesAgo(2), ...record })));
}
