/** Who was told to stop is not asked to go on. Only sentences that say little else: "stop the flaky test" is work. */
const LONGEST = 80;

const BEFORE =
  /^(?:(?:please|ok(?:ay)?|no|hey|now|and|but|just|thanks?|thank you|great|good|fine|so|you can|can you|could you|i said|i say|let'?s|we can|you should)[\s,]+)*/i;
const AFTER =
  /(?:[\s,]+(?:here|now|please|it|this|that|there|working|for (?:now|today|the moment)|right (?:here|there|now)|a (?:moment|second|minute)|everything|thanks?))*$/i;
const STOP =
  /^(?:stop|halt|pause|abort|cancel|quit|enough|wait|hold on|hold|that'?s (?:all|it|enough)|that is (?:all|it|enough)|leave(?: it)?|never ?mind|we(?:'re| are) done|call it a day|(?:don'?t|do not) (?:continue|go on|proceed))$/i;

export function isStopWord(prompt: string): boolean {
  const text = prompt.trim().replaceAll("’", "'");
  if (text.length > LONGEST) return false;
  const sentences = text.split(/[.!?;\n]+/).filter((sentence) => !POLITE.test(sentence.trim()));
  // What comes after it is what is meant: "Stop. Then fix the bug."
  return isStopSentence(sentences.at(-1) ?? "");
}

const POLITE = /^(?:thanks?|thank you|please|ok(?:ay)?)?$/i;

function isStopSentence(sentence: string): boolean {
  const words = sentence.trim().replace(BEFORE, "");
  return STOP.test(words) || STOP.test(words.replace(AFTER, "").trim());
}

const ASKS =
  /\?|？|\b(?:let me know|tell me (?:if|when|which|whether|how)|please (?:confirm|approve|choose|decide|review and)|(?:need|want|wait(?:ing)?(?: for)?|await(?:ing)?) your (?:approval|answer|decision|confirmation|input|go-ahead|reply|permission)|your call|up to you)\b/i;

/** The last thing the agent said asks the person something: its last paragraph does. */
export function asksPerson(message: string): boolean {
  return ASKS.test(
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "",
  );
}
