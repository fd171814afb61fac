import { defined, isObject, type JsonObject, parseJson } from "../../core/json.js";
import { type Failure, fail, ok } from "../../core/result.js";
import { lossyMember } from "../../core/text/json-parts.js";
import type { Answer } from "../../dialects/dialect.js";
import { DIALECT_NAMES } from "../calls/dialect-names.js";
import { defineCommand } from "../command-definition.js";
import { failureOf } from "../escaped-error.js";
import { choice, text } from "../fields.js";
import { type InputLine, jsonLine, LONGEST_LINE, readLines } from "../json-lines.js";
import type { CallRequest, Milepost } from "../milepost.js";
import { listName } from "../tasks/list-name.js";
import { givenStore } from "../terminal/next-step.js";

export const call = defineCommand({
  details: `Reads one call per line: {"tool":NAME,"input":{...},"session":ID}. Optional fields: "arguments", the input
as raw JSON text; "mode":"plan" or "default", whether the agent is in plan mode (default: as the session's hooks say);
"agent":ID for a sub-agent; "dialect":NAME for another dialect; "key":TEXT, an idempotency key: a repeated call runs
once.
Writes one answer per line: {"text","isError","data"}; "text" is exactly what the model reads.
An invalid line gets an answer with "isError":true; the following lines are still read.`,
  examples: ['echo \'{"tool":"todo","input":{"add":["Read the code","Fix it"]}}\' | milepost call'],
  input: {
    dialect: choice(DIALECT_NAMES, "whose tools to call", "milepost"),
    session: text("SESSION", "session for lines without one"),
    list: text("LIST", "task list (or MILEPOST_LIST; default: depends on the dialect)"),
    as: text("WHO", "who calls (default: the session's own agent)"),
    key: text("KEY", "idempotency key: repeated with the same key and lines, every call runs once"),
  },
  async run(context, { dialect, session, list, as, key }) {
    const { open, input, output, notice, environment, folder } = context;
    const project = listName(list, environment, folder);
    if (!project.ok) return project;
    const milepost = await open("write");
    if (input.isTerminal) await notice("Type one call per line, as JSON; Ctrl+D ends. See milepost call --help.");
    const named = list ?? (environment.MILEPOST_LIST || undefined);
    const namedStore = givenStore(context);
    const caller: Caller = { milepost, dialect, session, actor: as, list: named, project: project.value, namedStore };
    let calls = 0;
    let trouble: Failure | undefined;
    for await (const line of readLines(input.bytes)) {
      if (line.text?.trim() === "") continue;
      calls += 1;
      const keyed = key === undefined ? caller : { ...caller, key: `${key}/${calls}` };
      const answer = await answerAnyway(keyed, line, (error) => {
        trouble = error;
      });
      await output.write(`${jsonLine(answer)}\n`);
    }
    return trouble ? fail(trouble.code, trouble.message) : ok(undefined);
  },
});

interface Caller {
  readonly milepost: Milepost;
  readonly dialect: string;
  readonly session?: string | undefined;
  readonly actor?: string | undefined;
  readonly key?: string | undefined;
  readonly list?: string | undefined;
  readonly project: string;
  readonly namedStore: string | undefined;
}

/** Trouble, or a mistake of ours, is told to whoever sent the line; the next line is read all the same. */
async function answerAnyway(caller: Caller, line: InputLine, onTrouble: (trouble: Failure) => void): Promise<Answer> {
  try {
    return await answerLine(caller, line);
  } catch (error) {
    const trouble = failureOf(error);
    onTrouble(trouble);
    return refused(`Line ${line.number}: ${trouble.message} [${trouble.code}]`);
  }
}

async function answerLine({ milepost, ...standard }: Caller, line: InputLine): Promise<Answer> {
  const request = line.text === undefined ? undefined : parseJson(line.text);
  if (!isObject(request)) return refused(`Line ${line.number}: ${line.text === undefined ? TOO_LONG : NOT_A_CALL}`);
  const { tool, mode, dialect = standard.dialect } = request;
  if (typeof tool !== "string") return refused(`Line ${line.number}: "tool" must name a tool. ${EXAMPLE}`);
  if (typeof dialect !== "string") return refused(`Line ${line.number}: "dialect" must name a dialect. ${EXAMPLE}`);
  // Ids come as they are: the facade refuses what is none, whatever its type.
  const answer = await milepost.call({
    dialect,
    tool,
    ...toolInput(request, line.text ?? ""),
    list: standard.list,
    project: standard.project,
    namedStore: standard.namedStore,
    ...defined({
      mode: modeIn(mode),
      session: (request.session ?? standard.session) as string | undefined,
      agent: (request.agent ?? undefined) as string | undefined,
      key: (request.key ?? standard.key) as string | undefined,
      actor: standard.actor,
    }),
  });
  return answer.ok ? answer.value : refused(`Line ${line.number}: ${answer.error.message}`);
}

/** Undefined where the line says nothing: then it is the session's. */
function modeIn(value: unknown): CallRequest["mode"] {
  return value === undefined || value === null ? undefined : value === "plan" ? "plan" : "default";
}

const EXAMPLE = 'Send one object per line, such as {"tool":"todo","input":{"done":1}}.';
const NOT_A_CALL = `this is not a JSON object. ${EXAMPLE}`;
const TOO_LONG = `longer than ${LONGEST_LINE / 1024 / 1024} MiB. Send smaller calls.`;

function refused(text: string): Answer {
  return { text, isError: true };
}

function toolInput(
  { input, arguments: text }: JsonObject,
  line: string,
): Pick<CallRequest, "input" | "arguments" | "source"> {
  if (input !== undefined) return { input, ...defined({ source: lossyMember(line, "input") }) };
  return typeof text === "string" ? { arguments: text } : { input: text };
}
