/** Who takes closed todos off a list: nobody asked for it, but a setting. */
export const SWEEPER = "milepost";
