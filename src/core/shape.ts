/** Is this a value of the shape a fold relies on? What comes from a store or a file may be anything. */
export type Shape = (value: unknown) => boolean;

export const text: Shape = (value) => typeof value === "string";
export const flag: Shape = (value) => typeof value === "boolean";
export const count: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
export const oneOf =
  (values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value);
export const list =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(item);
export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(shapes).every(([name, shape]) => shape((value as { readonly [field: string]: unknown })[name]));
export const maybe =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || value === null || shape(value);

const PLAIN: Readonly<Record<string, Shape>> = { string: text, boolean: flag, number: count };

/** The shapes of an example's texts, flags and counts; its other fields may be anything. */
export const like = (example: object): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, PLAIN[typeof value] ?? (() => true)]));
