export interface JsonPart {
  /** Of a member of an object; undefined in an array. */
  readonly name?: string;
  /** Exactly as it was written: `2.0` is not `2`, and long numbers keep all their digits. */
  readonly text: string;
}

/** The members or elements of a JSON text, each as it was written. The text has been parsed before: it is sound. */
export function jsonParts(json: string): readonly JsonPart[] {
  const text = json.trim();
  const isArray = text.startsWith("[");
  if (!isArray && !text.startsWith("{")) return [];
  return piecesOf(text).map((piece) => (isArray ? { text: piece } : member(piece)));
}

/** Numbers that a reader of doubles changes: 2.0 becomes 2, and long ones lose digits. */
const LOSSY = /\d(?:[.eE]|\d{15})/;

/** The text of a member, by the names on the way to it; undefined where nothing was lost by parsing it. */
export function lossyMember(json: string, ...names: readonly string[]): string | undefined {
  if (!LOSSY.test(json)) return undefined;
  const found = names.reduce<string | undefined>((text, name) => text && jsonMember(text, name), json);
  return found !== undefined && LOSSY.test(found) ? found : undefined;
}

export function jsonMember(json: string, name: string): string | undefined {
  return jsonParts(json).findLast((part) => part.name === name)?.text;
}

/** Between the commas of the outermost level. By character: a pattern would need a stack as deep as the text. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = stringEnd(text, at) - 1;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth += 1;
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1;
    const isEnd = (sign === COMMA && depth === 1) || (depth === 0 && at > 0);
    if (!isEnd) continue;
    const piece = text.slice(start, at).trim();
    if (piece !== "") pieces.push(piece);
    start = at + 1;
  }
  return pieces;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Behind the closing quote of the string that begins here. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function member(piece: string): JsonPart {
  const end = stringEnd(piece, 0);
  return { name: JSON.parse(piece.slice(0, end)) as string, text: piece.slice(end).trimStart().slice(1).trim() };
}
