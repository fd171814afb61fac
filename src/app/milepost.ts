import { fail, ok, type Result } from "../core/result.js";
import { EMPTY_LIST, type TodoList } from "../core/todo/list.js";
import type { Answer, Dialect, ToolCall, ToolInput } from "../dialects/dialect.js";
import { speak } from "../dialects/speak.js";
import { DIALECTS, findDialect } from "../dialects/table.js";
import { checkId } from "./id.js";

/** Whose list is meant. Without an agent it is the session's own list. */
export interface Place {
  readonly session?: string;
  readonly agent?: string;
}

export interface CallRequest extends Place {
  /** Default: `milepost`. */
  readonly dialect?: string;
  readonly tool: string;
  /** The arguments, parsed already. */
  readonly input?: unknown;
  /** Instead of `input`: the JSON text exactly as the model wrote it. */
  readonly arguments?: string;
  readonly mode?: ToolCall["mode"];
}

export interface Milepost {
  /** One tool call of a model. A refused call is an answer too; an error here means that nobody could be asked. */
  call(request: CallRequest): Promise<Result<Answer>>;
  /** The list as it is now; empty for a session that has none. */
  list(place?: Place): Promise<Result<TodoList>>;
  close(): Promise<void>;
}

const DEFAULT_SESSION = "default";

/** Lists are kept in memory: what this returns lives as long as the process. */
export function openMilepost(): Milepost {
  const lists = new Map<string, TodoList>();
  return {
    async call(request) {
      const dialect = findDialect(request.dialect ?? DIALECTS[0]?.name ?? "");
      if (!dialect) return fail(unknownDialect(request.dialect));
      const key = listKey(request, dialect.policy.scope);
      if (!key.ok) return key;
      const { tool, mode = "default" } = request;
      const spoken = speak(dialect, lists.get(key.value) ?? EMPTY_LIST, { tool, mode, input: toolInput(request) });
      lists.set(key.value, spoken.list);
      return ok(spoken.answer);
    },
    async list(place = {}) {
      const key = listKey(place, "agent");
      // A copy: what a caller does with it must not reach the list.
      return key.ok ? ok(structuredClone(lists.get(key.value) ?? EMPTY_LIST)) : key;
    },
    async close() {
      lists.clear();
    },
  };
}

function toolInput({ input, arguments: text }: CallRequest): ToolInput {
  return input === undefined && text !== undefined ? { text } : { value: input ?? {} };
}

function listKey({ session = DEFAULT_SESSION, agent }: Place, scope: Dialect["policy"]["scope"]): Result<string> {
  const owner = scope === "agent" ? agent : undefined;
  const refused = checkId("session", session) ?? (owner === undefined ? undefined : checkId("agent", owner));
  return refused ?? ok(owner === undefined ? session : `${session}/${owner}`);
}

function unknownDialect(name: string | undefined) {
  const names = DIALECTS.map((dialect) => dialect.name).join(", ");
  return { code: "unknown-dialect", message: `No dialect is called ${JSON.stringify(name)}. Known: ${names}.` };
}
