/** One way to do a thing. `run` says how many microseconds it took each time. */
export interface Contestant {
  readonly name: string;
  readonly run: () => Promise<number>;
}

export interface Placing {
  readonly name: string;
  /** Microseconds each: the median of all rounds. */
  readonly time: number;
  /** How fast it is beside the first contestant: the median of what each round by itself says. */
  readonly rate: number;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * All run in turn inside every round, so that a machine that slows down slows down for all; and the order turns with
 * each round, so that nobody is always the one after the slowest. The first round is a warm-up and does not count.
 */
export async function compete(rounds: number, contestants: readonly Contestant[]): Promise<readonly Placing[]> {
  const times = contestants.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const index = (round + turn) % contestants.length;
      const time = await contestants[index]?.run();
      if (time !== undefined && round > 0) times[index]?.push(time);
    }
  }
  return contestants.map(({ name }, index) => {
    const own = times[index] ?? [];
    return { name, time: median(own), rate: median(own.map((time, round) => (times[0]?.[round] ?? 0) / time)) };
  });
}

export async function microseconds(count: number, work: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1000 / count;
}
