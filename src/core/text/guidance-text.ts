/**
 * When and how to keep a list. One text for everybody: the MCP server's instructions, `milepost guidance`, and the
 * block that setup adds to an agent's own file. The model reads it in every session, so each line has to earn its
 * tokens.
 */
export const GUIDANCE = `Keep a list with the todo tool for work of three or more steps, for several tasks at once, \
and when new instructions arrive. Not for one trivial or informational request.
- One focus: the todo in progress is the one you work on now.
- Finish a todo at once, and only when it is really done: tests pass, no error is open.
- Blocked? Keep it in progress and add a todo that says what must be resolved.
- Drop what no longer matters.`;
