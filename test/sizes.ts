/** The push suite is quick; `npm run test:crash` and `npm run test:soak` run the long forms of the same tests. */
const isLong = /^(?:real-)?long$/.test(process.env.MILEPOST_TESTS ?? "");

export const sized = (quick: number, long: number) => (isLong ? long : quick);

/** Push tries the same random cases each time, the long forms new ones; MILEPOST_SEED brings a run back. */
export const SEED = Number(process.env.MILEPOST_SEED ?? 0);
