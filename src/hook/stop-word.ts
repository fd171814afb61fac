/**
 * The person has said to stop: an agent that obeys must not be asked to go on. Only short messages count, and only
 * those that say it at their beginning or are nothing else: "fix the stop button" is work.
 */
const LONGEST = 80;

const STOP =
  /^(?:(?:please|ok(?:ay)?|no|hey|now|and|just|you can|let'?s|we can)[\s,.!]*)*(?:stop|halt|pause|abort|cancel|quit|enough|wait|hold on|hold it|that'?s (?:all|it|enough)|leave it|never ?mind|we(?:'re| are) done|done for (?:now|today)|call it a day)\b(?!\s+(?:button|words?|the (?:server|process|timer|watch\w*)|using|calling|loading|at\b))/i;

export function isStopWord(prompt: string): boolean {
  const text = prompt.trim();
  return text.length > 0 && text.length <= LONGEST && STOP.test(text);
}

/** The last thing the agent said asks the person something. */
export function asksPerson(message: string): boolean {
  const lines = message.trim().split(/\n+/);
  return lines.slice(-2).some((line) => /[?？]["'”’)\]*_`]*(?:\s*\([^()]*\))?\s*$/.test(line));
}
