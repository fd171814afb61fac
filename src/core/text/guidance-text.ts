/** When and how to keep a list, for a model that keeps it with `tools`. Read in every session: words cost tokens. */
export function guidanceText(tools: string): string {
  return `For three or more steps, work that needs planning, several tasks, new instructions or on request, \
keep a list with ${tools} for you and the person to see. Not for one trivial or informational request. \
In doubt, keep one.
- Break work into small, specific todos. One focus: what you do now.
- Mark each done at once, only when fully done: tests pass, no error is open.
- Blocked? Leave it open; add a todo for what must be resolved.
- Drop what no longer matters.`;
}

/** What our MCP server tells its clients, and `milepost guidance` prints. */
export const GUIDANCE = guidanceText("the todo tool");
