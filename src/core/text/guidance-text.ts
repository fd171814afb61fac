/** For the MCP server, `milepost guidance` and setup. A model reads it in every session: each line costs tokens. */
export const GUIDANCE = `Keep a list with the todo tool for work of three or more steps, for several tasks at once, \
and when new instructions arrive. Not for one trivial or informational request.
- One focus: the todo in progress is the one you work on now.
- Finish a todo at once, and only when it is really done: tests pass, no error is open.
- Blocked? Keep it in progress and add a todo that says what must be resolved.
- Drop what no longer matters.`;
