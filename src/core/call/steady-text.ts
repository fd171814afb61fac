/**
 * A text without what differs at each run although nothing has changed: colours, times, durations, ids, names of
 * temporary files, how often something was tried. Figures that may be progress stay: `45 %`, `3 of 20 files`.
 */
export function steadyText(text: string): string {
  let steady = text;
  if (steady.includes(ESCAPE)) steady = withoutColours(steady);
  if (!/\d/.test(steady)) return steady.trim();
  // A hook compiles each pattern anew: the dear ones are only tried where a cheap sign says that they may be found.
  const hasDash = steady.includes("-");
  if (hasDash && MAY_BE_UUID.test(steady)) steady = steady.replace(UUID, "#");
  if ((hasDash && MAY_BE_DAY.test(steady)) || includesAny(steady, MONTHS)) steady = steady.replace(DATE, "#");
  if (steady.includes(":")) steady = steady.replace(CLOCK, "#");
  if (MAY_BE_DURATION.test(steady)) steady = steady.replace(DURATION, "#");
  if (includesAny(steady, PLACES)) steady = steady.replace(TEMPORARY, "$1#");
  if (hasHexRun(steady)) steady = steady.replace(LONG_ID, "#");
  if (includesAny(steady.toLowerCase(), COUNTABLE)) steady = steady.replace(COUNTED, "$1#");
  if (steady.includes("[")) steady = steady.replace(JOB, "[#] #");
  return steady.trim();
}

function includesAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

/** One of them is in each text that TEMPORARY is for. */
const PLACES = ["/tmp", "/var/", "\\Temp", "/run/user"];
/** The same of COUNTED. */
const COUNTABLE = ["pid", "process", "session", "chunk id", "attempt", "retr", "try", "thread"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const MAY_BE_UUID = /-[0-9a-f]{4}-[0-9a-f]{4}-/i;
const MAY_BE_DAY = /-\d\d-\d\d/;
const MAY_BE_DURATION = /\d ?[µa-z]/;
const HEX_RUN = 8;

/** Eight figures in a row that may be hexadecimal. One of them stands at a multiple of eight. */
function hasHexRun(text: string): boolean {
  for (let at = HEX_RUN - 1; at < text.length; at += HEX_RUN) {
    if (!isHex(text.charCodeAt(at))) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && isHex(text.charCodeAt(from - 1))) from -= 1;
    while (to < text.length && isHex(text.charCodeAt(to))) to += 1;
    if (to - from >= HEX_RUN) return true;
  }
  return false;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

/** Written out it would be a control character in our own source. */
const ESCAPE = String.fromCharCode(27);
let colours: RegExp | undefined;

/** Made with the first coloured text. */
function withoutColours(text: string): string {
  colours ??= new RegExp(
    `${ESCAPE}(?:\\[[0-9;?]{0,30}[A-Za-z]|[()][A-Z0-9]|\\][^${ESCAPE}\\u0007]{0,200}\\u0007?)`,
    "g",
  );
  return text.replace(colours, "");
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const DATE =
  /\b(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,4}(?=[ ,]))/g;
const CLOCK = /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?\b|\b\d{1,2}:\d\d ?[AP]M\b/g;
const DURATION =
  /\b\d{1,12}(?:\.\d{1,12})? ?(?:ms|µs|us|ns|s|secs?|seconds?|mins?|minutes?|m\d{1,2}(?:\.\d{1,9})?s|milliseconds?|hours?)\b/g;
/** The part that is made up; what lies in a temporary folder keeps its name. */
const TEMPORARY =
  /((?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders\/\w{1,8}|\\Temp|\/run\/user\/\d{1,9})[/\\])[\w.-]{1,120}/g;
/** Ids in hexadecimal figures, with a letter and a figure in them; and seconds or milliseconds since 1970. */
const LONG_ID = /\b(?:0x)?(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{8,64}\b|\b1[4-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?\b/gi;
const COUNTED = /\b((?:pid|process|session(?: id)?|chunk id|attempt|retry|retries|try|thread)[ #:=(]{1,3})\d{1,12}\b/gi;
const JOB = /\[\d{1,3}\]\+? \d{2,10}\b/g;
