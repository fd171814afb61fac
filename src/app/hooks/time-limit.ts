/**
 * The outcome of the work, or the error when it takes longer than that; the work itself goes on. Only what waits can
 * be late: a call into a file system that does not answer holds up the timer, too.
 */
export async function within<T>(
  milliseconds: number,
  work: () => Promise<T>,
  late: (milliseconds: number) => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const limit = new Promise<never>((_, reject) => {
    // Work that waits for nothing is done before the next turn: Node takes half a millisecond to make its first timer.
    turn = setImmediate(() => {
      timer = setTimeout(() => reject(late(milliseconds)), milliseconds);
    });
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearImmediate(turn);
    if (timer) clearTimeout(timer);
  }
}
