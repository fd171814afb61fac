// What we use of the extension API that oh-my-pi and pi share. Their types are not imported: the extension is a file
// that stands for itself, and both programs grow. So every part that one of them may lack is optional.

export interface Host {
  on(event: string, handler: (event: HostEvent, context: Context) => unknown): void;
  registerTool(tool: HostTool): void;
  sendMessage(message: HostMessage, options?: { readonly triggerTurn?: boolean; readonly deliverAs?: string }): void;
  getActiveTools(): readonly string[];
  setActiveTools(names: readonly string[]): unknown;
}

/** Fields of an event; what they hold is told by its name. */
export type HostEvent = Readonly<Record<string, unknown>>;

/** Both drop or keep it in the transcript as `custom_message`, and show the model its content as a user's. */
export interface HostMessage {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
}

export interface Context {
  readonly cwd: string;
  /** False where no person sits before it: `-p`, JSON. */
  readonly hasUI?: boolean;
  readonly ui?: { setStatus?(key: string, text: string | undefined): void };
  readonly sessionManager: {
    getSessionId(): string;
    getSessionFile?(): string | undefined;
    getEntries(): readonly { readonly type?: unknown; readonly details?: unknown }[];
  };
  isIdle?(): boolean;
}

export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** oh-my-pi: in each request, not behind a device that the model has to read first. */
  readonly loadMode: "essential";
  /** oh-my-pi: nobody is asked at each tick of a list. */
  readonly approval: "read";
  /** pi: the line in its system prompt that names the tool. */
  readonly promptSnippet: string;
  /** A call that is refused throws: both show the model the message as an error. */
  execute(
    call: string,
    input: unknown,
    signal: unknown,
    update: unknown,
    context: Context,
  ): Promise<{
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
    readonly details: object;
  }>;
}
