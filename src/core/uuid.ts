/** Version 7: the time in front, so that ids sort by age. */
export function uuidV7(now: number): string {
  const random = crypto.randomUUID();
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(12, "0").slice(-12);
  // The random one is of version 4; its variant stays.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
