/**
 * Aborts with the first of the signals; to abort it oneself lets go of all of them. `AbortSignal.any` holds them
 * weakly: one with a time limit that nobody else holds is collected, and its time never comes.
 */
export function firstAbort(...signals: readonly AbortSignal[]): AbortController {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true, signal: first.signal });
  }
  return first;
}
