/**
 * A text without what differs at each run although nothing has changed: colours, times, durations, ids, names of
 * temporary files, how often something was tried. Figures that may be progress stay: `45 %`, `3 of 20 files`.
 */
export function steadyText(text: string): string {
  let steady = text;
  if (steady.includes(ESCAPE)) steady = withoutColours(steady);
  if (!/\d/.test(steady)) return steady.trim();
  steady = steady
    .replace(UUID, "#")
    .replace(DATE, "#")
    .replace(CLOCK, "#")
    .replace(DURATION, "#")
    .replace(TEMPORARY, "$1#")
    .replace(LONG_ID, "#")
    .replace(COUNTED, "$1#")
    .replace(JOB, "[#] #");
  return steady.trim();
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
