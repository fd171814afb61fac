import { contentText, type Fields, fieldsOf } from "../host-values.js";
import { type Launch, MilepostServer, type OfferedTool } from "../milepost-server.js";
import {
  callFields,
  endFields,
  isAmong,
  isOhMyPi,
  isSubAgent,
  lostIn,
  nameOfOurs,
  OWN_LIST,
  progressIn,
  resetsIn,
  resultFields,
  sourceOf,
} from "./pi-facts.js";
import type { Context, Host, HostEvent, HostTool } from "./pi-host.js";

// Our extension in oh-my-pi and pi: our tools, as tools of the agent, and its events, as hooks. One text for both.

/** What setup writes above this text. */
declare const MILEPOST_LAUNCH: Launch & {
  /** With the agent's own list, our server is there for what hooks tell alone. */
  readonly hasTools?: boolean;
};

const NAME = "milepost";

export default function milepost(host: Host): void {
  new Extension(host).listen();
}

const newTurn = () => Date.now().toString(36);

class Extension {
  readonly #host: Host;
  readonly #isOhMyPi: boolean;
  #server: MilepostServer | undefined;
  #session: string | undefined;
  /** A name for the time since the last prompt, which no other process has. */
  #turn = newTurn();
  /** What is open, as the last start or cut had it: for the model, with the next prompt. */
  #digest = "";
  /** The context was cut, and no request has been made since. */
  #isCut = false;
  /** Before which message of its requests it stands until then: the agent may go on without a prompt. */
  #place: number | undefined;
  /** How often the person had emptied the context. */
  #resets = 0;
  #ours: readonly string[] = [];
  /** The agent goes on because we asked it to. */
  #isAgain = false;
  /** What we asked it with: oh-my-pi tells of that as of a prompt. */
  #asked = "";

  constructor(host: Host) {
    this.#host = host;
    this.#isOhMyPi = isOhMyPi(host);
  }

