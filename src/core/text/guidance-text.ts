/** When and how to keep a list, for a model that keeps it with `tools`. Read in every session: words cost tokens. */
export function guidanceText(tools: string): string {
  return `Keep a list with ${tools} for work of three or more steps, for several tasks at once, \
and when new instructions arrive. Not for one trivial or informational request.
- One focus: the todo in progress is the one you work on now.
- Finish a todo at once, and only when it is really done: tests pass, no error is open.
- Blocked? Keep it in progress and add a todo that says what must be resolved.
- Drop what no longer matters.`;
}

/** What our MCP server tells its clients, and `milepost guidance` prints. */
export const GUIDANCE = guidanceText("the todo tool");
