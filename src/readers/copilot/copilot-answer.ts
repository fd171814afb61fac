// What Copilot CLI puts behind the answers of tools, and how its names of tools are read: for its hooks and its events.

/** What hooks have said stands behind the answer. */
const HOOK_WORDS =
  /\n\nTool "[^"\n]{1,200}" (?:succeeded|failed)\. Additional guidance from postToolUse(?:Failure)? hooks:\n/;
const SHELL_END = /\n?<shellId: [^>\n]{1,100}>$/;
const SHELL_EXIT = / completed with exit code (-?\d{1,9})>$/;

/** An answer as the tool itself gave it; of a command without the line that says how it ended. */
export function bareAnswer(text: string): string {
  const at = text.search(HOOK_WORDS);
  return (at < 0 ? text : text.slice(0, at)).replace(SHELL_END, "");
}

/** Of a command that has ended. */
export function exitIn(tool: string, text: string): number | undefined {
  const [, code] = (SHELLS.includes(tool) && SHELL_EXIT.exec(text.slice(-LAST_LINE))) || [];
  return code === undefined ? undefined : Number(code);
}

const SHELLS = ["bash", "powershell"];
const LAST_LINE = 200;

/** SERVER-TOOL: both may have a `-` in them, so only our own are told apart by the name alone. */
const OWN_TOOL = /^(milepost)-(todo|task|plan)$/;

export function copilotTool(name: string): { readonly tool: string; readonly server?: string | undefined } {
  const [, server, tool = name] = OWN_TOOL.exec(name) ?? [];
  return { tool, server };
}
