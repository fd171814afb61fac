import { isObject, type JsonObject } from "../../json.js";

const VOLATILE: readonly string[] = [
  "messageId",
  "message_id",
  "messageIds",
  "platformMessageId",
  "platformMessageIds",
  "fileId",
  "file_id",
  "fileKey",
  "pollId",
  "poll_id",
  "receipt",
  "runId",
  "idempotencyKey",
  "ts",
  "timestamp",
  "sentAt",
  "deliveredAt",
  "createdAt",
];

/** No stack is as deep as JSON can be. */
const DEEPEST = 500;

function eachPart(value: unknown, change: (fields: JsonObject) => JsonObject, texts: (text: string) => string) {
  const walk = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return texts(part);
    if (depth >= DEEPEST) return part;
    if (Array.isArray(part)) return part.map((item) => walk(item, depth + 1));
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(change(part)).map(([name, item]) => [name, walk(item, depth + 1)]));
  };
  return walk(value, 0);
}

/** What a sent message is told by, without what each one has anew. */
export function withoutVolatileIds(details: JsonObject): unknown {
  const kept = (fields: JsonObject) => {
    const isMessage = isSentMessage(fields);
    const isKept = ([name]: [string, unknown]) => !VOLATILE.includes(name) && !(isMessage && name === "id");
    return Object.fromEntries(Object.entries(fields).filter(isKept));
  };
  return eachPart(details, kept, (text) => text);
}

/** The id of a message is new each time; that of a conversation is the same. */
function isSentMessage({ id, text, direction, senderId, accountId, conversation }: JsonObject): boolean {
  const isText = (value: unknown) => typeof value === "string";
  return isText(id) && isText(text) && ([direction, senderId, accountId].some(isText) || isObject(conversation));
}

const WRAPPER = "EXTERNAL_UNTRUSTED_CONTENT";
// The quotes are escaped where the whole answer is JSON in a text.
const MARK = /(<<<(END_)?EXTERNAL_UNTRUSTED_CONTENT id=\\?")([0-9a-f]{16})(\\?">>>)/gi;
const NO_NONCE = "0".repeat(16);

/** Foreign texts stand between marks with a number that is new each time. A mark alone is none. */
export function withoutNonces(value: unknown): unknown {
  return eachPart(value, (fields) => fields, blankNonces);
}

function blankNonces(text: string): string {
  if (!text.includes(WRAPPER)) return text;
  const marks = Array.from(text.matchAll(MARK), ([, , end, nonce]) => ({ end, nonce }));
  const closed = new Set(marks.flatMap(({ end, nonce }) => (end ? [nonce] : [])));
  const paired = new Set(marks.flatMap(({ end, nonce }) => (!end && closed.has(nonce) ? [nonce] : [])));
  return text.replace(MARK, (mark, before: string, _end, nonce: string, after: string) =>
    paired.has(nonce) ? `${before}${NO_NONCE}${after}` : mark,
  );
}