  listen(): void {
    const on = (event: string, handler: (event: HostEvent, context: Context) => unknown) =>
      this.#host.on(event, async (told, context) => {
        if (event !== "session_start" && !this.#server) return undefined;
        return handler(told, context);
      });
    on("session_start", (event, context) => this.#start(context, event.reason));
    on("session_switch", (event, context) => this.#switch(context, event.reason));
    on("session_branch", (_event, context) => this.#switch(context, "fork"));
    on("session_shutdown", ({ reason }) => this.#end(reason));
    on("before_agent_start", ({ prompt }, context) => this.#prompt(prompt, context));
    on("input", (event, context) => this.#steer(event, context));
    on("context", ({ messages }) => this.#request(messages));
    on("tool_call", (event) => this.#call(event));
    on("tool_result", (event, context) => this.#result(event, context));
    on("tool_approval_requested", ({ toolName }) => this.#tell("PermissionRequest", { tool_name: toolName }));
    on("tool_approval_resolved", () => this.#tell("Notification", { notification_type: "elicitation_response" }));
    on("session_before_compact", () => this.#tell("PreCompact", { trigger: "auto" }));
    on("session_compact", () => this.#compacted());
    on("session_stop", (event, context) => this.#stop(event, context));
    on("agent_end", (event, context) => this.#agentEnd(event, context));
  }

  async #start(context: Context, reason: unknown): Promise<void> {
    if (isSubAgent(context, this.#host.getActiveTools())) return;
    this.#server ??= new MilepostServer(this.#isOhMyPi ? "oh-my-pi" : "pi", MILEPOST_LAUNCH, context.cwd);
    this.#session = context.sessionManager.getSessionId();
    if (this.#ours.length === 0) await this.#offer(await this.#server.tools());
    this.#resets = resetsIn(context);
    const lost = { context_lost: lostIn(context) };
    this.#digest = await this.#tell("SessionStart", { source: sourceOf(context, reason), ...lost });
  }

  async #switch(context: Context, reason: unknown): Promise<void> {
    await this.#tell("SessionEnd", { reason: reason === "new" ? "clear" : reason });
    [this.#digest, this.#place, this.#isCut] = ["", undefined, false];
    context.ui?.setStatus?.(NAME, undefined);
    await this.#start(context, reason);
  }

  /** pi makes a new extension for the next session, and after a reload for the same one. */
  async #end(reason: unknown): Promise<void> {
    if (reason !== "reload")
      await this.#tell("SessionEnd", { reason: reason === "new" ? "clear" : (reason ?? "quit") });
    this.#server?.close();
    this.#server = undefined;
  }

  async #prompt(prompt: unknown, context: Context) {
    this.#isAgain = false;
    this.#turn = newTurn();
    await this.#withoutOwnList();
    await this.#afterCut();
    const isOurs = this.#asked !== "" && prompt === this.#asked;
    this.#asked = "";
    // The turn goes on.
    if (isOurs) return undefined;
    const lost = this.#lost(context);
    const words = await this.#tell("UserPromptSubmit", { prompt, context_lost: lost });
    const content = [lost === undefined ? this.#digest : "", words].filter((text) => text !== "").join("\n\n");
    const hasDigest = lost !== undefined || this.#digest !== "";
    [this.#digest, this.#place] = ["", undefined];
    return content === "" ? undefined : { message: { ...this.#message(content), details: { hasDigest } } };
  }

  /** What the conversation does not have, and only the server knows as it is now: requests had it, or nothing has. */
  #lost(context: Context): "compact" | "clear" | undefined {
    const resets = resetsIn(context);
    const isReset = resets > this.#resets;
    this.#resets = resets;
    if (isReset) return "clear";
    return this.#place === undefined ? undefined : "compact";
  }

  /** What a person types while pi works is no start of it; oh-my-pi tells of that as of any prompt. */
  async #steer({ text, source }: HostEvent, context: Context): Promise<void> {
    if (this.#isOhMyPi || source === "extension" || context.isIdle?.() !== false) return;
    this.#say(context, await this.#tell("UserPromptSubmit", { prompt: text }));
  }

  async #call(event: HostEvent) {
    const fields = callFields(event);
    if (!fields) return undefined;
    if (event.toolName === ASKING) await this.#tell("PermissionRequest", fields);
    const reason = await this.#tell("PreToolUse", fields);
    return reason === "" ? undefined : { block: true, reason };
  }

  async #result(event: HostEvent, context: Context): Promise<void> {
    const fields = resultFields(event);
    if (!fields) return;
    this.#say(context, await this.#tell("", fields));
  }

  /** What is open is asked for with the next request: if the agent ends here, a resumed session has to be told. */
  async #compacted(): Promise<void> {
    this.#isCut = true;
    await this.#tell("PostCompact", { trigger: "auto" });
  }

  /** In place of what was open before. Nothing where the conversation has the same, from a prompt that was not cut. */
  async #afterCut(messages: readonly unknown[] = []): Promise<void> {
    if (!this.#isCut) return;
    this.#isCut = false;
    this.#place = undefined;
    const digest = await this.#tell("SessionStart", { source: "compact" });
    this.#digest = isAmong(messages, digest) ? "" : digest;
  }

  /** At the same place in each request: what stands before it stays as it is, and costs no more. */
  async #request(messages: unknown) {
    if (!Array.isArray(messages)) return undefined;
    await this.#afterCut(messages);
    if (this.#digest === "") return undefined;
    this.#place ??= messages.length;
    const kept = { role: "custom", ...this.#message(this.#digest), timestamp: Date.now() };
    return { messages: [...messages.slice(0, this.#place), kept, ...messages.slice(this.#place)] };
  }

  /** oh-my-pi alone: it waits for an answer, and goes on with it. */
  async #stop({ last_assistant_message: last, stop_hook_active }: HostEvent, { hasUI }: Context) {
    const words = contentText(fieldsOf(last).content);
    const told = { last_assistant_message: words, stop_hook_active, is_unattended: hasUI !== true };
    const text = await this.#tell("Stop", told);
    this.#asked = text;
    return text === "" ? undefined : { continue: true, additionalContext: text };
  }

  async #agentEnd(event: HostEvent, { hasUI }: Context): Promise<void> {
    const fields = endFields(event);
    const isStop = fields.hook_event_name === "Stop";
    if (event.willContinue === true || (isStop && this.#isOhMyPi)) return;
    const text = await this.#tell("", { ...fields, stop_hook_active: this.#isAgain, is_unattended: hasUI !== true });
    if (text === "" || !isStop) return;
    this.#isAgain = true;
    const message = { customType: NAME, content: text, display: true };
    this.#host.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
  }

  /** Before the agent's next request. */
  #say(context: Context, text: string): void {
    if (text === "") return;
    const isIdle = context.isIdle?.() !== false;
    const options = isIdle ? {} : { deliverAs: this.#isOhMyPi ? "aside" : "steer" };
    this.#host.sendMessage(this.#message(text), options);
  }

  #message(content: string) {
    return { customType: NAME, content, display: false };
  }

  async #tell(event: string, fields: Fields): Promise<string> {
    const told = { hook_event_name: event, session_id: this.#session, ...fields };
    return (await this.#server?.hook(told)) ?? "";
  }

  async #offer(tools: readonly OfferedTool[]): Promise<void> {
    if (MILEPOST_LAUNCH.hasTools === false) return;
    for (const tool of tools) this.#host.registerTool(this.#toolOf(tool));
    this.#ours = tools.map(({ name }) => nameOfOurs(name));
    await this.#withoutOwnList();
  }

  /** Ours are named, too: a tool that has just been registered may not be among those that are active yet. */
  async #withoutOwnList(): Promise<void> {
    if (!this.#isOhMyPi || this.#ours.length === 0) return;
    const active = this.#host.getActiveTools();
    if (!active.includes(OWN_LIST)) return;
    const others = active.filter((name) => name !== OWN_LIST && !this.#ours.includes(name));
    await this.#host.setActiveTools([...others, ...this.#ours]);
  }

  #toolOf({ name, title, description, inputSchema }: OfferedTool): HostTool {
    return {
      name: nameOfOurs(name),
      label: title,
      description,
      parameters: inputSchema,
      loadMode: "essential",
      approval: "read",
      promptSnippet: title,
      execute: async (call, input, _signal, _update, context) => {
        const session = context.sessionManager.getSessionId();
        const answer = await this.#server?.call(name, input, { session, call, turn: this.#turn });
        const text = answer?.text ?? "Milepost cannot be reached: the session has ended.";
        if (answer?.isError !== false) throw new Error(text);
        if (name === "todo") context.ui?.setStatus?.(NAME, progressIn(text));
        return { content: [{ type: "text", text }], details: {} };
      },
    };
  }
}

/** oh-my-pi's tool that waits for a person. */
const ASKING = "ask";
