import { clampTtl, LEASE } from "../../../core/task/lease.js";
import { parseTtl } from "../../../core/text/duration.js";
import { leftText } from "../../../core/text/time-text.js";

/**
 * What is said where a lease does not last as long as was asked for; `left` is what it got. A duration is the only
 * value that is brought into its range: every other one that is out of it is refused.
 */
export function leaseRemark(asked: string, left: number, shortest: number): string | undefined {
  const wanted = parseTtl(asked);
  if (wanted === undefined) return undefined;
  const ttl = clampTtl(wanted, shortest);
  const range = `a lease lasts ${leftText(shortest)} to ${leftText(LEASE.longest)}`;
  if (left > ttl) return `--ttl ${asked} would end the lease earlier: it keeps its ${leftText(left)}.`;
  if (wanted < ttl) return `--ttl ${asked} is too short: ${range}. This one lasts ${leftText(ttl)}.`;
  return wanted > ttl ? `--ttl ${asked} is too long: ${range}. This one lasts ${leftText(ttl)}.` : undefined;
}
