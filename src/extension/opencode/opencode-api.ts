import type { Fields } from "../host-values.js";

// What opencode (1.18) gives a plugin and takes from it, as far as ours has a use for it. Its values are its own: they
// may be anything.

export interface PluginInput {
  readonly directory: string;
  readonly client?: {
    readonly session?: {
      get?(asked: { readonly path: { readonly id: string } }): Promise<{ readonly data?: unknown }>;
    };
  };
}

interface OfSession {
  readonly sessionID: string;
}

interface OfCall extends OfSession {
  readonly tool: string;
  readonly callID: string;
}

export interface Message {
  readonly info: Fields;
  readonly parts: Fields[];
}

/** Each is awaited, except `event`. What a hook has to say goes into its second argument. */
export interface PluginHooks {
  readonly tool: Readonly<Record<string, PluginTool>>;
  config(config: Record<string, unknown>): Promise<void>;
  event(told: { readonly event: { readonly type: string; readonly properties: unknown } }): Promise<void>;
  dispose(): Promise<void>;
  "chat.message"(told: OfSession, prompt: { readonly message: Fields; readonly parts: Fields[] }): Promise<void>;
  "tool.definition"(told: { readonly toolID: string }, definition: { jsonSchema?: unknown }): Promise<void>;
  "tool.execute.before"(call: OfCall, told: { readonly args: unknown }): Promise<void>;
  "tool.execute.after"(call: OfCall & { readonly args: unknown }, answer: Record<string, unknown>): Promise<void>;
  "experimental.text.complete"(told: OfSession, said: { readonly text: string }): Promise<void>;
  "experimental.session.compacting"(told: OfSession): Promise<void>;
  "experimental.chat.messages.transform"(told: unknown, request: { readonly messages: Message[] }): Promise<void>;
}

interface PluginTool {
  readonly description: string;
  readonly args: Readonly<Record<string, never>>;
  execute(input: unknown, call: { readonly sessionID: string; readonly callID?: string }): Promise<string>;
}
