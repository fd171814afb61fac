// Lengths that other programs count in UTF-16 units. A cut never leaves half of a surrogate pair behind.

/** The first `max` units; one less where the cut would fall into a pair. */
export function firstUnits(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, isInPair(text, max) ? max - 1 : max);
}

/** The last `max` units; one less where the cut would fall into a pair. */
export function lastUnits(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max;
  return text.slice(isInPair(text, from) ? from + 1 : from);
}

/** At most `max` units, the ellipsis of a cut text among them. */
export function cutUnits(text: string, max: number): string {
  return text.length <= max ? text : `${firstUnits(text, max - 1)}…`;
}

function isInPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
